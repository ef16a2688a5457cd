import type { Clock } from '../../core/clock.ts';

/** Recipients of one send that wait for another attempt, and how many each has had. In memory: in the store they are `pending`. */
export interface Retries {
  /** @param dueAt by the monotonic clock */
  add(row: number, dueAt: number): void;
  /** How many retries were planned for this row so far. */
  doneOf(row: number): number;
  has(row: number): boolean;
  /** How many could be attempted again now. */
  countDue(): number;
  takeDue(most: number): readonly number[];
  /** Resolves when the next one is due; never while none waits. */
  nextDue(): Promise<void>;
  readonly size: number;
}

export function createRetries(clock: Clock, stopping: AbortSignal): Retries {
  const counts = new Map<number, number>();
  const waiting = new Map<number, number>();

  function due(): readonly number[] {
    return [...waiting].filter(([, dueAt]) => dueAt <= clock.monotonic()).map(([row]) => row);
  }

  return {
    add: (row, dueAt) => {
      counts.set(row, (counts.get(row) ?? 0) + 1);
      waiting.set(row, dueAt);
    },
    doneOf: (row) => counts.get(row) ?? 0,
    has: (row) => waiting.has(row),
    countDue: () => (waiting.size === 0 ? 0 : due().length),
    takeDue: (most) => {
      if (waiting.size === 0) return [];
      const rows = due().slice(0, most);
      for (const row of rows) waiting.delete(row);
      return rows;
    },
    nextDue: () => {
      if (waiting.size === 0) return new Promise(() => undefined);
      return clock.sleep(Math.max(0, Math.min(...waiting.values()) - clock.monotonic()), stopping);
    },
    get size() {
      return waiting.size;
    },
  };
}
