import type { types } from '@slack/bolt';
import { columnsUsed } from '../../../messages/columns.ts';
import type { Message } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import { personalise, personalTexts } from '../../../messages/personalise.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { RecipientRow, Send } from '../../../sends/send.ts';
import { showInvisible } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { context, piecesOf, type Room } from '../../kit/blocks/blocks.ts';
import { messageBlocks } from '../../kit/cards/message-blocks.ts';
import { shown } from '../../kit/cards/words.ts';

/* What is sent and to whom, as somebody sees it who has to decide. */

/** Characters of a row's values that stand in its line. */
const SHORT = 60;
const VALUES_APART = ' · ';

/** What of the facts of a send is shown here. */
export interface ShownFacts {
  readonly send: Send;
  readonly template: Template | undefined;
  /** The first of them reads the message as shown. */
  readonly sample: readonly RecipientRow[];
}

/** The message as one recipient reads it, or as it was typed where there is none to be sent to. */
export function asRead(send: Send, row: RecipientRow | undefined): Message {
  return row === undefined
    ? send.message
    : personalise(send.message, send.audience?.columns ?? [], row.values ?? []);
}

/** The message as one of the sample reads it, with everything that it leads to. */
export function shownMessage(
  { send, template, sample }: ShownFacts,
  room: Room,
  { at = 0, asSeen = false } = {},
): readonly types.KnownBlock[] {
  const row = sample[at];
  const message = messageBlocks(asRead(send, row), template, room, { asSeen });
  return message.length === 0 ? [] : [context(readerLine(send, row)), ...message];
}

const CAN_STILL_GO_OUT: ReadonlySet<Send['state']> = new Set([
  ...(['awaiting_approval', 'approved', 'scheduled', 'sending', 'paused'] as const),
]);

function readerLine(send: Send, row: RecipientRow | undefined): string {
  if (row === undefined) return 'The message as it was written; nobody is left to send it to:';
  const reads = CAN_STILL_GO_OUT.has(send.state) ? 'will read' : 'was to read';
  return `What row ${shown(row.row)}, ${maskNumber(row.number)}, ${reads}${amongTexts(send, row)}${alikeMark(send, row)}:`;
}

function amongTexts({ survey }: Send, row: RecipientRow): string {
  const texts = survey?.texts;
  if (texts === undefined || (texts.count === 1 && !texts.more)) return '';
  const which = extremeOf(survey, row) ?? 'one';
  return `, ${which} of ${texts.more ? 'more than ' : ''}${shown(texts.count)} different texts`;
}

function extremeOf(survey: Send['survey'], { row }: RecipientRow): string | undefined {
  const why = survey?.rows.find((one) => one.row === row)?.why;
  return why && `the ${why}`;
}

function alikeMark({ survey }: Send, { row }: RecipientRow): string {
  const alike = survey?.rows.find((one) => one.row === row)?.alike;
  if (alike === undefined) return '';
  return alike === 1 ? ', the only row that says this' : `, one of ${shown(alike)} rows that say this`;
}

/** The others of the sample, the most different first, masked, each with all that the message takes of its row. */
export function shownOthers({ send, sample }: ShownFacts, room: Room): readonly types.KnownBlock[] {
  const all = send.audience?.columns ?? [];
  const used = [...new Set(personalTexts(send.message).flatMap(columnsUsed))];
  const differs = (recipient: RecipientRow) => alikeMark(send, recipient) !== '';
  const [different, usual] = [
    sample.slice(1).filter(differs),
    sample.slice(1).filter((one) => !differs(one)),
  ];
  const lines = [...different, ...usual].flatMap((recipient) => {
    const values = used.map((column) =>
      showInvisible(`${column}: ${recipient.values?.[all.indexOf(column)] ?? ''}`),
    );
    const line = recipientLine(send, recipient);
    const length = values.reduce((sum, value) => sum + value.length + VALUES_APART.length, line.length);
    return room.take(length) ? [lineElements(line, values)] : [];
  });
  if (lines.length === 0) return [];
  return [{ type: 'rich_text', elements: [othersTitle(send), ...lines.flat()] }];
}

function othersTitle({ survey }: Send): types.RichTextSection {
  const first = survey?.different === undefined ? '' : ', the most different first';
  const where = survey === undefined ? ':' : `, from all over the list${first}:`;
  return {
    type: 'rich_text_section',
    elements: [
      { type: 'text', text: 'Other recipients', style: { bold: true } },
      { type: 'text', text: where },
    ],
  };
}

function recipientLine(send: Send, recipient: RecipientRow): string {
  const extreme = extremeOf(send.survey, recipient);
  const mark = extreme === undefined ? '' : `, ${extreme}`;
  return `Row ${shown(recipient.row)}, ${maskNumber(recipient.number)}${mark}${alikeMark(send, recipient)}`;
}

/** What is short stands beside the recipient, anything else below. */
function lineElements(line: string, values: readonly string[]): types.RichTextBlock['elements'] {
  const together = values.join(VALUES_APART);
  if (together.length <= SHORT && !together.includes('\n')) {
    const text = together === '' ? line : `${line} – ${together}`;
    return [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }];
  }
  const pieces = piecesOf(values.join('\n'), LIMITS.sectionText);
  return [
    { type: 'rich_text_section', elements: [{ type: 'text', text: line }] },
    { type: 'rich_text_quote', elements: pieces.map((text) => ({ type: 'text', text })) },
  ];
}
