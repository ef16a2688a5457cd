import type { webApi } from '@slack/bolt';
import type { Surroundings } from '../../core/surroundings.ts';
import type { AddressTable } from '../../messages/address/message.ts';
import { isTooOld } from '../../sends/refused-posts.ts';
import type { ReplyAnnounceResult, ReplyAnnouncer, StoredCustomerEvent } from '../../sends/replies/ports.ts';
import type { Announcement, Origin, Send } from '../../sends/send.ts';
import { retryAfterOf } from '../connection/api-error.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import type { Card } from '../kit/cards/send-card.ts';
import { attempt } from '../kit/posting/attempt.ts';
import { OPERATOR_LATER_MS, remedyOf } from '../kit/posting/remedy.ts';
import { ADDRESSES_SHOWN, addressesCard } from './address-card.ts';
import { type AnswersOptions, answerControls, answersCard } from './card.ts';

/** A send's message may still be on its way to Slack when the first answer is here. */
const WAIT_FOR_MESSAGE_MS = 60_000;
const LATER_MS = 2_000;

interface ReplyAnnouncerDependencies extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'chat'>;
  /** `webhooks.channel` of herald.yml: where answers go that belong to no send. */
  readonly channel: string | undefined;
  readonly addressFields: AddressTable;
}

interface Place {
  readonly channel: string;
  readonly thread_ts?: string;
}

/**
 * Posts answers in the thread of the message that tells of their send; where that cannot be, in its channel, and where
 * Herald may not post there either, to who asked for it.
 */
export function createReplyAnnouncer(dependencies: ReplyAnnouncerDependencies): ReplyAnnouncer {
  const { client, channel, addressFields, clock, logger } = dependencies;
  /** The first event of the post whose answer was lost, to know it again. */
  let unsure: number | undefined;
  /** What was told last: it comes again when the store did not take that. */
  let last: Extract<ReplyAnnounceResult, { state: 'announced' }> | undefined;

  async function announce(
    events: readonly StoredCustomerEvent[],
    send: Send | undefined,
  ): Promise<ReplyAnnounceResult> {
    const [first] = events;
    if (first === undefined) return { state: 'announced', eventIds: [] };
    if (last?.eventIds.includes(first.id)) return last;
    const isFresh = clock.now() - first.receivedAt < WAIT_FOR_MESSAGE_MS;
    const isTold = send?.announcement !== undefined || send?.origin.alert !== undefined;
    if (send !== undefined && !isTold && isFresh) return later(LATER_MS);
    const { told, card } = chosen(events, send, addressFields);
    let refusal = 'webhooks.channel is not set in herald.yml';
    let mayPass = false;
    for (const place of placesFor(send, channel)) {
      const result = await post(place, card(place), first.id);
      if (result.state === 'announced') {
        // A conversation with who is on call is the alert’s.
        const isAnswerable = send?.origin.alert === undefined && result.place !== undefined;
        last = { state: 'announced', eventIds: told, ...(isAnswerable && { place: result.place }) };
        return last;
      }
      if (result.state === 'later') return result;
      refusal = result.reason;
      mayPass ||= remedyOf(refusal) === 'later';
    }
    // Refused everywhere, and not because of the places: for a day it is worth waiting.
    if (mayPass && !isTooOld(first.receivedAt, clock.now())) return later(OPERATOR_LATER_MS);
    return { state: 'refused', reason: refusal };
  }

  async function post(place: Place, card: Card, firstId: number): Promise<ReplyAnnounceResult> {
    const how = { ...place, unfurl_links: false, unfurl_media: false };
    const call = (body: Card) => client.chat.postMessage({ ...body, ...how } as PostArguments);
    const result = await attempt(card, call, logger);
    if (result.state === 'done') {
      const { ts, channelId = place.channel } = result;
      const at = ts && { place: { channelId, ts, threadTs: place.thread_ts ?? ts } };
      return { state: 'announced', eventIds: [], ...at };
    }
    if (result.state === 'refused') {
      if (remedyOf(result.code) !== 'operator') return { state: 'refused', reason: result.code };
      logger.error({ code: result.code }, 'Slack no longer lets Herald post; answers wait');
      return later(OPERATOR_LATER_MS);
    }
    const { failure } = result;
    if (failure.kind === 'ambiguous') {
      // An answer that stands there twice is better than one that nobody sees; a third is not.
      if (unsure === firstId) return { state: 'announced', eventIds: [] };
      unsure = firstId;
    }
    return later(retryAfterOf(failure));
  }

  return { announce };
}

type PostArguments = Parameters<webApi.WebClient['chat']['postMessage']>[0];

function later(retryAfterMs: number): ReplyAnnounceResult {
  return { state: 'later', retryAfterMs };
}

/** One message holds one table: addresses are told by themselves. */
function chosen(events: readonly StoredCustomerEvent[], send: Send | undefined, addressFields: AddressTable) {
  const addresses = events
    .flatMap((one) => (one.event.kind === 'address' ? [{ ...one, event: one.event }] : []))
    .slice(0, ADDRESSES_SHOWN);
  const others = events.filter(({ event }) => event.kind !== 'address');
  const areAddresses = events[0]?.event.kind === 'address';
  const told = areAddresses ? addresses : others;
  return {
    told: told.map(({ id }) => id),
    card: (place: Place): Card => {
      const options = optionsFor(place, told, send);
      return areAddresses
        ? addressesCard(
            addresses.map(({ event }) => event),
            addressFields,
            options,
          )
        : answersCard(others, options);
    },
  };
}

function optionsFor(
  { thread_ts }: Place,
  told: readonly StoredCustomerEvent[],
  send: Send | undefined,
): AnswersOptions {
  const controls = send?.origin.alert === undefined ? answerControls(told) : [];
  if (send === undefined) return { controls, note: 'Herald found no send that this answers.' };
  const isFirst = told.some(({ first }) => first);
  return {
    controls,
    ...(isFirst && { tag: send.origin.userId }),
    ...(thread_ts === undefined && {
      note: `An answer to the send with reference ${escapeMrkdwn(send.id)}.`,
    }),
  };
}

/** What answers a customer stands in their thread already, and so does what comes back. */
function threadOf({ channelId, ts }: Announcement, origin: Origin): string {
  return channelId === origin.channelId ? (origin.threadTs ?? ts) : ts;
}

function placesFor(send: Send | undefined, channel: string | undefined): readonly Place[] {
  if (send === undefined) return channel === undefined ? [] : [{ channel }];
  const { announcement, origin } = send;
  const { channelId, threadTs } = origin;
  if (origin.alert !== undefined) return [{ channel: origin.channelId, thread_ts: origin.alert.threadTs }];
  return [
    ...(announcement ? [{ channel: announcement.channelId, thread_ts: threadOf(announcement, origin) }] : []),
    { channel: channelId, ...(threadTs !== undefined && { thread_ts: threadTs }) },
    { channel: origin.userId },
  ];
}
