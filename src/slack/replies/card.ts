import type { types } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { AddressTable } from '../../messages/address/message.ts';
import { readReplyId } from '../../messages/interactive/message.ts';
import { UNREAD_STOP } from '../../messages/stop-words.ts';
import type { AddressEvent, CustomerEvent } from '../../sends/replies/event.ts';
import type { StoredCustomerEvent } from '../../sends/replies/ports.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS, truncate } from '../connection/limits.ts';
import { actions, button, mention, section } from '../kit/blocks/blocks.ts';
import { table } from '../kit/blocks/table.ts';
import { answerControl, masked, whose } from '../kit/cards/answer-control.ts';
import type { Card } from '../kit/cards/send-card.ts';
import { blockText } from '../kit/message-text/block-text.ts';

/** Answers shown one by one in a message; of more, taps are summed up. */
export const LINES_SHOWN = 30;
const SHOWN_ALONE = 2_500;
const SHOWN_AMONG_OTHERS = 250;
const SHOWN_TITLE = 100;
/** Characters for all of them, of the 12,000 that Slack takes, and for what Herald says around each. */
const SHOWN_IN_ALL = 9_000;
const AROUND = 160;

type Inline = types.RichTextElement;

/** Carries the ids of the newest words of each customer. */
export const NO_ANSWER_ACTION = 'answer_none';

/**
 * Answers of customers as one message, in rich text, where nothing that they wrote can format or notify. Numbers are
 * masked, those that they wrote themselves too. What is not shown one by one stays in the record and in the tally.
 *
 * @param tag the person who is mentioned
 */
export function answersCard(events: readonly StoredCustomerEvent[], tag?: string): Card {
  const shown = choose(events);
  const share = Math.floor(SHOWN_IN_ALL / shown.length) - AROUND;
  const most = events.length === 1 ? SHOWN_ALONE : Math.min(SHOWN_AMONG_OTHERS, share);
  const mentioned: Inline[] = tag === undefined ? [] : [{ type: 'user', user_id: tag }, text(' ')];
  const left = events.length - shown.length;
  const elementsAfter = (before: readonly Inline[]) => [
    ...shown.flatMap((event, index) => elementsOf(event, most, index === 0 ? before : [])),
    ...(left === 0 ? [] : [lineOf([text(restSentence(events, shown))])]),
  ];
  return {
    // A notification shows this, and a screen reader reads it.
    text: tagged(tag, blockText({ type: 'rich_text', elements: elementsAfter([]) }, undefined), 2_800),
    blocks: [{ type: 'rich_text', elements: elementsAfter(mentioned) }],
  };
}

/** Buttons that answer these customers, and that say that nobody needs to; the latter where somebody wrote. */
export function answerControls(events: readonly StoredCustomerEvent[]): KnownBlock[] {
  const asked = new Map(
    events.filter(({ askedAt }) => askedAt !== undefined).map((one) => [one.event.from, one.id]),
  );
  const elements = [
    ...answerControl(events),
    ...(asked.size === 0
      ? []
      : [button(NO_ANSWER_ACTION, 'No answer needed', [...asked.values()].join('.'))]),
  ];
  return actions(elements);
}

/** In the order they came; where they are too many, what is counted elsewhere makes room for what people wrote. */
function choose(events: readonly StoredCustomerEvent[]): readonly StoredCustomerEvent[] {
  if (events.length <= LINES_SHOWN) return events;
  const isCounted = ({ event, optedOut }: StoredCustomerEvent) => event.kind === 'reply' && !optedOut;
  const kept = new Set(
    [...events.filter((one) => !isCounted(one)), ...events.filter(isCounted)].slice(0, LINES_SHOWN),
  );
  return events.filter((event) => kept.has(event));
}

