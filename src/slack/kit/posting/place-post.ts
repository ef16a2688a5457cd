import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { Post } from '../../../sends/posts.ts';
import type { Announcement } from '../../../sends/send.ts';
import {
  type ApiFailure,
  classifyApiError,
  LATER_MS,
  OPERATOR_LATER_MS,
  remedyOf,
  retryAfterOf,
} from '../../connection/api-error.ts';
import type { Identity } from '../../connection/identity.ts';
import { olderBlocks } from '../../connection/new-blocks.ts';
import type { LatestUrls } from '../../connection/notify-person.ts';
import type { Card } from '../cards/send-card.ts';
import { attempt } from './attempt.ts';
import type { Pace } from './pace.ts';

/** A message may be posted so often without knowing what became of the post before: once, and once more. */
const MOST_POSTS_UNSEEN = 2;
/** Milliseconds before it is asked again whether another message stands. */
const AWAITED_MS = 2_000;

/** Slack's clock and ours may differ; a post is never older than its subject by more than this. */
const CLOCK_MARGIN_SECONDS = 120;
/** The most that one call gives, and that are read: a post stands near the oldest, which come last in a channel. */
const PAGE = 999;
const MOST_PAGES = 10;

/** A channel, and the message in it whose thread is meant. */
interface Spot {
  readonly channelId: string;
  readonly threadTs?: string | undefined;
}

/** The content of a post as it is now, and where it belongs. */
export interface ToShow extends Spot {
  /** The mark of the message in a channel's history, where that is not the post's mark. */
  readonly markInMessage?: string;
  /** In its thread, it shows in the channel as well. */
  readonly broadcast?: true;
  /** Another place to try before the person. */
  readonly elsewhere?: Spot;
  /** This person is notified directly where Herald may not post there; absent: nobody. */
  readonly userId?: string;
  /** People talk with customers below it, or in its thread: which one that is, is noted. */
  readonly isConversation?: boolean;
  /** It is for who asked: where nobody can be written to, it is said by their response_url. */
  readonly isPersonal?: boolean;
  /** It is for whoever runs Herald, who alone can put right that Herald may not post there. */
  readonly isForOperators?: true;
  /** Least time until it is shown anew, in milliseconds. */
  readonly restMs?: number;
  /** It shows what changes without anybody's wish: after so long it is looked at again, in milliseconds. */
  readonly againAfterMs?: number;
  /** The card for when the store, which would know more, takes nothing any more. */
  readonly stalled?: (place: { readonly direct: boolean }) => Card;
  /** @param place `direct` where it stands elsewhere than in its channel; with the thread that it stands in */
  render(place: { readonly direct: boolean; readonly threadTs?: string | undefined }): Card;
}

/** It is given to Slack once, and stands in no message of its own. */
export interface ToGive {
  give(): Promise<Exclude<Placed, { readonly state: 'stands' }>>;
}

/** It waits for another message, in whose thread it belongs. */
export const AFTER_ANOTHER: ToGive = { give: async () => ({ state: 'later', retryAfterMs: AWAITED_MS }) };

export type Placed =
  | { readonly state: 'stands'; readonly place: Announcement & Spot }
  /** It was given to Slack, or said by a response_url: nothing stands there to be updated. The note is kept as its digest. */
  | { readonly state: 'given'; readonly note?: string }
  | Later
  /** Slack refuses for good and there is nowhere else to say it. */
  | { readonly state: 'refused'; readonly reason: string };

/**
 * To be tried again: Slack is down, slow or said 429; or, with its code as `refusal`, it refuses for a reason that lies
 * neither in the place nor in the message. `lost`: a post was made of which nobody knows whether it stands.
 */
interface Later {
  readonly state: 'later';
  readonly retryAfterMs: number;
  readonly refusal?: string;
  readonly lost?: true;
}

export interface PlacingSurroundings extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'chat' | 'conversations'>;
  readonly identity: () => Identity | undefined;
  readonly latestUrls: Pick<LatestUrls, 'say'>;
  /** Absent: as ours. */
  readonly slackClock?: Clock;
  /** Turns to post, by channel. */
  readonly pace: Pace;
}

/**
 * Updates the message of a post, or posts it where it does not stand yet, and keeps it the only one. Never rejects.
 *
 * An update can be repeated freely. A post cannot: Slack knows no key by which to drop a repetition, so nothing is repeated
 * by the client, and after a post whose answer was lost the channel's history is read first (where the app was given the
 * scope to). Without that scope one more post is made, once Slack answers again; a second card of the same send is better
 * than none, a third is not.
 */
export async function placePost(
  post: Post,
  toShow: ToShow,
  surroundings: PlacingSurroundings,
): Promise<Placed> {
  const known = post.place && (await update(toShow, post.place, surroundings));
  if (known) return known;
  const posted = post.lost + post.attempts;
  if (posted > 0) {
    const { client, identity, clock, slackClock = clock } = surroundings;
    const { channelId, threadTs, markInMessage: mark = post.mark } = toShow;
    const since = post.since + slackClock.now() - clock.now();
    const earlier = await findPost(client, identity()?.botId, { channelId, mark, since, threadTs });
    if (earlier.state === 'later') return earlier;
    const found =
      earlier.state === 'found' &&
      (await update(toShow, { channelId, ts: earlier.ts, threadTs }, surroundings));
    if (found) return found;
    if (earlier.state === 'unreadable' && posted >= MOST_POSTS_UNSEEN)
      return {
        state: 'refused',
        reason: 'Slack confirmed none of two posts; the channel may show the result',
      };
  }
  return postSomewhere(toShow, surroundings);
}

