import { setTimeout as delay } from 'node:timers/promises';

/** Time, passed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the Unix epoch, for storing and showing. It may jump, so it must not measure durations. */
  now(): number;
  /** Milliseconds of a clock that never jumps and continues while the process is stopped: for durations and pace. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // Only an abort is expected here.
      if (!signal?.aborted) throw error;
    }
  },
};
