import { answerSecrets } from '../gateway/secrets.ts';
import { decodeWebhook } from '../gateway/webhooks/decode.ts';
import { failureOf } from '../gateway/webhooks/delivery-report.ts';
import { USUAL_SIGNATURE } from '../gateway/webhooks/mapping.ts';
import { answerWebhook, WEBHOOK_PATH } from '../http/webhooks.ts';
import { createReplies, type Replies } from '../sends/replies/service.ts';
import { MESSAGE_AWAITED_MS, messagePlace } from '../slack/alerts/signal-message.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import { createReplyAnnouncer } from '../slack/replies/announcer.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

interface ReplyDependencies extends Foundation, Pick<Services, 'alerts'> {
  readonly client: SlackClient['client'];
}

/** Takes the webhooks of the messaging service, from its address to the thread of the send that it belongs to. */
export function wireReplies(dependencies: ReplyDependencies): Replies {
  const { configuration, stores, alerts } = dependencies;
  const { inputs, lease, sharing } = stores;
  const { senders, webhooks, wire } = configuration.team;
  const { channel, stopWords } = webhooks;
  const secrets = answerSecrets(configuration.environment.MESSAGING_API_KEY);
  const smsNumbers = senders.sms.map(({ id }) => `+${id.replaceAll(/\D/g, '')}`);
  const announcer = createReplyAnnouncer({
    ...dependencies,
    channel,
    addressFields: wire.terms.addressFields,
  });
  const ours = new Set<string>([...senders.chatapp.map(({ number }) => number), ...smsNumbers]);
  return createReplies({
    ...dependencies,
    store: stores.replies,
    sends: stores.sends,
    audiences: stores.audiences,
    inputs,
    lease,
    sharing,
    decode: (body) => decodeWebhook(body, secrets, ours, configuration.team.defaults.country, wire.webhooks),
    failureOf,
    stopWords,
    notices: stores.notices,
    onAlertAnswered: async (alertId, event) => {
      if (event.kind === 'text') await alerts.answered(alertId, event.from, event.text);
      if (event.kind === 'reply') await alerts.answered(alertId, event.from, event.title ?? '');
    },
    announcer: {
      announce: async (events, send) => {
        const alert = send?.origin.alert;
        if (send === undefined || alert === undefined) return announcer.announce(events, send);
        const asked = { channelId: send.origin.channelId, ts: alert.threadTs };
        const place = await messagePlace(asked, stores.alerts);
        if (place === 'waiting') return { state: 'later', retryAfterMs: MESSAGE_AWAITED_MS };
        const { alert: _, ...origin } = send.origin;
        const at = place === 'nowhere' ? {} : { alert: { ...alert, threadTs: place.threadTs } };
        return announcer.announce(events, { ...send, origin: { ...origin, ...at } });
      },
    },
  });
}

export function webhookRoutes(replies: Replies, foundation: Foundation) {
  const { configuration, metrics } = foundation;
  const { environment, team } = configuration;
  const { WEBHOOK_TOKEN, WEBHOOK_TOKEN_OLD, WEBHOOK_HEADER_SECRET: secret, WEBHOOK_SECRET } = environment;
  const { methods, verify, signature = USUAL_SIGNATURE } = team.wire.webhooks;
  const { secretHeader, allowFrom, proxies } = team.webhooks;
  const handler = answerWebhook({
    ...foundation,
    tokens: [WEBHOOK_TOKEN, WEBHOOK_TOKEN_OLD].filter((token) => token !== undefined),
    ...(secret !== undefined && { header: { name: secretHeader, secret } }),
    methods,
    verify,
    ...(WEBHOOK_SECRET !== undefined && { signature: { ...signature, secret: WEBHOOK_SECRET } }),
    allowFrom,
    proxies,
    receive: replies.receive,
    onRefused: (reason) => metrics.webhookReceived(`refused_${reason}`),
  });
  const isRead = methods.includes('GET') || verify !== undefined;
  return { [WEBHOOK_PATH]: { POST: handler, ...(isRead && { GET: handler }) } };
}
