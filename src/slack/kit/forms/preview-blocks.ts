import type { KnownBlock } from '@slack/types';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { ServiceTerms } from '../../../messages/service-terms.ts';
import { segmentsRange } from '../../../messages/sms/segments.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { showInvisible, unescapeEntities } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { unknownEmojiNote } from '../message-text/emoji.ts';
import { plainText } from './input-block.ts';
import { asFirstRecipient, type List } from './list-values.ts';
import { valueAt } from './path.ts';

const PREVIEW = 'preview';
const NOTHING_TO_SHOW = 'What the recipient will read appears here while you type.';

/**
 * What the recipient will read, as far as the form is filled in, and for SMS how many parts it takes. All of it
 * is plain text: nothing that was typed can mention anybody. No blocks before a template is chosen. Of a list, it is
 * what the first recipient will read.
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
  } = KINDS[kind].preview(list ? asFirstRecipient(values, list) : values, template, terms);
  const segments = list && ofOne !== undefined ? segmentsOf(values, list) : ofOne;
  const shown = text.trim() === '' ? NOTHING_TO_SHOW : showInvisible(text);
  return [
    ...line('title', list ? previewTitle(list) : 'Preview'),
    { type: 'section', block_id: `${PREVIEW}:text`, text: plainText(shown, LIMITS.sectionText) },
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

/** The same blocks with another preview in the place of the one they have. */
export function withPreview<Block extends { readonly block_id?: string }>(
  blocks: readonly Block[],
  preview: readonly KnownBlock[],
): (Block | KnownBlock)[] {
  const isPreview = (block: Block) => block.block_id?.startsWith(`${PREVIEW}:`) === true;
  const place = blocks.findIndex(isPreview);
  if (place < 0) return blocks.map(asSent);
  const rest = blocks.filter((block) => !isPreview(block)).map(asSent);
  return [...rest.slice(0, place), ...preview, ...rest.slice(place)];
}

/** Slack gives the texts of a view back escaped: sent as they came, they would be shown so. */
function asSent<Block>(block: Block): Block {
  return JSON.parse(JSON.stringify(block), (_key, part) =>
    part?.type === 'plain_text' ? { ...part, text: unescapeEntities(part.text) } : part,
  );
}

/** Whom the preview is for. */
function previewTitle({ sample }: List): string {
  const [first] = sample;
  return first === undefined
    ? 'Preview'
    : `Preview, as row ${first.row} (${maskNumber(first.number)}) will read it`;
}
