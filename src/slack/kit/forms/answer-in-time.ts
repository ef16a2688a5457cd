import type { Clock } from '../../../core/clock.ts';
import { type LATE, within } from '../../../core/within.ts';

/** Slack gives a submission three seconds; the way there and back takes some of them. */
const ANSWER_MS = 2000;
/** However long the steps before took, storing the send gets a moment. */
const LEAST_MS = 200;

/**
 * What the work comes to while a submission can still be answered with it, else `LATE`; the work goes on.
 *
 * @param startedAt when the submission came, by the monotonic clock
 */
export function answerInTime<Value>(
  work: Promise<Value>,
  clock: Clock,
  startedAt: number = clock.monotonic(),
): Promise<Value | typeof LATE> {
  return within(work, Math.max(startedAt + ANSWER_MS - clock.monotonic(), LEAST_MS), clock);
}
