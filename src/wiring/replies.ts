import type { Configuration } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { decodeWebhook } from '../gateway/webhooks/decode.ts';
import { answerWebhook, WEBHOOK_PATH } from '../http/webhooks.ts';
import type { Alerts } from '../sends/alerts/service.ts';
import type { AudienceStore } from '../sends/audience.ts';
import type { Lease } from '../sends/lease.ts';
import type { SendStore } from '../sends/ports.ts';
import type { ReplyStore } from '../sends/replies/ports.ts';
import { createReplies, type Replies } from '../sends/replies/service.ts';
import type { Send } from '../sends/send.ts';
import type { InputAttempts } from '../sends/set-aside.ts';
import type { Sharing } from '../sends/sharing.ts';
import type { SlackApp } from '../slack/app.ts';
import { createReplyAnnouncer } from '../slack/replies/announcer.ts';
import type { Metrics } from '../telemetry/metrics.ts';

interface ReplyDependencies {
  readonly configuration: Configuration;
  readonly store: SendStore;
  readonly replyStore: ReplyStore;
  readonly inputs: InputAttempts;
  readonly audienceStore: AudienceStore;
  readonly lease: Lease;
  readonly sharing: Sharing;
  readonly client: SlackApp['client'];
  readonly refresh: (send: Send) => Promise<void>;
  readonly alerts: Pick<Alerts, 'answered'>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/** What the messaging service posts back, from its address to the thread of the send that it belongs to. */
export function wireReplies(dependencies: ReplyDependencies): Replies {
  const { configuration, store, replyStore, audienceStore, alerts } = dependencies;
  const { channel, stopWords } = configuration.team.webhooks;
  return createReplies({
    ...dependencies,
    store: replyStore,
    sends: store,
    audiences: audienceStore,
    decode: decodeWebhook,
    stopWords,
    onAlertAnswered: async (alertId, event) => {
      if (event.kind === 'text') await alerts.answered(alertId, event.from, event.text);
      if (event.kind === 'reply') await alerts.answered(alertId, event.from, event.title ?? '');
    },
    announcer: createReplyAnnouncer({ ...dependencies, channel }),
  });
}

export function webhookRoutes(
  { environment, team }: Configuration,
  replies: Replies,
  metrics: Metrics,
  logger: Logger,
) {
  const { WEBHOOK_TOKEN: token, WEBHOOK_HEADER_SECRET: secret } = environment;
  const { secretHeader, allowFrom, proxies } = team.webhooks;
  const handler = answerWebhook({
    token,
    ...(secret !== undefined && { header: { name: secretHeader, secret } }),
    allowFrom,
    proxies,
    receive: replies.receive,
    onRefused: (reason) => metrics.webhookReceived(`refused_${reason}`),
    logger,
  });
  return { [WEBHOOK_PATH]: { POST: handler } };
}