/** Undefined when the message cannot be updated any more and still has to be shown. */
async function update(
  toShow: ToShow,
  { channelId, ts, threadTs }: Announcement & Spot,
  { client, logger }: PlacingSurroundings,
): Promise<Placed | undefined> {
  const card = toShow.render({ direct: channelId !== toShow.channelId, threadTs });
  const result = await attempt(
    card,
    (body) => client.chat.update({ channel: channelId, ts, ...body }),
    logger,
  );
  if (result.state === 'done') return { state: 'stands', place: { channelId, ts, threadTs } };
  if (result.failure.kind !== 'refused') return later(result.failure);
  const { code } = result.failure;
  const waiting = remedyOf(code) === 'plain_text' ? undefined : mayPass(code, logger);
  if (waiting === undefined) logger.info({ code }, 'a message could not be updated and is posted anew');
  return waiting;
}

async function postSomewhere(toShow: ToShow, surroundings: PlacingSurroundings): Promise<Placed> {
  const { elsewhere, userId, isPersonal, isForOperators } = toShow;
  const inChannel = await postTo(toShow, toShow, surroundings);
  if (inChannel.state !== 'refused') return inChannel;
  if (isForOperators) return { state: 'later', retryAfterMs: OPERATOR_LATER_MS };
  surroundings.logger.info({ reason: inChannel.reason }, 'a message is posted elsewhere than in its channel');
  const nearby = elsewhere === undefined ? inChannel : await postTo(elsewhere, toShow, surroundings);
  if (nearby.state !== 'refused' || userId === undefined) return nearby;
  const direct = await postTo({ channelId: userId }, toShow, surroundings);
  if (direct.state !== 'refused' || !isPersonal) return direct;
  const { text, blocks } = toShow.render({ direct: true });
  const isSaid = await surroundings.latestUrls.say(userId, { text, blocks: olderBlocks(blocks) });
  return isSaid ? { state: 'given' } : direct;
}

async function postTo(
  { channelId: channel, threadTs }: Spot,
  toShow: ToShow,
  { client, pace, logger }: PlacingSurroundings,
): Promise<Placed> {
  const { channelId, broadcast } = toShow;
  const reply = broadcast ? { reply_broadcast: broadcast } : {};
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs, ...reply };
  const how = { unfurl_links: false, unfurl_media: false, ...thread };
  await pace.turn(channel);
  const result = await attempt(
    toShow.render({ direct: channel !== channelId, threadTs }),
    (body) => client.chat.postMessage({ channel, ...body, ...how }),
    logger,
  );
  if (result.state === 'done') {
    // A direct message's channel is known from the answer only.
    const place = { channelId: result.channelId ?? channel, ts: result.ts ?? '', threadTs };
    return { state: 'stands', place };
  }
  const { failure } = result;
  if (failure.kind === 'refused')
    return mayPass(failure.code, logger) ?? { state: 'refused', reason: failure.code };
  if (failure.kind === 'rate_limited') pace.rest(channel, failure.retryAfterMs);
  return { ...later(failure), ...(failure.kind === 'ambiguous' && { lost: true }) };
}

/** A refusal that another place would not change. */
function mayPass(code: string, logger: PlacingSurroundings['logger']): Placed | undefined {
  const remedy = remedyOf(code);
  if (remedy === 'elsewhere') return undefined;
  if (remedy !== 'operator') return { state: 'later', retryAfterMs: LATER_MS, refusal: code };
  logger.error({ code }, 'Slack no longer lets Herald post; check SLACK_BOT_TOKEN and the app’s scopes');
  return { state: 'later', retryAfterMs: OPERATOR_LATER_MS };
}

function later(failure: ApiFailure): Later {
  return { state: 'later', retryAfterMs: retryAfterOf(failure) };
}

/**
 * Looks in a channel's history, or in a thread, for a message of Herald's own that carries `mark` and was not posted before
 * `since`. Needs the scope channels:history or groups:history. `unreadable`: Slack answers, but this app may not read there, or
 * there is more than it reads.
 */
export async function findPost(
  client: Pick<webApi.WebClient, 'conversations'>,
  botId: string | undefined,
  { channelId, threadTs, mark, since }: Spot & { readonly mark: string; readonly since: number },
): Promise<
  { readonly state: 'found'; readonly ts: string } | { readonly state: 'absent' | 'unreadable' } | Later
> {
  const oldest = String(Math.floor(since / 1000) - CLOCK_MARGIN_SECONDS);
  try {
    let cursor = '';
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const range = { channel: channelId, oldest, limit: PAGE, ...(cursor && { cursor }) };
      const { messages, response_metadata } =
        threadTs === undefined
          ? await client.conversations.history(range)
          : await client.conversations.replies({ ...range, ts: threadTs });
      const post = messages?.find((message) => message.bot_id === botId && carries(message, mark));
      if (post?.ts !== undefined) return { state: 'found', ts: post.ts };
      cursor = response_metadata?.next_cursor ?? '';
      if (cursor === '') return { state: 'absent' };
    }
    return { state: 'unreadable' };
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind !== 'refused') return later(failure);
    const { code: refusal } = failure;
    return remedyOf(refusal) === 'later'
      ? { state: 'later', retryAfterMs: LATER_MS, refusal }
      : { state: 'unreadable' };
  }
}

/** Adds the mark by which a card is known again in the channel. */
export function marked({ text, blocks: [first, ...others] }: Card, mark: string): Card {
  return { text, blocks: first === undefined ? [] : [{ ...first, block_id: mark }, ...others] };
}

function carries(message: { readonly text?: string; readonly blocks?: unknown }, mark: string): boolean {
  return message.text?.includes(mark) === true || JSON.stringify(message.blocks ?? []).includes(mark);
}
