import type { Clock } from './clock.ts';

/** Stands for an answer that did not come in time. */
export const LATE = Symbol('late');

/**
 * The work's result, or `LATE` when it takes longer than `ms`. The work then goes on, and whether it fails is no
 * longer of interest to this caller.
 */
export async function within<Value>(
  work: Promise<Value>,
  ms: number,
  clock: Clock,
): Promise<Value | typeof LATE> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(ms, settled.signal).then((): typeof LATE => LATE)]);
  } finally {
    settled.abort();
  }
}
