import type { KnownBlock } from '@slack/types';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { ServiceTerms } from '../../../messages/service-terms.ts';
import { segmentsRange } from '../../../messages/sms/segments.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { unescapeEntities } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { actions, button, plainText } from '../blocks/blocks.ts';
import { unknownEmojiNote } from '../message-text/emoji.ts';
import { asRecipient, type List, shownRow } from './list-values.ts';
import { valueAt } from './path.ts';

const PREVIEW = 'preview';
export const NEXT_ROW_ACTION = 'next_row';
const NOTHING_TO_SHOW = 'What the recipient will read appears here while you type.';

/**
 * What the recipient will read, as far as the form is filled in, and for SMS how many parts it takes. All of it
 * is plain text: nothing that was typed can mention anybody. No blocks before a template is chosen. Of a list, it is
 * what one recipient will read, and a button shows the next.
 */
export function previewBlocks(
  kind: MessageKind,
  template: Template | undefined,
  values: unknown,
  { list, terms }: { readonly list?: List | undefined; readonly terms?: ServiceTerms | undefined } = {},
): KnownBlock[] {
  if (KINDS[kind].templateChannel !== undefined && template === undefined) return [];
  const {
    text,
    segments: ofOne,
    spaceLeft,
  } = KINDS[kind].preview(list ? asRecipient(values, list) : values, template, terms);
  const segments = list && ofOne !== undefined ? segmentsOf(values, list) : ofOne;
  const shown = text.trim() === '' ? NOTHING_TO_SHOW : text;
  return [
    ...line('title', list ? previewTitle(list) : 'Preview'),
    { type: 'section', block_id: `${PREVIEW}:text`, text: plainText(shown, LIMITS.sectionText) },
    ...(list ? nextRow(list) : []),
    ...line('emoji', unknownEmojiNote(text)),
    ...line('space', spaceLeft),
    ...line('segments', segments),
  ];
}

function line(name: string, text: string | undefined): KnownBlock[] {
  if (text === undefined) return [];
  const elements = [plainText(text, LIMITS.sectionText)];
  return [{ type: 'context', block_id: `${PREVIEW}:${name}`, elements }];
}

function segmentsOf(values: unknown, { audience, sample }: List): string {
  const typed = valueAt(values, 'text');
  const rows = sample.map((row) => row.values);
  const range = segmentsRange(typeof typed === 'string' ? typed : '', audience.columns, rows);
  return sample.length < audience.counts.valid ? `${range}, in the first ${sample.length} rows` : range;
}

/** The same blocks with other parts in the place of those they have; a part is named by what the ids of its blocks begin with. */
export function withParts<Block extends { readonly block_id?: string }>(
  blocks: readonly Block[],
  parts: Readonly<Record<string, readonly KnownBlock[]>>,
): (Block | KnownBlock)[] {
  const left = new Map(Object.entries(parts));
  return blocks.flatMap((block): (Block | KnownBlock)[] => {
    const [name = '', rest] = block.block_id?.split(':', 2) ?? [];
    if (rest === undefined || !Object.hasOwn(parts, name)) return [asSent(block)];
    const part = left.get(name) ?? [];
    left.delete(name);
    return [...part];
  });
}

/**
 * Slack gives the texts of a view back escaped: sent as they came, they would be shown so. The input that had the cursor at
 * first must not take it from the one that is typed into.
 */
function asSent<Block>(block: Block): Block {
  return JSON.parse(JSON.stringify(block), (key, part) => {
    if (key === 'focus_on_load') return undefined;
    return part?.type === 'plain_text' ? { ...part, text: unescapeEntities(part.text) } : part;
  });
}

/** Whom the preview is for. */
function previewTitle(list: List): string {
  const row = shownRow(list);
  if (row === undefined) return 'Preview';
  const who = `row ${row.row.toLocaleString('en')} (${maskNumber(row.number)})`;
  const rows = typeof list.review === 'object' ? list.review.rows : [];
  const cause = rows.find((one) => one.row === row.row)?.what;
  return cause === undefined
    ? `Preview, as ${who} will read it`
    : `Preview of ${who}, which is left out. ${cause}`;
}

/** Steps through the first rows of a list. */
function nextRow({ sample, place = 0 }: List): KnownBlock[] {
  if (sample.length < 2) return [];
  const next = String((place + 1) % sample.length);
  return actions([button(NEXT_ROW_ACTION, 'Next row', next)], `${PREVIEW}:next`);
}
