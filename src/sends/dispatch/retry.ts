import { fullJitterDelayMs } from '../../core/back-off.ts';
import type { Outcome } from '../outcome.ts';

/** Retries of one recipient after `not_sent`, besides the first attempt (docs/wire.md, "Outcomes"). */
const MOST_RETRIES = 3;
const BACK_OFF_BASE_MS = 500;
const BACK_OFF_CAP_MS = 8_000;
/** A person is waiting for the answer of a single send: a longer Retry-After is told to them instead of being waited out. */
export const LONGEST_WAIT_SINGLE_MS = 30_000;
/** A bulk send takes its time anyway. */
export const LONGEST_WAIT_BULK_MS = 60 * 60_000;

/**
 * How long to wait before the next automatic attempt, or `undefined` when there must be none. Only `not_sent`
 * is ever retried: for every other outcome the request may have reached the service.
 *
 * @param retriesDone how many retries this recipient has had
 * @param longestWaitMs a longer Retry-After is not waited for
 * @param fraction a random number in [0, 1), for jitter
 */
export function retryDelayMs(
  outcome: Outcome,
  retriesDone: number,
  longestWaitMs: number,
  fraction: number,
): number | undefined {
  if (outcome.state !== 'not_sent' || retriesDone >= MOST_RETRIES) return undefined;
  switch (outcome.retry.kind) {
    case 'never':
      return undefined;
    case 'backoff':
      return fullJitterDelayMs(retriesDone, BACK_OFF_BASE_MS, BACK_OFF_CAP_MS, fraction);
    case 'after':
      return outcome.retry.delayMs <= longestWaitMs ? outcome.retry.delayMs : undefined;
  }
}
