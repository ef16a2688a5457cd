import { systemClock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import { systemRandom } from '../../src/core/random.ts';
import { TIMEOUTS } from '../../src/gateway/client.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { wireSchema } from '../../src/gateway/wire.ts';
import { createDispatcher } from '../../src/sends/dispatch/dispatcher.ts';
import type { Pace } from '../../src/sends/dispatch/limiter.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { createClearWay } from '../fakes/sends.ts';
import { SMS_PACE } from './plan.ts';

export const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
};

export async function openStores(url: string): Promise<Stores> {
  const stores = await openPostgresStores(url, {
    observer: UNOBSERVED,
    clock: systemClock,
    random: systemRandom,
    logger: silent,
  });
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

/** What a Herald process sends with: the real gateway towards `serviceUrl`, and the real dispatcher. */
export function createDispatching(
  { sends, lease, sharing }: Pick<Stores, 'sends' | 'lease' | 'sharing'>,
  serviceUrl: string,
  pace: Pace,
) {
  const gateway = createGateway({
    baseUrl: serviceUrl,
    flashUrl: serviceUrl,
    apiKey: 'chaos-key-0123456789',
    wire: wireSchema.parse({}),
    timeouts: TIMEOUTS,
    onRequest: () => {},
    connections: pace.concurrency,
    clock: systemClock,
    logger: silent,
  });
  const dispatcher = createDispatcher({
    ...createClearWay(),
    store: sends,
    lease,
    channels: sharing.channels,
    gateway,
    pacing: { chatapp: pace, rcs: pace, sms: SMS_PACE, flash: pace },
    clock: systemClock,
    random: systemRandom,
    logger: silent,
    stopping: new AbortController().signal,
  });
  return { gateway, dispatcher };
}
