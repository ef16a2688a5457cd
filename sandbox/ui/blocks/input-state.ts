import type { StateValues } from '../../protocol.ts';
import type { Block, Element, Option, Value } from './types.ts';

/**
 * How each element keeps its value: the key of Slack's value object, and what it holds when nobody touched it.
 * Elements that are not here (buttons, overflow menus, images) have no state.
 */
const VALUE_KEYS: Readonly<Record<string, { key: string; initial: (element: Element) => unknown }>> = {
  plain_text_input: { key: 'value', initial: (element) => element.initial_value || null },
  email_text_input: { key: 'value', initial: (element) => element.initial_value || null },
  url_text_input: { key: 'value', initial: (element) => element.initial_value || null },
  number_input: { key: 'value', initial: (element) => element.initial_value || null },
  rich_text_input: { key: 'rich_text_value', initial: (element) => element.initial_value ?? null },
  static_select: { key: 'selected_option', initial: (element) => element.initial_option ?? null },
  external_select: { key: 'selected_option', initial: (element) => element.initial_option ?? null },
  radio_buttons: { key: 'selected_option', initial: (element) => element.initial_option ?? null },
  multi_static_select: { key: 'selected_options', initial: (element) => element.initial_options ?? [] },
  multi_external_select: { key: 'selected_options', initial: (element) => element.initial_options ?? [] },
  checkboxes: { key: 'selected_options', initial: (element) => element.initial_options ?? [] },
  users_select: { key: 'selected_user', initial: (element) => element.initial_user ?? null },
  multi_users_select: { key: 'selected_users', initial: (element) => element.initial_users ?? [] },
  channels_select: { key: 'selected_channel', initial: (element) => element.initial_channel ?? null },
  multi_channels_select: { key: 'selected_channels', initial: (element) => element.initial_channels ?? [] },
  conversations_select: {
    key: 'selected_conversation',
    initial: (element) => element.initial_conversation ?? null,
  },
  multi_conversations_select: {
    key: 'selected_conversations',
    initial: (element) => element.initial_conversations ?? [],
  },
  datepicker: { key: 'selected_date', initial: (element) => element.initial_date ?? null },
  timepicker: { key: 'selected_time', initial: (element) => element.initial_time ?? null },
  datetimepicker: { key: 'selected_date_time', initial: (element) => element.initial_date_time ?? null },
  file_input: { key: 'files', initial: () => [] },
};

/** The element's value object holding `content`, as Slack writes it for this type of element. */
export function valueObject(element: Element, content: unknown): Value {
  const known = VALUE_KEYS[element.type];
  return known ? { type: element.type, [known.key]: content } : { type: element.type };
}

/** What the value object holds: a text, an option, a list of ids… */
export function contentOf(element: Element, value: Value | undefined): unknown {
  const known = VALUE_KEYS[element.type];
  return known ? value?.[known.key] : undefined;
}

function hasState(element: Element): boolean {
  return element.type in VALUE_KEYS;
}

/** Every element of the blocks that holds a value, with its address. */
function statefulElements(
  blocks: readonly Block[],
): { blockId: string; actionId: string; element: Element }[] {
  return blocks.flatMap((block) => {
    const inside = [
      block.type === 'input' ? block.element : undefined,
      block.type === 'section' ? block.accessory : undefined,
      ...(block.type === 'actions' ? (block.elements ?? []) : []),
    ];
    return inside
      .filter((element) => element !== undefined)
      .filter(hasState)
      .map((element) => ({ blockId: block.block_id ?? '', actionId: element.action_id ?? '', element }));
  });
}

/**
 * What the inputs hold once these blocks are shown. As in Slack, a value lives under block_id and action_id: an
 * element with the same two ids (and type) keeps what the person entered; any other takes what the workspace
 * knows of it, and otherwise its initial value.
 *
 * @param held what the inputs of this view held so far on this page
 * @param stored what the workspace holds for the view, for a page that was just opened
 */
export function stateFor(blocks: readonly Block[], held: StateValues, stored: StateValues): StateValues {
  const values: StateValues = {};
  for (const { blockId, actionId, element } of statefulElements(blocks)) {
    const kept = [held[blockId]?.[actionId], stored[blockId]?.[actionId]].find((value) =>
      fits(element, value),
    );
    const known = kept ?? valueObject(element, VALUE_KEYS[element.type]?.initial(element));
    values[blockId] = { ...values[blockId], [actionId]: known };
  }
  return values;
}

/** A value of another type, or an option that the element no longer offers, is no value of this element. */
function fits(element: Element, value: Value | undefined): boolean {
  if (value?.type !== element.type) return false;
  const offered = offeredOptions(element);
  const chosen = contentOf(element, value);
  if (!offered || chosen === null || chosen === undefined) return true;
  const options = (Array.isArray(chosen) ? chosen : [chosen]) as Option[];
  return options.every((option) => offered.some((one) => one.value === option.value));
}

/** The options of an element that lists them itself; undefined for one that asks for them. */
function offeredOptions(element: Element): Option[] | undefined {
  if (element.option_groups) return element.option_groups.flatMap((group) => group.options);
  return element.options;
}
