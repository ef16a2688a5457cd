import { systemClock } from '../../src/core/clock.ts';
import { createDispatcher } from '../../src/sends/dispatch/dispatcher.ts';
import type { DispatcherDependencies } from '../../src/sends/dispatch/run.ts';
import type { RecipientCounts } from '../../src/sends/send.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { ALONE } from '../../src/store/stores.ts';
import { createRecordingLogger } from './logger.ts';
import { createCountingRandom } from './random.ts';

export const NO_RECIPIENTS: RecipientCounts = {
  pending: 0,
  attempting: 0,
  accepted: 0,
  rejected: 0,
  not_sent: 0,
  unknown: 0,
  skipped: 0,
};

/** For a dispatcher that only its service holds up: no quiet hours, opt-outs or cap, and a store without trouble. */
export function createClearWay() {
  return {
    storeTrouble: createStoreTrouble(),
    quietHours: () => undefined,
    beforeAttempt: async () => new Map(),
    refused: async () => {},
  };
}

type Pacing = DispatcherDependencies['pacing'];

/** The same pace for each channel. */
export function pacingOf(pace: Pacing['sms']): Pacing {
  return { chatapp: pace, rcs: pace, sms: pace, flash: pace };
}

/** A dispatcher over a store and a gateway, for one process without limits; `over` says what is otherwise. */
export function createTestDispatcher(
  over: Pick<DispatcherDependencies, 'store' | 'gateway'> & Partial<DispatcherDependencies>,
) {
  return createDispatcher({
    ...createClearWay(),
    lease: ALONE,
    pacing: pacingOf({ perSecond: 1_000, concurrency: 100 }),
    clock: systemClock,
    random: createCountingRandom(),
    logger: createRecordingLogger(),
    stopping: new AbortController().signal,
    ...over,
  });
}
