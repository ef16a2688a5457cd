import type { types } from '@slack/bolt';
import type { Attachment } from '../../../messages/kinds/kind.ts';
import { kindOf, type Message } from '../../../messages/kinds.ts';
import { HIDDEN_PASSWORD } from '../../../messages/templates/preview.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Send } from '../../../sends/send.ts';
import { escapeMrkdwn, showInvisible } from '../../connection/escape.ts';
import { LIMITS, piecesOf, truncate } from '../../connection/limits.ts';
import { newBlock } from '../../connection/new-blocks.ts';
import { context, type Room } from '../blocks/blocks.ts';
import { unknownEmojiNote } from '../message-text/emoji.ts';
import { oneLine } from './words.ts';

/*
 * A message as its reader gets it, for whoever has to answer for it. All of it stands in rich text, where nothing in it
 * can format, notify or vanish; a long text goes on in the next block.
 */

/** Characters of a message's text that are shown in one line. */
const ONE_LINE = 150;

/**
 * The message's text, and whole below it everything that it carries or leads to; see `Room` for what does not fit.
 *
 * @param asSeen shows images themselves, above the text, and what stands for a button in a box; none of it does anything
 */
export function messageBlocks(
  message: Message,
  template: Template | undefined,
  room: Room,
  { asSeen }: { readonly asSeen: boolean } = { asSeen: false },
): readonly types.KnownBlock[] {
  const kind = kindOf(message);
  const text = kind.text(message, template);
  if (text === undefined) return [hiddenNote()];
  const pieces = piecesOf(showInvisible(text), LIMITS.sectionText);
  const carried = kind
    .attachments(message)
    .filter(({ label, value }) => room.take(label.length + showInvisible(value).length));
  const lines = carried.map(({ label, value }) => attachmentLine(label, showInvisible(value)));
  const images = asSeen ? pictures(carried) : [];
  // A text with a hole in it would read as another one.
  const end = pieces.findIndex(({ length }) => !room.take(length));
  const buttons = asSeen ? (kind.buttonLines?.(message) ?? []).map(showInvisible) : [];
  const texts = (end < 0 ? pieces : pieces.slice(0, end)).map((piece) => quote(piece, buttons));
  const note = unknownEmojiNote(text);
  return [
    ...images,
    ...texts,
    ...(lines.length === 0 ? [] : [{ type: 'rich_text' as const, elements: lines }]),
    ...(note === undefined ? [] : [context(escapeMrkdwn(note))]),
  ];
}

/** The beginning of its text, in one line; all of it stands in the record. */
export function messageInShort(message: Message, template: Template | undefined): types.KnownBlock[] {
  const text = kindOf(message).text(message, template);
  if (text === undefined) return [hiddenNote()];
  const line = truncate(showInvisible(oneLine(text)), ONE_LINE);
  return line === '' ? [] : [quote(line)];
}

function hiddenNote(): types.ContextBlock {
  return context('The text is not shown: it holds a one-time password.');
}

/** Under words that are not certainly those that were asked for. */
export function wordsNote(
  { template: kept }: Pick<Send, 'template'>,
  template: Template | undefined,
): readonly types.KnownBlock[] {
  if (template === undefined || kept !== undefined) return [];
  return [
    context(
      'Herald did not keep the text of this template when this was asked for; this is the catalogue’s text of today.',
    ),
  ];
}

/** In words, as far as they are known; a one-time password is covered. Untrusted. */
export function messageText(message: Message, template: Template | undefined): string {
  return kindOf(message).text(message, template) ?? HIDDEN_PASSWORD;
}

/** Shows pictures as a phone does: the cards of a carousel side by side. */
export function pictures(carried: readonly Attachment[]): types.KnownBlock[] {
  const images = carried.filter(({ media }) => media?.type === 'image' || media?.type === 'card');
  const older = images.map((one) => ({ ...pictureOf(one), type: 'image' as const }));
  const isCarousel = images.length > 1 && images.length <= LIMITS.carouselCards;
  if (!isCarousel) return older;
  const elements = images.map((one) => {
    const title = { type: 'mrkdwn', text: escapeMrkdwn(one.label), verbatim: true };
    return { type: 'card', hero_image: pictureOf(one), title };
  });
  return [newBlock({ type: 'carousel', elements }, older)];
}

function pictureOf({ label, value }: Attachment): types.ImageElement & { image_url: string } {
  return { type: 'image', image_url: value, alt_text: label };
}

/** A text as it is, in which nothing can format or notify; what stands for a button has a box. */
export function quote(text: string, buttons: readonly string[] = []): types.RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_quote', elements: withButtons(text, buttons) }],
  };
}

function withButtons(text: string, buttons: readonly string[]): types.RichTextText[] {
  if (buttons.length === 0) return [{ type: 'text', text }];
  return text
    .split(/(\n)/)
    .filter(Boolean)
    .map((line) => ({ type: 'text', text: line, ...(buttons.includes(line) && { style: { code: true } }) }));
}

function attachmentLine(label: string, value: string): types.RichTextSection {
  return {
    type: 'rich_text_section',
    elements: [
      { type: 'text', text: `${label}: `, style: { bold: true } },
      ...piecesOf(value, LIMITS.sectionText).map(
        (text) => ({ type: 'text', text, style: { code: true } }) as const,
      ),
    ],
  };
}
