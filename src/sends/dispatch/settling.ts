import type { DispatchStore } from '../ports.ts';
import type { Settlement } from '../settlement.ts';
import { type RetryDependencies, retryUntilStored } from './retry-until-stored.ts';

/** Outcomes are committed in groups, at most this often: a commit for each would cost most of the throughput. */
const COMMIT_EVERY_MS = 20;

export interface Settling {
  /** Resolves once the outcome is on disk, or Herald stopped before the store accepted it. */
  settle(settlement: Settlement): Promise<void>;
}

interface SettlingDependencies extends RetryDependencies {
  readonly store: Pick<DispatchStore, 'settle'>;
}

export function createSettling(dependencies: SettlingDependencies): Settling {
  const { store, clock } = dependencies;
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
  }

  return {
    settle: (settlement) => {
      waiting.push(settlement);
      group ??= commit();
      return group;
    },
  };
}
