import { systemClock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import { systemRandom } from '../../src/core/random.ts';
import { TIMEOUTS } from '../../src/gateway/client.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { wireSchema } from '../../src/gateway/wire.ts';
import type { Pace } from '../../src/sends/dispatch/limiter.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { createTestDispatcher, pacingOf } from '../fakes/sends.ts';
import { SMS_PACE } from './plan.ts';

export const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};

/** Joins the replicas that share the database at `url`, as Herald does. */
export async function openStores(url: string, logger = silent): Promise<Stores> {
  const around = { observer: UNOBSERVED, clock: systemClock, random: systemRandom, logger };
  const stores = await openPostgresStores(url, around);
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

/** What a Herald process sends with: the real gateway towards `serviceUrl`, and the real dispatcher. */
export function createDispatching(
  { sends, lease, sharing }: Pick<Stores, 'sends' | 'lease'> & Partial<Pick<Stores, 'sharing'>>,
  serviceUrl: string,
  pace: Pace,
  { smsPace = SMS_PACE, apiKey = 'chaos-key-0123456789', logger = silent } = {},
) {
  const gateway = createGateway({
    ...{ baseUrl: serviceUrl, flashUrl: serviceUrl, apiKey, logger },
    ...{ wire: wireSchema.parse({}), timeouts: TIMEOUTS, onRequest: () => {} },
    ...{ connections: pace.concurrency, clock: systemClock },
  });
  const dispatcher = createTestDispatcher({
    ...{ store: sends, lease, gateway, logger, random: systemRandom },
    channels: sharing?.channels,
    pacing: { ...pacingOf(pace), sms: smsPace },
  });
  return { gateway, dispatcher };
}
