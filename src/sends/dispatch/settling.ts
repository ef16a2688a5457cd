import type { Settlement } from '../outcome.ts';
import type { DispatchStore } from '../ports.ts';
import { type RetryDependencies, retryUntilStored } from '../store-trouble.ts';

/** Outcomes are committed in groups, at most this often: a commit for each would cost most of the throughput. */
const COMMIT_EVERY_MS = 20;

export type Settling = ReturnType<typeof createSettling>;

export function createSettling(
  dependencies: RetryDependencies & { readonly store: Pick<DispatchStore, 'settle'> },
) {
  const { store, clock } = dependencies;
  let waiting: Settlement[] = [];
  let told: (() => void)[] = [];
  let committedAt = Number.NEGATIVE_INFINITY;

  async function commit(): Promise<void> {
    const sinceMs = clock.monotonic() - committedAt;
    // Even the first waits for a microtask, so that all recipients of one request are committed together.
    await (sinceMs < COMMIT_EVERY_MS ? clock.sleep(COMMIT_EVERY_MS - sinceMs) : Promise.resolve());
    const [settlements, whom] = [waiting, told];
    waiting = [];
    told = [];
    committedAt = clock.monotonic();
    await retryUntilStored(() => store.settle(settlements), dependencies);
    for (const settled of whom) settled();
  }

  return {
    /** `settled` is called once the outcome is on disk, or Herald stopped before the store accepted it. */
    settle: (settlement: Settlement, settled: () => void) => {
      told.push(settled);
      if (waiting.push(settlement) === 1) void commit();
    },
  };
}
