import type { Clock } from '../../src/core/clock.ts';

interface Sleeper {
  readonly wakeAt: number;
  wake(): void;
}

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time and wakes, in order, whoever's sleep ends on the way; lets their follow-up work run. */
  advance(ms: number): Promise<void>;
  /** Sets what people's clocks show, as an administrator or a time server does; no time passes. */
  set(byMs: number): void;
  /** As `advance`, but as a machine that slept: whoever's sleep ends on the way wakes at the end. */
  leap(ms: number): Promise<void>;
  /** How many are asleep. */
  readonly sleeping: number;
}

export function createManualClock(start = Date.UTC(2026, 0, 5, 8, 0)): ManualClock {
  let now = 1_000;
  let wallAhead = start - now;
  const sleepers = new Set<Sleeper>();

  async function letWorkRun(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async function advance(ms: number): Promise<void> {
    const until = now + ms;
    await letWorkRun();
    for (;;) {
      const next = [...sleepers].sort((a, b) => a.wakeAt - b.wakeAt)[0];
      if (next === undefined || next.wakeAt > until) break;
      now = Math.max(now, next.wakeAt);
      next.wake();
      await letWorkRun();
    }
    now = until;
  }

  return {
    now: () => now + wallAhead,
    monotonic: () => now,
    set: (byMs) => {
      wallAhead += byMs;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper: Sleeper = {
          wakeAt: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => sleeper.wake(), { once: true });
      }),
    advance,
    leap: async (ms) => {
      await letWorkRun();
      now += ms;
      await advance(0);
    },
    get sleeping() {
      return sleepers.size;
    },
  };
}