function elementsOf(
  { event, optedOut }: StoredCustomerEvent,
  most: number,
  before: readonly Inline[],
): types.RichTextBlockElement[] {
  const who = whose(event);
  const note = optedOut ? [text(` · ${stopSentence(event)}`, { italic: true })] : [];
  switch (event.kind) {
    case 'reply': {
      const chosen = text(`${masked(titleOf(event), SHOWN_TITLE)}`, { bold: true });
      return [lineOf([...before, text('💬 '), chosen, text(` · ${who}`), ...note])];
    }
    case 'text':
      return [
        lineOf([...before, text(`✍️ ${who} wrote:`), ...note]),
        { type: 'rich_text_quote', elements: [text(masked(event.text, most))] },
      ];
    case 'address':
      return [lineOf([...before, text(`🏠 ${who} gave an address.`)])];
    case 'unknown':
      return [
        lineOf([...before, text(unknownSentence(event, who)), ...note]),
        {
          type: 'rich_text_preformatted',
          border: 0,
          elements: [text(masked(event.text, most) || '(nothing)')],
        },
      ];
  }
}

function stopSentence(event: CustomerEvent): string {
  return event.from === undefined
    ? UNREAD_STOP
    : `${whose(event)} asked for no more messages. They are on the opt-out list.`;
}

/** The words that the customer read on the button; where the service does not say, its id without Herald's reference. */
function titleOf(event: Extract<CustomerEvent, { kind: 'reply' }>): string {
  const { title, description } = event;
  const chosen = title ?? readReplyId(event.replyId).id;
  return description === undefined ? chosen : `${chosen} (${description})`;
}

function unknownSentence(event: Extract<CustomerEvent, { kind: 'unknown' }>, who: string): string {
  if (event.sent !== undefined) {
    const caption =
      event.caption === undefined ? '' : `, with the words “${masked(event.caption, SHOWN_TITLE)}”`;
    return `${who} sent ${event.sent}${caption}. As it came:`;
  }
  if (!event.readable)
    return 'The messaging service sent something that Herald cannot read. It is kept; it begins:';
  const from = event.from === undefined ? '' : ` about ${who}`;
  return `The messaging service sent something${from} that Herald has no name for. It is kept; it says:`;
}

function restSentence(events: readonly StoredCustomerEvent[], shown: readonly StoredCustomerEvent[]): string {
  const others = events.filter((one) => !shown.includes(one));
  const byLabel = [...Map.groupBy(others, ({ label = 'something else' }) => label)];
  const parts = byLabel.map(([label, { length }]) => `${masked(label, SHOWN_TITLE)} – ${length}`);
  return `… and ${events.length - shown.length} more: ${truncate(parts.join(' · '), 1_000)}`;
}

function text(words: string, style?: { bold?: true; italic?: true }): types.RichTextText {
  return { type: 'text', text: words, ...(style && { style }) };
}

function lineOf(elements: Inline[]): types.RichTextSection {
  return { type: 'rich_text_section', elements };
}

const SHOWN_VALUE = 200;
const SHOWN_NAME = 60;

/** Addresses as a table: a row a field, a column a customer. Numbers are masked. */
export function addressesCard(addresses: readonly AddressEvent[], labels: AddressTable, tag?: string): Card {
  const names = [...new Set(addresses.flatMap(({ values }) => values.map(({ name }) => name)))];
  const fields = names.slice(0, LIMITS.tableRows);
  const people = addresses.map(whose);
  const room = SHOWN_IN_ALL - fields.length * SHOWN_NAME;
  const most = Math.min(SHOWN_VALUE, Math.floor(room / (fields.length * people.length)));
  const rows = fields.map((name) => [
    labelOf(name, labels),
    ...addresses.map(({ values }) => masked(values.find((field) => field.name === name)?.value ?? '', most)),
  ]);
  const sentence = `🏠 Address from ${people.join(', ')}`;
  const lines = rows.map(([field, ...values]) => `${field}: ${values.join(' | ')}`);
  return {
    text: tagged(tag, [sentence, ...lines].join('\n'), 2_800),
    blocks: [
      section(tagged(tag, sentence, 500)),
      ...table('Addresses', ['Field', ...people], rows, LIMITS.tableRows),
    ],
  };
}

/** The table's display label; a field that it does not have goes by its own name. */
function labelOf(name: string, labels: AddressTable): string {
  const known = Object.hasOwn(labels, name) ? labels[name]?.label : undefined;
  return known ?? masked(name, SHOWN_NAME);
}

/** A text as mrkdwn of at most `most` characters, after the mention of whoever is tagged. */
function tagged(tag: string | undefined, text: string, most: number): string {
  return `${tag === undefined ? '' : `${mention(tag)} `}${escapeMrkdwn(text, most)}`;
}
