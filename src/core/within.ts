import type { Clock } from './clock.ts';

/** The result of work that took too long. */
export const LATE = Symbol('late');

/** The work's result, or `LATE` after `ms`. The work then continues, and its failure is ignored. */
export async function within<Value>(
  work: Promise<Value>,
  ms: number,
  clock: Clock,
): Promise<Value | typeof LATE> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(ms, settled.signal).then((): typeof LATE => LATE)]);
  } finally {
    settled.abort('settled');
  }
}
