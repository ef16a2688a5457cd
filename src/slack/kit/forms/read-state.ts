import type { ViewErrorsResponseAction, ViewOutput, ViewStateValue } from '@slack/bolt';
import type { Block } from '@slack/types';
import type { Issue } from '../../../messages/submission.ts';
import { withEmoji } from '../message-text/emoji.ts';
import { isWithin, parseBlockId, putAt } from './path.ts';

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

/**
 * Leaves a submitted form open, with what is wrong under its fields, by the ids of the blocks it really shows. Slack drops
 * an error with an unknown id without a word, so an issue whose field is not shown stands under the nearest one that is: a
 * field below its path, else one beside it below the nearest parent, else the first input.
 *
 * Empty only when there are no issues or the view has no input at all.
 */
export function errors(
  issues: readonly Issue[],
  { blocks }: { readonly blocks: readonly Pick<Block, 'type' | 'block_id'>[] },
): ViewErrorsResponseAction {
  const inputs = blocks.flatMap((block) =>
    block.type === 'input' && block.block_id !== undefined
      ? [{ blockId: block.block_id, path: parseBlockId(block.block_id).path }]
      : [],
  );
  const sentences = new Map<string, Set<string>>();
  for (const issue of issues) {
    const place = nearest(issue.path, inputs);
    if (place === undefined) continue;
    sentences.set(place, (sentences.get(place) ?? new Set()).add(issue.message));
  }
  const said = [...sentences].map(([blockId, all]) => [blockId, [...all].join(' ')]);
  return { response_action: 'errors', errors: Object.fromEntries(said) };
}

function nearest(path: string, inputs: readonly { blockId: string; path: string }[]): string | undefined {
  const exact = inputs.find((input) => input.path === path);
  if (exact) return exact.blockId;
  const segments = path.split('.');
  for (let length = segments.length; length >= 0; length -= 1) {
    const ancestor = segments.slice(0, length).join('.');
    const found = inputs.find((input) => isWithin(input.path, ancestor));
    if (found) return found.blockId;
  }
  return undefined;
}
