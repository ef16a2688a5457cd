import type { webApi } from '@slack/bolt';
import type { Surroundings } from '../../core/surroundings.ts';
import type { AlertAnnouncer } from '../../sends/alerts/ports.ts';
import type { Identity } from '../connection/identity.ts';
import type { Placing } from '../kit/posting/placing.ts';
import { alertCard, digestCard, holdCard } from './card.ts';
import { createReactions } from './reactions.ts';

interface AlertAnnouncerDependencies extends Surroundings {
  readonly placing: Placing;
  readonly identity: () => Identity | undefined;
  readonly client: Pick<webApi.WebClient, 'reactions'>;
}

/**
 * Announces alerts in their threads and by a reaction to their messages, and in the channel what is held. There is nobody
 * else to tell.
 */
export function createAlertAnnouncer(dependencies: AlertAnnouncerDependencies): AlertAnnouncer {
  const { placing, identity } = dependencies;
  const react = createReactions(dependencies);
  const herald = () => identity()?.botUserId ?? '';
  return {
    announce: async (report, card) => {
      const { alert } = report;
      const againAfterMs = await react(alert);
      const placed = await placing.place({
        mark: alert.id,
        sendId: alert.id,
        since: alert.receivedAt,
        at: card,
        channelId: alert.channelId,
        threadTs: alert.threadTs,
        userId: herald(),
        render: () => alertCard(report),
      });
      return { ...placed, againAfterMs };
    },
    announceHold: (rule, hold, over) =>
      placing.place({
        mark: `${hold.id}-${over ? 'digest' : 'hold'}`,
        sendId: hold.id,
        since: hold.since,
        at: undefined,
        channelId: rule.channel,
        userId: herald(),
        render: () => (over ? digestCard(rule, hold) : holdCard(rule, hold)),
      }),
  };
}
