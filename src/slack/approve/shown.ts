import type { types } from '@slack/bolt';
import type { Message } from '../../messages/message.ts';
import { columnsUsed, personalise, personalTexts } from '../../messages/personalise.ts';
import { maskNumber } from '../../messages/phone-number.ts';
import type { Template } from '../../messages/template.ts';
import type { RecipientRow, Send } from '../../sends/send.ts';
import { messageBlocks } from '../announce/message-blocks.ts';
import { showInvisible } from '../blocks/escape.ts';
import { LIMITS } from '../blocks/limits.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { piecesOf, type Room } from '../blocks/room.ts';
import { shown } from '../progress/words.ts';

/* What is sent and to whom, as somebody sees it who has to decide. */

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

/** The message as the first of the sample reads it, with everything that it leads to. */
export function shownMessage(
  { send, template, sample }: ShownFacts,
  room: Room,
): readonly types.KnownBlock[] {
  const [first] = sample;
  const message = messageBlocks(asRead(send, first), template, room);
  return message.length === 0 ? [] : [context(readerLine(send, first)), ...message];
}

function readerLine({ survey }: Send, row: RecipientRow | undefined): string {
  if (row === undefined) return 'The message as it was written; nobody is left to send it to:';
  const texts = survey?.texts;
  const among =
    texts === undefined || (texts.count === 1 && !texts.more)
      ? ''
      : `, one of ${texts.more ? 'more than ' : ''}${shown(texts.count)} different texts`;
  return `What row ${shown(row.row)}, ${maskNumber(row.number)}, will read${among}:`;
}

/** Some of the recipients, masked, each with all that the message takes of its row. */
export function shownRecipients({ send, sample }: ShownFacts, room: Room): readonly types.KnownBlock[] {
  const all = send.audience?.columns ?? [];
  const used = [...new Set(personalTexts(send.message).flatMap(columnsUsed))];
  const lines = sample.flatMap((recipient) => {
    const values = used.map((column) => {
      const value = recipient.values?.[all.indexOf(column)] ?? '';
      return showInvisible(`${column}: ${value}`);
    });
    const line = recipientLine(send, recipient);
    const length = values.reduce((sum, value) => sum + value.length + 1, line.length);
    return room.take(length) ? [lineElements(line, values)] : [];
  });
  if (lines.length === 0) return [];
  const where = send.survey === undefined ? '' : ', from all over the list';
  return [section(`*Some of the recipients*${where}`), { type: 'rich_text', elements: lines.flat() }];
}

function recipientLine({ survey }: Send, { row, number }: RecipientRow): string {
  const why = survey?.rows.find((one) => one.row === row)?.why;
  const mark = why === undefined ? '' : `, the ${why}`;
  return `Row ${shown(row)}, ${maskNumber(number)}${mark}`;
}

function lineElements(line: string, values: readonly string[]): types.RichTextBlock['elements'] {
  const heading = { type: 'rich_text_section', elements: [{ type: 'text', text: line }] } as const;
  if (values.length === 0) return [{ ...heading, elements: [...heading.elements] }];
  const pieces = piecesOf(values.join('\n'), LIMITS.sectionText);
  return [
    { ...heading, elements: [...heading.elements] },
    { type: 'rich_text_quote', elements: pieces.map((text) => ({ type: 'text', text })) },
  ];
}
