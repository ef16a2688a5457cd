import type { StateValues } from '../protocol.ts';
import { elementsOf, flattenBlocks, type Json } from './block-identity.ts';

/**
 * What the inputs of a view or a message hold, the way Slack keeps it: by block_id and action_id, one value
 * object an element, `null` where nothing is filled in.
 * Source: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload
 */

/** By element type: where the value object keeps the value, and where the element keeps its initial one. */
const VALUE_FIELDS: Record<string, { value: string; initial: string }> = {
  plain_text_input: { value: 'value', initial: 'initial_value' },
  email_text_input: { value: 'value', initial: 'initial_value' },
  url_text_input: { value: 'value', initial: 'initial_value' },
  number_input: { value: 'value', initial: 'initial_value' },
  rich_text_input: { value: 'rich_text_value', initial: 'initial_value' },
  static_select: { value: 'selected_option', initial: 'initial_option' },
  external_select: { value: 'selected_option', initial: 'initial_option' },
  users_select: { value: 'selected_user', initial: 'initial_user' },
  conversations_select: { value: 'selected_conversation', initial: 'initial_conversation' },
  channels_select: { value: 'selected_channel', initial: 'initial_channel' },
  radio_buttons: { value: 'selected_option', initial: 'initial_option' },
  multi_static_select: { value: 'selected_options', initial: 'initial_options' },
  multi_external_select: { value: 'selected_options', initial: 'initial_options' },
  multi_users_select: { value: 'selected_users', initial: 'initial_users' },
  multi_conversations_select: { value: 'selected_conversations', initial: 'initial_conversations' },
  multi_channels_select: { value: 'selected_channels', initial: 'initial_channels' },
  checkboxes: { value: 'selected_options', initial: 'initial_options' },
  datepicker: { value: 'selected_date', initial: 'initial_date' },
  timepicker: { value: 'selected_time', initial: 'initial_time' },
  datetimepicker: { value: 'selected_date_time', initial: 'initial_date_time' },
  file_input: { value: 'files', initial: 'initial_files' },
};

/** Elements whose empty value is an empty list rather than null. */
const LISTS = new Set(
  Object.keys(VALUE_FIELDS).filter(
    (type) => type.startsWith('multi_') || type === 'checkboxes' || type === 'file_input',
  ),
);

/** An element that holds a value, with the block it stands in. */
export interface StatefulElement {
  blockId: string;
  actionId: string;
  type: string;
  block: Json;
  element: Json;
}

export function statefulElements(blocks: readonly unknown[]): StatefulElement[] {
  return flattenBlocks(blocks).flatMap((block) =>
    elementsOf(block)
      .filter((element) => String(element.type) in VALUE_FIELDS)
      .map((element) => ({
        blockId: String(block.block_id),
        actionId: String(element.action_id),
        type: String(element.type),
        block,
        element,
      })),
  );
}

/**
 * The state of `blocks` given what was held before: an element with the same block_id, action_id and type keeps
 * its value, any other starts with its initial one. That is why a changed block_id makes Slack forget.
 */
export function stateOf(blocks: readonly unknown[], held: StateValues = {}): StateValues {
  const values: StateValues = {};
  for (const input of statefulElements(blocks)) {
    const before = held[input.blockId]?.[input.actionId];
    const row = values[input.blockId] ?? {};
    row[input.actionId] = before?.type === input.type ? normalised(input, before) : initialValue(input);
    values[input.blockId] = row;
  }
  return values;
}

/** The filled-in part of an element's value object; null or an empty list when there is none. */
export function heldValue(input: StatefulElement, values: StateValues): unknown {
  const field = VALUE_FIELDS[input.type]?.value ?? 'value';
  return values[input.blockId]?.[input.actionId]?.[field];
}

/** Whether an input counts as not filled in. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function initialValue(input: StatefulElement): Json {
  const fields = VALUE_FIELDS[input.type];
  if (fields === undefined) return { type: input.type };
  return normalised(input, { type: input.type, [fields.value]: input.element[fields.initial] });
}

/** Slack's form of a value object: nothing but its own field, and null (or []) for nothing. */
function normalised(input: StatefulElement, value: Json): Json {
  const field = VALUE_FIELDS[input.type]?.value ?? 'value';
  const held = value[field];
  const empty = LISTS.has(input.type) ? [] : null;
  const timezone =
    input.type === 'timepicker' && input.element.timezone ? { timezone: input.element.timezone } : {};
  return { type: input.type, [field]: isEmpty(held) ? empty : held, ...timezone };
}
