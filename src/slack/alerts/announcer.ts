import type { AlertAnnouncer } from '../../sends/alerts/ports.ts';
import type { Identity } from '../connection/identity.ts';
import type { Placing } from '../kit/posting/placing.ts';
import { alertCard, digestCard, holdCard } from './card.ts';

interface AlertAnnouncerDependencies {
  readonly placing: Placing;
  readonly identity: () => Identity | undefined;
}

/** Announces alerts in their threads, and in the channel what is held. */
export function createAlertAnnouncer({ placing, identity }: AlertAnnouncerDependencies): AlertAnnouncer {
  const herald = () => identity()?.botUserId ?? '';
  return {
    announce: (report, card) => {
      const { alert } = report;
      return placing.place({
        mark: alert.id,
        sendId: alert.id,
        since: alert.receivedAt,
        at: card,
        channelId: alert.channelId,
        threadTs: alert.threadTs,
        userId: herald(),
        render: () => alertCard(report),
      });
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
