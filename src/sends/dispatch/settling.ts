import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { SendStore, Settlement } from '../ports.ts';
import type { StoreTrouble } from '../store-trouble.ts';
import { retryUntilStored } from './retry-until-stored.ts';

/** Outcomes are written together at most this often: a commit each would cost most of the throughput. */
const COMMIT_EVERY_MS = 20;

export interface Settling {
  /** Resolves once the outcome is on disk, or Herald stopped before the store would take it. */
  settle(settlement: Settlement): Promise<void>;
}

interface SettlingDependencies {
  readonly store: Pick<SendStore, 'settle'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly storeTrouble?: StoreTrouble;
  /** Told of each send of a group that was written. */
  readonly onProgress?: (sendId: string) => void;
}

/** Commits outcomes in groups: the first at once, those that come within 20 ms after it together. */
export function createSettling(dependencies: SettlingDependencies): Settling {
  const { store, clock, onProgress } = dependencies;
  let waiting: Settlement[] = [];
  let group: Promise<void> | undefined;
  let committedAt = Number.NEGATIVE_INFINITY;

  async function commit(): Promise<void> {
    const sinceMs = clock.monotonic() - committedAt;
    // Even the first waits a turn, so that a request's recipients, settled one by one, are committed together.
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
