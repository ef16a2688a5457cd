import { answerSecrets } from '../gateway/secrets.ts';
import { decodeWebhook } from '../gateway/webhooks/decode.ts';
import { failureOf } from '../gateway/webhooks/delivery-report.ts';
import { USUAL_SIGNATURE } from '../gateway/webhooks/mapping.ts';
import { readSignals } from '../http/alert-bodies.ts';
import { answerWebhook, WEBHOOK_PATH } from '../http/webhooks.ts';
import { createReplies, type Replies } from '../sends/replies/service.ts';
import type { Foundation } from './connections.ts';
import type { Services } from './services.ts';

/** A thousand groups at once, and what an Alertmanager in trouble sends; whoever holds a token must not fill the disk. */
const LIMITS = {
  requests: { most: 1_000, perSecond: 20 },
  bytes: { most: 256 * 1024 ** 2, perSecond: (256 * 1024 ** 2) / 86_400 },
};

/** Takes the webhooks of the messaging service, and finds the send that each belongs to. */
export function wireReplies(dependencies: Foundation & Pick<Services, 'alerts' | 'life'>): Replies {
  const { configuration, stores, alerts, life } = dependencies;
  const { senders, webhooks, wire } = configuration.team;
  const { MESSAGING_API_KEY: key, MESSAGING_FLASH_API_KEY: flashKey = key } = configuration.environment;
  const secrets = answerSecrets([key, flashKey]);
  const smsNumbers = senders.sms.map(({ id }) => `+${id.replaceAll(/\D/g, '')}`);
  const ours = new Set<string>([...senders.chatapp.map(({ number }) => number), ...smsNumbers]);
  return createReplies({
    ...dependencies,
    store: stores.replies,
    sends: stores.sends,
    audiences: stores.audiences,
    inputs: stores.inputs,
    decode: (body) => decodeWebhook(body, secrets, ours, configuration.team.defaults.country, wire.webhooks),
    failureOf,
    stopWords: webhooks.stopWords,
    notices: stores.notices,
    templateSaid: life.said,
    onAlertAnswered: async (alertId, event) => {
      if (event.kind === 'text') await alerts.answered(alertId, event.from, event.text);
      if (event.kind === 'reply') await alerts.answered(alertId, event.from, event.title ?? '');
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

/**
 * `POST /alerts/:token`, for monitoring tools. 200 once every alert of the body is on disk; 400 with a sentence where the body
 * is none that Herald reads, 404 for a wrong token, 503 where it is to be sent again.
 */
export function alertRoutes(
  { alerts }: { readonly alerts: Pick<Services['alerts'], 'report'> },
  foundation: Pick<Foundation, 'configuration' | 'clock' | 'logger'> & {
    readonly metrics: Pick<Foundation['metrics'], 'alertEvent'>;
  },
) {
  const { environment, team } = foundation.configuration;
  // When two sources have the same secret, the first counts.
  const sources = team.alerts.sources.toReversed();
  const tokens = new Map(sources.map((source) => [environment[source.token] ?? '', source]));
  tokens.delete('');
  const handler = answerWebhook({
    ...foundation,
    tokens: [...tokens.keys()],
    allowFrom: [],
    proxies: [],
    limits: LIMITS,
    receive: async ({ bytes }, token) => {
      const source = tokens.get(token);
      const read = readSignals(bytes);
      if (!read.ok) return read.error;
      return source && alerts.report(source, read.value);
    },
    onRefused: (reason) => foundation.metrics.alertEvent(`refused_${reason}`),
  });
  return { '/alerts/:token': { POST: handler } };
}
