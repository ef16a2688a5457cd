import type { AddressTable } from '../../messages/address/message.ts';
import { messagePlace } from '../../sends/alerts/signal.ts';
import type { RefusedPosts } from '../../sends/refused-posts.ts';
import type { ReplyStore, StoredCustomerEvent } from '../../sends/replies/ports.ts';
import type { Send } from '../../sends/send.ts';
import { describeError } from '../connection/api-error.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { context } from '../kit/blocks/blocks.ts';
import type { Card } from '../kit/cards/send-card.ts';
import type { Renderer } from '../kit/posting/outbox.ts';
import { AFTER_ANOTHER, marked, type ToShow } from '../kit/posting/place-post.ts';
import type { SlackServices } from '../kit/services.ts';
import { addressesCard, answerControls, answersCard } from './card.ts';

/** A send's message may still be on its way to Slack when the first answer is here. */
const WAIT_FOR_MESSAGE_MS = 60_000;

interface ReplySources extends Pick<SlackServices, 'store' | 'alertStore' | 'clock' | 'logger'> {
  readonly replyStore: Pick<ReplyStore, 'shownBy' | 'leaveOut'>;
  readonly refusedPosts: RefusedPosts;
  /** `webhooks.channel` of herald.yml: where answers go that belong to no send. */
  readonly channel: string | undefined;
  readonly addressFields: AddressTable;
}

/**
 * Answers of customers, once: in the thread of the message of their send; where that cannot be, in its channel, and where
 * Herald may not post there either, to who asked for it. What cannot be put into words holds up no other.
 */
export function renderReplies(sources: ReplySources): Renderer {
  const { replyStore, store, channel, addressFields, refusedPosts, logger } = sources;

  function isShowable(events: readonly StoredCustomerEvent[], send: Send | undefined): boolean {
    try {
      cardOf(events, send, undefined, addressFields);
      return true;
    } catch (error) {
      const eventIds = events.map(({ id }) => id);
      logger.warn({ eventIds, error: describeError(error) }, 'answers could not be put into words');
      return false;
    }
  }

  async function showableOf(mark: string, send: Send | undefined): Promise<readonly StoredCustomerEvent[]> {
    const events = await replyStore.shownBy(mark);
    if (isShowable(events, send)) return events;
    const odd = events.filter((event) => !isShowable([event], send));
    for (const { id } of odd)
      refusedPosts.add({ mark, eventId: String(id) }, 'an answer could not be put into words');
    await replyStore.leaveOut(odd.map(({ id }) => id));
    return events.filter((event) => !odd.includes(event));
  }

  return async ({ mark, subject, since }) => {
    const send = subject === '' ? undefined : await store.find(subject);
    const events = await showableOf(mark, send);
    if (events.length === 0) return 'nothing';
    const places =
      send === undefined ? channel && { channelId: channel } : await placesOf(send, since, sources);
    if (places === 'waiting') return AFTER_ANOTHER;
    if (!places) {
      logger.warn({ mark }, 'answers to no send stay stored: webhooks.channel is not set in herald.yml');
      return 'nothing';
    }
    return {
      ...places,
      // A conversation with who is on call is the alert’s.
      isConversation: send?.origin.alert === undefined,
      render: ({ threadTs }) => marked(cardOf(events, send, threadTs, addressFields), mark),
    };
  };
}

/** @param since when the first of the answers came */
async function placesOf(
  { announcement, origin }: Send,
  since: number,
  { alertStore, clock }: ReplySources,
): Promise<Pick<ToShow, 'channelId' | 'threadTs' | 'elsewhere' | 'userId'> | 'waiting'> {
  const { channelId, threadTs, userId, alert } = origin;
  // Herald itself asks for what a rule sends, and is nobody to write to.
  const asked = { channelId, threadTs, ...(alert === undefined && { userId }) };
  // An answer to a customer stands in their thread already, and so does theirs to it.
  const begun = announcement?.channelId === channelId ? threadTs : undefined;
  const known = announcement && { ...announcement, threadTs: begun ?? announcement.ts };
  const isFresh = clock.now() - since < WAIT_FOR_MESSAGE_MS;
  const place = alert
    ? await messagePlace({ channelId, ts: alert.threadTs }, alertStore)
    : (known ?? (isFresh ? 'waiting' : 'nowhere'));
  if (place === 'waiting') return place;
  if (place === 'nowhere') return asked;
  return {
    ...asked,
    channelId: place.channelId,
    threadTs: place.threadTs,
    elsewhere: { channelId, threadTs },
  };
}

function cardOf(
  events: readonly StoredCustomerEvent[],
  send: Send | undefined,
  threadTs: string | undefined,
  addressFields: AddressTable,
): Card {
  const note =
    send === undefined
      ? 'Herald found no send that this answers.'
      : threadTs === undefined && `An answer to the send with reference ${escapeMrkdwn(send.id)}.`;
  const tag = events.some(({ first }) => first) ? send?.origin.userId : undefined;
  const addresses = events.flatMap(({ event }) => (event.kind === 'address' ? [event] : []));
  const { text, blocks } =
    addresses.length > 0 ? addressesCard(addresses, addressFields, tag) : answersCard(events, tag);
  const controls = send?.origin.alert === undefined ? answerControls(events) : [];
  return { text, blocks: [...blocks, ...controls, ...(note ? [context(note)] : [])] };
}
