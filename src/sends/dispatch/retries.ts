import { type Clock, fullJitterDelayMs } from '../../core/clock.ts';
import type { Outcome } from '../outcome.ts';

/** Automatic retries of one recipient after `not_sent` (docs/wire.md, "Outcomes"). */
const MOST_RETRIES = 3;
const BACK_OFF_BASE_MS = 500;
const BACK_OFF_CAP_MS = 8_000;
/** A longer Retry-After is not waited for. A person waits for a single send, and has it reported to them instead. */
const LONGEST_WAIT_MS = { single: 30_000, bulk: 60 * 60_000 };

/**
 * Milliseconds to wait before the next automatic attempt; undefined when there must be none. Only `not_sent` is retried:
 * after any other outcome the service may have the request.
 *
 * @param retriesDone retries of this recipient so far
 * @param fraction a random number in [0, 1), for jitter
 */
export function retryDelayMs(
  outcome: Outcome,
  retriesDone: number,
  whom: keyof typeof LONGEST_WAIT_MS,
  fraction: number,
): number | undefined {
  if (outcome.state !== 'not_sent' || retriesDone >= MOST_RETRIES) return undefined;
  switch (outcome.retry.kind) {
    case 'never':
      return undefined;
    case 'backoff':
      return fullJitterDelayMs(retriesDone, BACK_OFF_BASE_MS, BACK_OFF_CAP_MS, fraction);
    case 'after':
      return outcome.retry.delayMs <= LONGEST_WAIT_MS[whom] ? outcome.retry.delayMs : undefined;
  }
}

/*
 * Limits automatic retries to a share of all requests, so that an outage does not triple the load. A full budget allows 20
 * retries at once, and each first attempt earns a tenth of one. Counted in tenths, to stay with whole numbers.
 */
const RETRY_COSTS = 10;
const MOST = 20 * RETRY_COSTS;

export function createRetryBudget() {
  let left = MOST;
  return {
    /** A request was no retry. */
    earn: () => {
      left = Math.min(MOST, left + 1);
    },
    /** Takes one retry from the budget; false when there is none left. */
    spend: (): boolean => {
      if (left < RETRY_COSTS) return false;
      left -= RETRY_COSTS;
      return true;
    },
  };
}

/** Recipients of one send that wait for a retry. Only in memory: in the store they are `pending`. */
export function createRetries(clock: Clock, stopping: AbortSignal) {
  const counts = new Map<number, number>();
  const waiting = new Map<number, number>();

  function due(): readonly number[] {
    return [...waiting].filter(([, dueAt]) => dueAt <= clock.monotonic()).map(([row]) => row);
  }

  return {
    /** Plans a retry, which counts as one. @param dueAt by the monotonic clock */
    add: (row: number, dueAt: number) => {
      counts.set(row, (counts.get(row) ?? 0) + 1);
      waiting.set(row, dueAt);
    },
    /** For whom no request was made: due at once, and counted as no retry. */
    putBack: (rows: readonly number[]) => {
      for (const row of rows) waiting.set(row, clock.monotonic());
    },
    /** Retries planned for this row so far. */
    doneOf: (row: number) => counts.get(row) ?? 0,
    has: (row: number) => waiting.has(row),
    countDue: () => (waiting.size === 0 ? 0 : due().length),
    takeDue: (most: number): readonly number[] => {
      if (waiting.size === 0) return [];
      const rows = due().slice(0, most);
      for (const row of rows) waiting.delete(row);
      return rows;
    },
    /** Resolves when the next one is due; never when none waits. */
    nextDue: (): Promise<void> => {
      if (waiting.size === 0) return new Promise(() => undefined);
      return clock.sleep(Math.max(0, Math.min(...waiting.values()) - clock.monotonic()), stopping);
    },
    get size() {
      return waiting.size;
    },
  };
}
