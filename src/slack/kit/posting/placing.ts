import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { AnnounceResult } from '../../../sends/announcer.ts';
import type { Announcement } from '../../../sends/send.ts';
import { type ApiFailure, LATER_MS, retryAfterOf } from '../../connection/api-error.ts';
import type { Identity } from '../../connection/identity.ts';
import type { LatestUrls } from '../../connection/response-url.ts';
import type { Card } from '../cards/send-card.ts';
import { attempt } from './attempt.ts';
import { type EarlierPost, findPost } from './find-post.ts';
import { createPace } from './pace.ts';
import { OPERATOR_LATER_MS, remedyOf } from './remedy.ts';

/** How often a message may be posted without knowing what became of the post before: once, and once more. */
const MOST_POSTS_UNSEEN = 2;
const REMEMBER_MS = 24 * 60 * 60_000;
const REMEMBERED = 10_000;

/** A message that is to stand in Slack once, and to show what it is asked to. */
interface Placement {
  /** Stands in the message and in no other: how an earlier post of it is known again. */
  readonly mark: string;
  readonly sendId: string;
  /** When what it tells of began; it was not posted before. */
  readonly since: number;
  /** Where it stands, as far as is known. */
  readonly at: Announcement | undefined;
  /** Where it belongs. */
  readonly channelId: string;
  /** The message whose thread it belongs in. */
  readonly threadTs?: string;
  /** In a thread, it shows in the channel as well. */
  readonly broadcast?: true;
  /** Another channel to try before the person. */
  readonly elsewhere?: string;
  /** Who is told directly where Herald may not post there. */
  readonly userId: string;
  /** It is for who asked: where nobody can be written to, it is said by their response_url. */
  readonly isPersonal?: boolean;
  /** @param direct true where it stands elsewhere than in its channel */
  render(place: { readonly direct: boolean }): Card;
}

export interface Placing {
  /** Updates the message, or posts it where it does not stand yet. Never rejects. */
  place(placement: Placement): Promise<AnnounceResult>;
  /** Undefined when the message is not there any more, or cannot be updated. */
  update(placement: Placement, at: Announcement): Promise<AnnounceResult | undefined>;
}

interface PlacingDependencies extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'chat' | 'conversations'>;
  readonly identity: () => Identity | undefined;
  readonly latestUrls: Pick<LatestUrls, 'tell'>;
  /** Absent: as ours. */
  readonly slackClock?: Clock;
  /** True for the first of all processes that posts the message of a mark. */
  readonly claimPost: (mark: string) => Promise<boolean>;
}

/**
 * Puts messages into channels and keeps each the only one. Where Herald may not post, the person who asked is told
 * directly, and where that is closed, too, by the response_url of what they did last.
 *
 * An update can be repeated freely. A post cannot: Slack knows no key by which to drop a repetition, so nothing
 * is repeated by the client, and after a post whose answer was lost the channel's history is read first (where
 * the app was given the scope to). Without that scope one more post is made, once Slack answers again; a second
 * card of the same send is better than none, a third is not.
 */
