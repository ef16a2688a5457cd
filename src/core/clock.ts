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
  // This makes a timer of its own: the one of `timers/promises` makes an error, with its stack, of each abort.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
    }),
};

/**
 * Full-jitter back-off: uniformly between 0 and min(capMs, baseMs × 2^attempt), so that many callers that
 * failed together do not come back together.
 *
 * @param attempt 0 for the first retry
 * @param fraction a random number in [0, 1)
 */
export function fullJitterDelayMs(attempt: number, baseMs: number, capMs: number, fraction: number): number {
  return Math.floor(fraction * Math.min(capMs, baseMs * 2 ** attempt));
}
