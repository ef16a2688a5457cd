import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { SendStore, Settlement } from '../ports.ts';
import type { StoreTrouble } from '../store-trouble.ts';
import { retryUntilStored } from './retry-until-stored.ts';

/** Outcomes are committed in groups, at most this often: a commit for each would cost most of the throughput. */
const COMMIT_EVERY_MS = 20;

export interface Settling {
  /** Resolves once the outcome is on disk, or Herald stopped before the store accepted it. */
  settle(settlement: Settlement): Promise<void>;
}

interface SettlingDependencies {
  readonly store: Pick<SendStore, 'settle'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly storeTrouble?: StoreTrouble;
  /** Called for each send of a group that was written. */
  readonly onProgress?: (sendId: string) => void;
}

export function createSettling(dependencies: SettlingDependencies): Settling {
  const { store, clock, onProgress } = dependencies;
  let waiting: Settlement[] = [];
  let group: Promise<void> | undefined;
  let committedAt = Number.NEGATIVE_INFINITY;

  async function commit(): Promise<void> {
    const sinceMs = clock.monotonic() - committedAt;
    // Even the first waits for a microtask, so that all recipients of one request are committed together.
    await (sinceMs < COMMIT_EVERY_MS ? clock.sleep(COMMIT_EVERY_MS - sinceMs) : Promise.resolve());
    const settlements = waiting;
    waiting = [];
    group = undefined;
    committedAt = clock.monotonic();
    await retryUntilStored(() => store.settle(settlements), dependencies);
    if (onProgress === undefined) return;
    for (const sendId of new Set(settlements.map((settlement) => settlement.sendId))) onProgress(sendId);
  }

  return {
    settle: (settlement) => {
      waiting.push(settlement);
      group ??= commit();
      return group;
    },
  };
}
