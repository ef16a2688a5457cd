import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Template } from '../../messages/template.ts';
import type { AnnounceResult, Announcer, TemplateCatalogue } from '../../sends/ports.ts';
import type { Announcement, Send, SendReport } from '../../sends/send.ts';
import type { ApiFailure } from '../connection/api-error.ts';
import { describeError } from '../connection/describe-error.ts';
import { createExpiringMap } from '../connection/expiring-map.ts';
import type { Identity } from '../connection/identity.ts';
import { attempt } from './attempt.ts';
import { type Card, renderCard } from './card.ts';
import { findPost } from './find-post.ts';
import { remedyOf } from './remedy.ts';

/** When Slack gave no usable answer, and did not say how long to wait. */
const LATER_MS = 5_000;
/** While only the operator can put it right, asking often helps nobody. */
const OPERATOR_LATER_MS = 30_000;
/** How often a result may be posted without knowing what became of the post before: once, and once more. */
const MOST_POSTS_UNSEEN = 2;
const REMEMBER_LOST_MS = 24 * 60 * 60_000;
const REMEMBERED_LOST = 10_000;

type AnnouncerClient = Pick<webApi.WebClient, 'chat' | 'conversations'>;

export interface AnnouncerDependencies {
  readonly client: AnnouncerClient;
  readonly catalogue: TemplateCatalogue;
  readonly identity: () => Identity | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Tells of a send in the channel where it was asked for, in one message that is updated in place. Where Herald
 * may not post, the person who asked is told directly.
 *
 * An update can be repeated freely. A post cannot: Slack knows no key by which to drop a repetition, so nothing
 * is repeated by the client, and after a post whose answer was lost the channel's history is read first (where
 * the app was given the scope to). Without that scope one more post is made, once Slack answers again; a second
 * card of the same send is better than none, a third is not.
 */
export function createAnnouncer(dependencies: AnnouncerDependencies): Announcer {
  const { client, catalogue, identity, clock, logger } = dependencies;
  const startedAt = clock.now();
  const lostPosts = createExpiringMap<number>(REMEMBER_LOST_MS, REMEMBERED_LOST, clock);

  async function announce(report: SendReport): Promise<AnnounceResult> {
    const template = await findTemplate(report.send);
    const { announcement } = report.send;
    const known = announcement && (await update(report, template, announcement));
    if (known) return known;
    const earlier = await earlierPost(report.send);
    if (earlier.state === 'later') return earlier;
    const found = earlier.state === 'found' && (await update(report, template, earlier));
    if (found) return found;
    if (earlier.state === 'unreadable' && (lostPosts.get(report.send.id) ?? 0) >= MOST_POSTS_UNSEEN) {
      return {
        state: 'refused',
        reason: 'Slack confirmed none of two posts; the channel may show the result',
      };
    }
    return post(report, template);
  }

  /** What became of an earlier post of this send, where there may have been one. */
  async function earlierPost(send: Send): ReturnType<typeof findPost> {
    const mayExist = lostPosts.get(send.id) !== undefined || send.createdAt < startedAt;
    if (!mayExist) return { state: 'absent' };
    return findPost(client, identity()?.botId, send);
  }

  /** Undefined when the message cannot be updated any more and the result still has to be said. */
  async function update(
    report: SendReport,
    template: Template | undefined,
    at: Announcement,
  ): Promise<AnnounceResult | undefined> {
    const card = renderCard(report, template, { direct: at.channelId !== report.send.origin.channelId });
    const result = await attempt(
      card,
      (body) => client.chat.update({ channel: at.channelId, ts: at.ts, ...body }),
      logger,
    );
    if (result.state === 'done') return { state: 'posted', channelId: at.channelId, ts: at.ts };
    if (result.state === 'again') return later(result.failure);
    if (remedyOf(result.code) === 'operator') return waitForOperator(result.code);
    const { id: sendId } = report.send;
    logger.info({ sendId, code: result.code }, 'a result could not be updated and is posted anew');
    return undefined;
  }

  async function post(report: SendReport, template: Template | undefined): Promise<AnnounceResult> {
    const { channelId, userId } = report.send.origin;
    const inChannel = await postTo(channelId, report.send, renderCard(report, template, { direct: false }));
    if (inChannel.state !== 'refused') return inChannel;
    logger.info(
      { sendId: report.send.id, reason: inChannel.reason },
      'a result is told directly instead of in its channel',
    );
    return postTo(userId, report.send, renderCard(report, template, { direct: true }));
  }

  async function postTo(channel: string, send: Send, card: Card): Promise<AnnounceResult> {
    const result = await attempt(
      card,
      (body) => client.chat.postMessage({ channel, ...body, unfurl_links: false, unfurl_media: false }),
      logger,
    );
    if (result.state === 'done') {
      // A direct message's channel is known from the answer only.
      return { state: 'posted', channelId: result.channelId ?? channel, ts: result.ts ?? '' };
    }
    if (result.state === 'again') {
      if (result.failure.kind === 'ambiguous') lostPosts.set(send.id, (lostPosts.get(send.id) ?? 0) + 1);
      return later(result.failure);
    }
    if (remedyOf(result.code) === 'operator') return waitForOperator(result.code);
    return { state: 'refused', reason: result.code };
  }

  function waitForOperator(code: string): AnnounceResult {
    logger.error(
      { code },
      'Slack no longer lets Herald post; check SLACK_BOT_TOKEN and the app\u2019s scopes',
    );
    return { state: 'later', retryAfterMs: OPERATOR_LATER_MS };
  }

  /** The catalogue only makes the card nicer: without it the template's name is shown. */
  async function findTemplate({ message }: Send): Promise<Template | undefined> {
    if (message.kind !== 'chatapp' && message.kind !== 'rcs') return undefined;
    try {
      return await catalogue.find(message.kind, message.templateName);
    } catch (error) {
      logger.error({ error: describeError(error) }, 'the template catalogue could not be read');
      return undefined;
    }
  }

  return { announce };
}

function later(failure: Exclude<ApiFailure, { kind: 'refused' }>): AnnounceResult {
  return { state: 'later', retryAfterMs: failure.kind === 'rate_limited' ? failure.retryAfterMs : LATER_MS };
}
