import { z } from 'zod';
import { anyText, loadedUrl, openedUrl, plainText, textOfLength } from './text.ts';

/**
 * Composition objects: options, confirmation dialogs, filters, dispatch settings, image sources.
 * Source: https://docs.slack.dev/reference/block-kit/composition-objects
 */

const OPTION_TEXT_MAX = 75;
const OPTION_VALUE_MAX = 75;
/** Options in one select menu, and in one group of it; also groups in one menu. */
export const SELECT_OPTIONS_MAX = 100;

const optionFields = {
  value: textOfLength(OPTION_VALUE_MAX),
  description: plainText(OPTION_TEXT_MAX).optional(),
};

/** An option of a select menu: plain text only. */
export const menuOption = z.strictObject({ text: plainText(OPTION_TEXT_MAX), ...optionFields });

/** An option of radio buttons or checkboxes: mrkdwn is allowed too. */
export const choiceOption = z.strictObject({
  text: anyText(OPTION_TEXT_MAX),
  value: textOfLength(OPTION_VALUE_MAX),
  description: anyText(OPTION_TEXT_MAX).optional(),
});

/** An option of an overflow menu, which alone may carry an address to open. */
export const overflowOption = z.strictObject({
  text: plainText(OPTION_TEXT_MAX),
  ...optionFields,
  url: openedUrl.optional(),
});

export const optionGroup = z.strictObject({
  label: plainText(OPTION_TEXT_MAX),
  options: z.array(menuOption).min(1).max(SELECT_OPTIONS_MAX),
});

/** Sentences for values that repeat among the options of one menu, with their places. */
export function repeatedValues(options: readonly { value: string }[]): { message: string; index: number }[] {
  const seen = new Set<string>();
  return options.flatMap(({ value }, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ message: `option value "${value}" already exists`, index }];
  });
}

/** Title 100 characters, text 300, buttons 30. */
export const confirmationDialog = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});

export const dispatchActionConfig = z.strictObject({
  trigger_actions_on: z
    .array(z.enum(['on_enter_pressed', 'on_character_entered']))
    .min(1)
    .max(2),
});

export const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .refine((filter) => Object.keys(filter).length > 0, { error: 'must have at least one property' });

/** A file that is already in Slack, by id or by address, never both. */
const slackFile = z
  .strictObject({ id: textOfLength(255).optional(), url: loadedUrl.optional() })
  .refine((file) => (file.id === undefined) !== (file.url === undefined), {
    error: 'must have exactly one of id and url',
  });

/** Where an image's bytes come from: exactly one of the two, which `hasOneImageSource` checks. */
export const imageSourceFields = {
  image_url: loadedUrl.optional(),
  slack_file: slackFile.optional(),
};

export function hasOneImageSource(image: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined);
}

export const ONE_IMAGE_SOURCE = { error: 'must have exactly one of image_url and slack_file' };
