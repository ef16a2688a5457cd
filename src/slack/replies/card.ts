import type { types } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { readReplyId } from '../../messages/interactive/message.ts';
import { UNREAD_STOP } from '../../messages/stop-words.ts';
import type { CustomerEvent } from '../../sends/replies/event.ts';
import type { StoredCustomerEvent } from '../../sends/replies/ports.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { truncate } from '../connection/limits.ts';
import { actions, button, context, mention } from '../kit/blocks/blocks.ts';
import { answerControl, masked, whose } from '../kit/cards/answer-control.ts';
import type { Card } from '../kit/cards/send-card.ts';

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

export interface AnswersOptions {
  /** Tagged, because it is the first that is told of their send. */
  readonly tag?: string;
  /** Buttons below it. */
  readonly controls?: readonly KnownBlock[];
  /** What stands below where the message is in no thread of the send. */
  readonly note?: string;
}

/**
 * Answers of customers as one message, in rich text, where nothing that they wrote can format or notify. Numbers are
 * masked, those that they wrote themselves too. What is not shown one by one stays in the record and in the tally.
 */
export function answersCard(events: readonly StoredCustomerEvent[], options: AnswersOptions): Card {
  const shown = choose(events);
  const share = Math.floor(SHOWN_IN_ALL / shown.length) - AROUND;
  const most = events.length === 1 ? SHOWN_ALONE : Math.min(SHOWN_AMONG_OTHERS, share);
  const tag: Inline[] = options.tag === undefined ? [] : [{ type: 'user', user_id: options.tag }, text(' ')];
  const left = events.length - shown.length;
  const elements = shown.flatMap((event, index) => elementsOf(event, most, index === 0 ? tag : []));
  const rest = left === 0 ? [] : [lineOf([text(restSentence(events, shown))])];
  return {
    text: fallbackText(shown, left, options.tag),
    blocks: [
      { type: 'rich_text', elements: [...elements, ...rest] },
      ...(options.controls ?? []),
      ...(options.note === undefined ? [] : [context(options.note)]),
    ],
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
    : `${whose(event)} asked for no more messages and is on the opt-out list now.`;
}

/** What the customer read on the button; where the service does not say, its id without Herald's reference. */
function titleOf(event: Extract<CustomerEvent, { kind: 'reply' }>): string {
  const { title, description } = event;
  const chosen = title ?? readReplyId(event.replyId).id;
  return description === undefined ? chosen : `${chosen} (${description})`;
}

function unknownSentence(event: Extract<CustomerEvent, { kind: 'unknown' }>, who: string): string {
  if (!event.readable)
    return 'The messaging service sent something that Herald cannot read. It is kept; it begins:';
  const from = event.from === undefined ? '' : ` about ${who}`;
  return `The messaging service sent something${from} that Herald has no name for. It is kept; it says:`;
}

function restSentence(events: readonly StoredCustomerEvent[], shown: readonly StoredCustomerEvent[]): string {
  const counts = new Map<string, number>();
  for (const event of events.filter((one) => !shown.includes(one))) {
    const name = event.label ?? 'something else';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].map(([label, count]) => `${masked(label, SHOWN_TITLE)} ${count}`);
  return `… and ${events.length - shown.length} more: ${truncate(parts.join(' · '), 1_000)}`;
}

function text(words: string, style?: { bold?: true; italic?: true }): types.RichTextText {
  return { type: 'text', text: words, ...(style && { style }) };
}

function lineOf(elements: Inline[]): types.RichTextSection {
  return { type: 'rich_text_section', elements };
}

/** The same as sentences: what a notification shows and a screen reader reads. */
function fallbackText(shown: readonly StoredCustomerEvent[], left: number, tag: string | undefined): string {
  const lines = shown.map(({ event, optedOut }) => {
    const who = whose(event);
    const stop = optedOut ? ` ${stopSentence(event)}` : '';
    if (event.kind === 'reply') return `${masked(titleOf(event), SHOWN_TITLE)}, from ${who}.${stop}`;
    if (event.kind === 'text') return `${who} wrote: ${masked(event.text, SHOWN_AMONG_OTHERS)}${stop}`;
    return event.kind === 'address'
      ? `${who} gave an address.`
      : unknownSentence(event, who).replace(/:$/, '.') + stop;
  });
  const more = left === 0 ? [] : [`And ${left} more.`];
  return tagged(tag, [...lines, ...more].join('\n'), 2_800);
}

/** A text as mrkdwn of at most `most` characters, after the mention of whoever is tagged. */
export function tagged(tag: string | undefined, text: string, most: number): string {
  return `${tag === undefined ? '' : `${mention(tag)} `}${escapeMrkdwn(text, most)}`;
}
