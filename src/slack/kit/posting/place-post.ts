import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { Post } from '../../../sends/posts.ts';
import type { Announcement } from '../../../sends/send.ts';
import { type ApiFailure, LATER_MS, retryAfterOf } from '../../connection/api-error.ts';
import type { Identity } from '../../connection/identity.ts';
import type { LatestUrls } from '../../connection/response-url.ts';
import type { Card } from '../cards/send-card.ts';
import { attempt } from './attempt.ts';
import { findPost } from './find-post.ts';
import type { Pace } from './pace.ts';
import { OPERATOR_LATER_MS, remedyOf } from './remedy.ts';

/** How often a message may be posted without knowing what became of the post before: once, and once more. */
const MOST_POSTS_UNSEEN = 2;

/** What a post is to show now, and where it belongs. */
export interface ToShow {
  /** How the message is known in a channel's history, where that is not the post's mark. */
  readonly markInMessage?: string;
  readonly channelId: string;
  /** The message whose thread it belongs in. */
  readonly threadTs?: string;
  /** In a thread, it shows in the channel as well. */
  readonly broadcast?: true;
  /** Another channel to try before the person. */
  readonly elsewhere?: string;
  /** Who is notified directly where Herald may not post there. */
  readonly userId: string;
  /** It is for who asked: where nobody can be written to, it is said by their response_url. */
  readonly isPersonal?: boolean;
  /** Least time until it is shown anew, in milliseconds. */
  readonly restMs?: number;
  /** It shows what changes without anybody's wish: after so long it is looked at again, in milliseconds. */
  readonly againAfterMs?: number;
  /** What it shows once the store, which would know more, takes nothing any more. */
  readonly stalled?: (place: { readonly direct: boolean }) => Card;
  /** @param place `direct` where it stands elsewhere than in its channel */
  render(place: { readonly direct: boolean }): Card;
}

/** What is given to Slack once, and stands in no message of its own. */
export interface ToGive {
  give(): Promise<Exclude<Placed, { readonly state: 'stands' }>>;
}

export type Placed =
  | { readonly state: 'stands'; readonly place: Announcement }
  /** What is to be known of it is kept as its digest. */
  | { readonly state: 'given'; readonly note: string }
  /** It was said where it cannot be updated: by a response_url. */
  | { readonly state: 'elsewhere' }
  /**
   * To be tried again: Slack is down, slow or said 429; or, with its code as `refusal`, it refuses for a reason that lies
   * neither in the place nor in the message. `lost`: a post was made of which nobody knows whether it stands.
   */
  | {
      readonly state: 'later';
      readonly retryAfterMs: number;
      readonly refusal?: string;
      readonly lost?: true;
    }
  /** Slack refuses for good and there is nowhere else to say it. */
  | { readonly state: 'refused'; readonly reason: string };

export interface PlacingSurroundings extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'chat' | 'conversations'>;
  readonly identity: () => Identity | undefined;
  readonly latestUrls: Pick<LatestUrls, 'tell'>;
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
    const earlier = await findEarlier(post, toShow, surroundings);
    if (earlier.state === 'later') return earlier;
    const found = earlier.state === 'found' && (await update(toShow, earlier, surroundings));
    if (found) return found;
    if (earlier.state === 'unreadable' && posted >= MOST_POSTS_UNSEEN)
      return {
        state: 'refused',
        reason: 'Slack confirmed none of two posts; the channel may show the result',
      };
  }
  return postSomewhere(toShow, surroundings);
}

function findEarlier(
  { mark, since }: Post,
  toShow: ToShow,
  { client, identity, clock, slackClock = clock }: PlacingSurroundings,
) {
  const { channelId, threadTs, markInMessage = mark } = toShow;
  return findPost(client, identity()?.botId, {
    channelId,
    mark: markInMessage,
    since: since + slackClock.now() - clock.now(),
    ...(threadTs !== undefined && { threadTs }),
  });
}

/** Undefined when the message cannot be updated any more and still has to be shown. */
async function update(
  toShow: ToShow,
  { channelId, ts }: Announcement,
  { client, logger }: PlacingSurroundings,
): Promise<Placed | undefined> {
  const card = toShow.render({ direct: channelId !== toShow.channelId });
  const result = await attempt(
    card,
    (body) => client.chat.update({ channel: channelId, ts, ...body }),
    logger,
  );
  if (result.state === 'done') return { state: 'stands', place: { channelId, ts } };
  if (result.state === 'again') return later(result.failure);
  const waiting = remedyOf(result.code) === 'plain_text' ? undefined : whatMayPass(result.code, logger);
  if (waiting === undefined)
    logger.info({ code: result.code }, 'a message could not be updated and is posted anew');
  return waiting;
}

async function postSomewhere(toShow: ToShow, surroundings: PlacingSurroundings): Promise<Placed> {
  const { channelId, elsewhere, userId, isPersonal } = toShow;
  const inChannel = await postTo(channelId, toShow, surroundings);
  if (inChannel.state !== 'refused') return inChannel;
  surroundings.logger.info({ reason: inChannel.reason }, 'a message is posted elsewhere than in its channel');
  const nearby = elsewhere === undefined ? inChannel : await postTo(elsewhere, toShow, surroundings);
  const direct = nearby.state === 'refused' ? await postTo(userId, toShow, surroundings) : nearby;
  if (direct.state !== 'refused' || !isPersonal) return direct;
  const isSaid = await surroundings.latestUrls.tell(userId, toShow.render({ direct: true }));
  return isSaid ? { state: 'elsewhere' } : direct;
}

async function postTo(
  channel: string,
  toShow: ToShow,
  { client, pace, logger }: PlacingSurroundings,
): Promise<Placed> {
  const { channelId, threadTs, broadcast } = toShow;
  const isThere = channel === channelId;
  const reply = broadcast ? { reply_broadcast: broadcast } : {};
  const thread = isThere && threadTs !== undefined ? { thread_ts: threadTs, ...reply } : {};
  const how = { unfurl_links: false, unfurl_media: false, ...thread };
  await pace.turn(channel);
  const result = await attempt(
    toShow.render({ direct: !isThere }),
    (body) => client.chat.postMessage({ channel, ...body, ...how }),
    logger,
  );
  if (result.state === 'done')
    // A direct message's channel is known from the answer only.
    return { state: 'stands', place: { channelId: result.channelId ?? channel, ts: result.ts ?? '' } };
  if (result.state === 'refused')
    return whatMayPass(result.code, logger) ?? { state: 'refused', reason: result.code };
  if (result.failure.kind === 'rate_limited') pace.rest(channel, result.failure.retryAfterMs);
  return { ...later(result.failure), ...(result.failure.kind === 'ambiguous' && { lost: true }) };
}

/** A refusal that another place would not change. */
function whatMayPass(code: string, logger: PlacingSurroundings['logger']): Placed | undefined {
  const remedy = remedyOf(code);
  if (remedy === 'elsewhere') return undefined;
  if (remedy !== 'operator') return { state: 'later', retryAfterMs: LATER_MS, refusal: code };
  logger.error({ code }, 'Slack no longer lets Herald post; check SLACK_BOT_TOKEN and the app’s scopes');
  return { state: 'later', retryAfterMs: OPERATOR_LATER_MS };
}

function later(failure: ApiFailure): Extract<Placed, { state: 'later' }> {
  return { state: 'later', retryAfterMs: retryAfterOf(failure) };
}
