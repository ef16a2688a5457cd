import type { Surroundings } from '../core/surroundings.ts';
import type { AlertSource, Signal } from '../sends/alerts/signal.ts';
import { readSignals } from './alert-bodies.ts';
import type { Handler } from './server.ts';
import { answerWebhook } from './webhooks.ts';

export const ALERTS_PATH = '/alerts/:token';

/** A thousand groups at once, and what an Alertmanager in trouble sends; whoever holds a token must not fill the disk. */
const LIMITS = {
  requests: { most: 1_000, perSecond: 20 },
  bytes: { most: 256 * 1024 ** 2, perSecond: (256 * 1024 ** 2) / 86_400 },
};

interface AlertsOptions extends Surroundings {
  /** With their secret tokens. */
  readonly sources: readonly (AlertSource & { readonly token: string })[];
  /** Stores signals; rejects when it cannot. */
  readonly report: (source: AlertSource, signals: readonly Signal[]) => Promise<void>;
  readonly onRefused: (reason: string) => void;
}

/**
 * `POST /alerts/:token`, for monitoring tools. 200 once every alert of the body is on disk; 400 with a sentence where the body
 * is none that Herald reads, 404 for a wrong token, 503 where it is to be sent again.
 */
export function answerAlerts({ sources, report, ...options }: AlertsOptions): Handler {
  return answerWebhook({
    ...options,
    tokens: sources.map(({ token }) => token),
    allowFrom: [],
    proxies: [],
    limits: LIMITS,
    receive: async ({ bytes }, token) => {
      const source = sources.find((one) => one.token === token);
      const read = readSignals(bytes);
      if (!read.ok) return read.error;
      return source && report(source, read.value);
    },
  });
}