export function createPlacing(dependencies: PlacingDependencies): Placing {
  const { client, identity, latestUrls, claimPost, clock, slackClock = clock, logger } = dependencies;
  const startedAt = clock.now();
  const pace = createPace(clock);
  const lostPosts = createExpiringMap<number>(REMEMBER_MS, REMEMBERED, clock);
  /** Marks that no other process posted before this one. */
  const own = createExpiringMap<true>(REMEMBER_MS, REMEMBERED, clock);
  /** Where messages stand: the store may not have taken that, or whoever asks may have read it before. */
  const placed = createExpiringMap<Announcement>(REMEMBER_MS, REMEMBERED, clock);

  async function place(placement: Placement): Promise<AnnounceResult> {
    const { at, mark } = placement;
    const here = placed.get(mark);
    for (const one of at?.ts === here?.ts ? [at] : [at, here]) {
      const known = one && (await update(placement, one));
      if (known) return known;
    }
    const result = await placeAnew(placement);
    if (result.state === 'posted') placed.set(mark, result);
    return result;
  }

  async function placeAnew(placement: Placement): Promise<AnnounceResult> {
    const { mark, since } = placement;
    const earlier: EarlierPost = (await isNew(mark, since))
      ? { state: 'absent' }
      : await findPost(client, identity()?.botId, {
          ...placement,
          since: since + slackClock.now() - clock.now(),
        });
    if (earlier.state === 'later') return earlier;
    const found = earlier.state === 'found' && (await update(placement, earlier));
    if (found) return found;
    if (earlier.state === 'unreadable' && (lostPosts.get(mark) ?? 0) >= MOST_POSTS_UNSEEN) {
      return {
        state: 'refused',
        reason: 'Slack confirmed none of two posts; the channel may show the result',
      };
    }
    return post(placement);
  }

  /** True when a message with this mark cannot stand in Slack yet. */
  async function isNew(mark: string, since: number): Promise<boolean> {
    if (lostPosts.get(mark) !== undefined || since < startedAt) return false;
    if (own.get(mark)) return true;
    // Another process may have begun to post it, and died before it could say where.
    const isFirst = await claimPost(mark).catch(() => false);
    if (isFirst) own.set(mark, true);
    return isFirst;
  }

  /** Undefined when the message cannot be updated any more and still has to be said. */
  async function update(placement: Placement, at: Announcement): Promise<AnnounceResult | undefined> {
    const card = placement.render({ direct: at.channelId !== placement.channelId });
    const result = await attempt(
      card,
      (body) => client.chat.update({ channel: at.channelId, ts: at.ts, ...body }),
      logger,
    );
    if (result.state === 'done') return { state: 'posted', channelId: at.channelId, ts: at.ts };
    if (result.state === 'again') return later(result.failure);
    const { sendId } = placement;
    const waiting = remedyOf(result.code) === 'plain_text' ? undefined : whatMayPass(result.code);
    if (waiting) return waiting;
    logger.info({ sendId, code: result.code }, 'a result could not be updated and is posted anew');
    return undefined;
  }

  async function post(placement: Placement): Promise<AnnounceResult> {
    const { channelId, elsewhere, userId, sendId, isPersonal } = placement;
    const inChannel = await postTo(channelId, placement, false);
    if (inChannel.state !== 'refused') return inChannel;
    logger.info({ sendId, reason: inChannel.reason }, 'a result is told elsewhere than in its channel');
    const nearby = elsewhere === undefined ? inChannel : await postTo(elsewhere, placement, true);
    const direct = nearby.state === 'refused' ? await postTo(userId, placement, true) : nearby;
    if (direct.state !== 'refused' || !isPersonal) return direct;
    const isTold = await latestUrls.tell(userId, placement.render({ direct: true }));
    return isTold ? { state: 'elsewhere' } : direct;
  }

  async function postTo(channel: string, placement: Placement, direct: boolean): Promise<AnnounceResult> {
    const { mark, channelId, broadcast } = placement;
    const threadTs = channel === channelId ? placement.threadTs : undefined;
    await pace.turn(channel);
    const how = { unfurl_links: false, unfurl_media: false };
    const reply = broadcast ? { reply_broadcast: broadcast } : {};
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs, ...reply };
    const result = await attempt(
      placement.render({ direct }),
      (body) => client.chat.postMessage({ channel, ...body, ...how, ...thread }),
      logger,
    );
    if (result.state === 'done') {
      // A direct message's channel is known from the answer only.
      return { state: 'posted', channelId: result.channelId ?? channel, ts: result.ts ?? '' };
    }
    if (result.state === 'again') {
      if (result.failure.kind === 'rate_limited') pace.rest(channel, result.failure.retryAfterMs);
      if (result.failure.kind === 'ambiguous') lostPosts.set(mark, (lostPosts.get(mark) ?? 0) + 1);
      return later(result.failure);
    }
    return whatMayPass(result.code) ?? { state: 'refused', reason: result.code };
  }

  /** A refusal that another place would not change. */
  function whatMayPass(code: string): AnnounceResult | undefined {
    const remedy = remedyOf(code);
    if (remedy === 'elsewhere') return undefined;
    if (remedy !== 'operator') return { state: 'later', retryAfterMs: LATER_MS, refusal: code };
    logger.error(
      { code },
      'Slack no longer lets Herald post; check SLACK_BOT_TOKEN and the app\u2019s scopes',
    );
    return { state: 'later', retryAfterMs: OPERATOR_LATER_MS };
  }

  return { place, update };
}

function later(failure: ApiFailure): AnnounceResult {
  return { state: 'later', retryAfterMs: retryAfterOf(failure) };
}
