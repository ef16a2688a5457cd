import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  choiceOption,
  confirmationDialog,
  conversationFilter,
  menuOption,
  optionGroup,
  overflowOption,
  repeatedValues,
  SELECT_OPTIONS_MAX,
} from './composition.ts';
import { identifier, plainText, textOfLength } from './text.ts';

/**
 * Elements that offer a choice: select menus, radio buttons, checkboxes, overflow menus, date and time pickers.
 * Source: https://docs.slack.dev/reference/block-kit/block-elements
 */

const choiceFields = {
  action_id: identifier.optional(),
  confirm: confirmationDialog.optional(),
  focus_on_load: z.boolean().optional(),
};
const menuFields = { ...choiceFields, placeholder: plainText(150).optional() };
const multiMenuFields = { ...menuFields, max_selected_items: z.int().min(1).optional() };
const slackId = textOfLength(255);

const staticOptions = {
  options: z.array(menuOption).min(1).max(SELECT_OPTIONS_MAX).optional(),
  option_groups: z.array(optionGroup).min(1).max(SELECT_OPTIONS_MAX).optional(),
};

interface Offering {
  options?: { value: string }[] | undefined;
  option_groups?: { options: { value: string }[] }[] | undefined;
  initial_option?: unknown;
  initial_options?: unknown[] | undefined;
}

/** Exactly one list of options, their values unique, and what is chosen at first is among them, whole. */
function offersItsInitialChoice(context: z.core.ParsePayload<Offering>): void {
  const element = context.value;
  const report = (message: string, ...path: (string | number)[]) => {
    context.issues.push({ code: 'custom', input: element, message, path });
  };
  if ((element.options === undefined) === (element.option_groups === undefined)) {
    report('must have exactly one of options and option_groups');
    return;
  }
  const offered = element.options ?? element.option_groups?.flatMap((group) => group.options) ?? [];
  for (const { message, index } of repeatedValues(offered)) {
    report(message, ...(element.options === undefined ? ['option_groups'] : ['options', index, 'value']));
  }
  if (element.initial_option !== undefined && !isAmong(offered, element.initial_option)) {
    report('must exactly match one of the options', 'initial_option');
  }
  element.initial_options?.forEach((option, index) => {
    if (!isAmong(offered, option)) report('must exactly match one of the options', 'initial_options', index);
  });
}

function isAmong(options: unknown[], candidate: unknown): boolean {
  return options.some((option) => isDeepStrictEqual(option, candidate));
}

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...menuFields,
    ...staticOptions,
    initial_option: menuOption.optional(),
  })
  .check(offersItsInitialChoice);

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...multiMenuFields,
    ...staticOptions,
    initial_options: z.array(menuOption).min(1).max(SELECT_OPTIONS_MAX).optional(),
  })
  .check(offersItsInitialChoice);

const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...menuFields,
  initial_option: menuOption.optional(),
  min_query_length: z.int().min(0).optional(),
});

const multiExternalSelect = z.strictObject({
  type: z.literal('multi_external_select'),
  ...multiMenuFields,
  initial_options: z.array(menuOption).min(1).max(SELECT_OPTIONS_MAX).optional(),
  min_query_length: z.int().min(0).optional(),
});

const usersSelect = z.strictObject({
  type: z.literal('users_select'),
  ...menuFields,
  initial_user: slackId.optional(),
});

const multiUsersSelect = z.strictObject({
  type: z.literal('multi_users_select'),
  ...multiMenuFields,
  initial_users: z.array(slackId).min(1).optional(),
});

const conversationFields = {
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter.optional(),
};

const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...menuFields,
  ...conversationFields,
  initial_conversation: slackId.optional(),
  response_url_enabled: z.boolean().optional(),
});

const multiConversationsSelect = z.strictObject({
  type: z.literal('multi_conversations_select'),
  ...multiMenuFields,
  ...conversationFields,
  initial_conversations: z.array(slackId).min(1).optional(),
});

const channelsSelect = z.strictObject({
  type: z.literal('channels_select'),
  ...menuFields,
  initial_channel: slackId.optional(),
  response_url_enabled: z.boolean().optional(),
});

const multiChannelsSelect = z.strictObject({
  type: z.literal('multi_channels_select'),
  ...multiMenuFields,
  initial_channels: z.array(slackId).min(1).optional(),
});

/** Options of radio buttons and checkboxes: at most ten. */
const choices = z.array(choiceOption).min(1).max(10);

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...choiceFields,
    options: choices,
    initial_option: choiceOption.optional(),
  })
  .check(offersItsInitialChoice);

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...choiceFields,
    options: choices,
    initial_options: choices.optional(),
  })
  .check(offersItsInitialChoice);

/** At most five options; a menu, not an input, so it never stands in an input block. */
export const overflow = z
  .strictObject({
    type: z.literal('overflow'),
    action_id: identifier.optional(),
    confirm: confirmationDialog.optional(),
    options: z.array(overflowOption).min(1).max(5),
  })
  .check(offersItsInitialChoice);

const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  ...menuFields,
  initial_date: z.iso.date({ error: 'must be a date as YYYY-MM-DD' }).optional(),
});

const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...menuFields,
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time as HH:mm' })
    .optional(),
  timezone: textOfLength(255).optional(),
});

const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...choiceFields,
  initial_date_time: z
    .int()
    .refine((seconds) => /^\d{10}$/.test(String(seconds)), { error: 'must be a UNIX timestamp of 10 digits' })
    .optional(),
});

/** The elements with a choice that may stand beside a section's text. */
export const accessoryChoosers = [
  staticSelect,
  multiStaticSelect,
  externalSelect,
  multiExternalSelect,
  usersSelect,
  multiUsersSelect,
  conversationsSelect,
  multiConversationsSelect,
  channelsSelect,
  multiChannelsSelect,
  radioButtons,
  checkboxes,
  datepicker,
  timepicker,
] as const;

/** Every element with a choice that keeps its value: in actions and in an input block. */
export const choosers = [...accessoryChoosers, datetimepicker] as const;
