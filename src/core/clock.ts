import { setTimeout as delay } from 'node:timers/promises';

/** Time, passed in wherever it matters so that no test has to wait for it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, for what is stored and shown. It may be set at any moment, so it measures nothing. */
  now(): number;
  /** Milliseconds of a clock that nobody sets and that goes on while the process is stopped: for every duration and pace. */
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
      // An abort is how a caller says "stop waiting"; anything else would be a bug in the timer itself.
      if (!signal?.aborted) throw error;
    }
  },
};
