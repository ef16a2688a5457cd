import type { ViewOutput, ViewStateValue } from '@slack/bolt';
import { withEmoji } from '../message-text/emoji.ts';
import { parseBlockId, putAt } from './path.ts';

/** The values of a form, by form path. */
export type FormValues = Readonly<Record<string, unknown>>;

/** The choice of a menu by which a person asks for an input to type into; it is no value. No field can have it as one. */
export const OWN_TEXT = '{{}}';

export type StateValues = ViewOutput['state']['values'];

/**
 * A submitted state as one nested value: the input in block `header.link` becomes `{ header: { link } }`.
 * Empty inputs are null. A block with a suffix other than `suffix` was made for something else (another
 * template) and is left out, so its value can never be taken for this one's.
 */
export function readState(values: StateValues, suffix?: string): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [blockId, elements] of Object.entries(values)) {
    const block = parseBlockId(blockId);
    const element = Object.values(elements)[0];
    if (element === undefined || (block.suffix !== undefined && block.suffix !== suffix)) continue;
    putAt(read, block.path, valueIn(element));
  }
  return read;
}

function valueIn(element: ViewStateValue): unknown {
  switch (element.type) {
    case 'static_select':
    case 'external_select':
    case 'radio_buttons': {
      const { value } = element.selected_option ?? {};
      return value === undefined || value === OWN_TEXT ? null : value;
    }
    case 'multi_static_select':
      return (element.selected_options ?? []).flatMap((option) => option.value ?? []);
    case 'checkboxes':
      return (element.selected_options ?? []).length > 0;
    case 'conversations_select':
      return element.selected_conversation ?? null;
    case 'channels_select':
      return element.selected_channel ?? null;
    case 'users_select':
      return element.selected_user ?? null;
    case 'datetimepicker':
      return element.selected_date_time ?? null;
    case 'file_input':
      return element.files ?? [];
    case 'number_input':
      return numberIn(element.value);
    default:
      return typeof element.value === 'string' ? withEmoji(element.value) : null;
  }
}

/** A number where the text is one; else the text itself, so that the schema can say what is wrong with it. */
function numberIn(text: string | null | undefined): number | string | null {
  if (text === undefined || text === null || text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
