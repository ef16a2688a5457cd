import type { LeaseEpoch } from '../lease.ts';
import type { Outcome } from '../outcome.ts';
import type { RecipientRow } from '../send.ts';
import type { Settlement } from '../settlement.ts';
import { endingAfter } from './ending.ts';
import { LONGEST_WAIT_BULK_MS, LONGEST_WAIT_SINGLE_MS, retryDelayMs } from './retries.ts';
import { retryUntilStored } from './retry-until-stored.ts';
import type { Run } from './run.ts';

/** Makes one request for claimed recipients, then settles each or plans its retry. */
export async function attempt(run: Run, rows: readonly RecipientRow[], epoch: LeaseEpoch): Promise<void> {
  const { context, lane, retries } = run;
  let isStopped = false;
  const mayStart = () => {
    isStopped = !(epoch.isValid() && run.gate.mayStart(rows));
    return !isStopped;
  };
  if (!mayStart()) return releaseUnstarted(run, rows);
  // The gateway asks again right before it writes, because connecting may take long.
  const outcome = await context.gateway.deliver(run.messageFor(rows[0]?.values ?? []), rows, mayStart);
  if (isStopped && outcome.state === 'not_sent') return releaseUnstarted(run, rows);
  lane.limiter.release(1, 1);
  if (rows.some(({ row }) => retries.doneOf(row) === 0)) context.retryBudget.earn();
  judge(run, outcome);
  const places = rows.map(({ row }) => row);
  if (outcome.state === 'not_sent') return retryOrSettle(run, places, outcome);
  run.canary.note(outcome, places.length);
  settle(run, places, outcome);
}

/** Writes the outcome of recipients, who are in flight until it is on disk. */
export function settle(run: Run, places: readonly number[], outcome: Settlement['outcome']): void {
  const { settling, clock } = run.context;
  const [sendId, settledAt] = [run.send.id, clock.now()];
  for (const range of inRanges(places)) {
    run.inFlight.begin();
    settling.settle({ sendId, ...range, outcome, settledAt }, run.settled);
  }
}

/** Releases claimed recipients whose request did not start, because the lease was lost or quiet hours have begun. */
async function releaseUnstarted(run: Run, rows: readonly RecipientRow[]): Promise<void> {
  const { context, lane, retries } = run;
  lane.limiter.release(1, 0);
  lane.breaker.cancelled();
  const places = rows.map(({ row }) => row);
  await retryUntilStored(() => context.store.release(run.send.id, places), context);
  retries.putBack(places);
}

/** Draws the consequences of an outcome for breaker, pace and the rest of this send. */
function judge(run: Run, outcome: Outcome): void {
  const { breaker, limiter } = run.lane;
  if (outcome.state !== 'accepted' && outcome.failure.scope === 'service') breaker.failed();
  else breaker.succeeded();
  if (outcome.state === 'not_sent' && outcome.retry.kind === 'after') limiter.slowDown(outcome.retry.delayMs);
  const ending = endingAfter(outcome);
  if (ending !== undefined) run.end(ending);
}

async function retryOrSettle(run: Run, places: readonly number[], outcome: Outcome): Promise<void> {
  const { context, send, retries, canary, halted } = run;
  const longestWaitMs = run.bulk ? LONGEST_WAIT_BULK_MS : LONGEST_WAIT_SINGLE_MS;
  // The same for all, so that who shared the request shares the next one as well.
  const fraction = context.random.fraction();
  const delays = new Map<number, number>();
  for (const place of places) {
    const delayMs = retryDelayMs(outcome, retries.doneOf(place), longestWaitMs, fraction);
    if (delayMs !== undefined) delays.set(place, delayMs);
  }
  // When the run has halted, whoever continues the send makes the next attempt.
  if (delays.size > 0 && !halted.aborted && !context.retryBudget.spend()) delays.clear();
  const over = places.filter((place) => !delays.has(place));
  canary.note(outcome, over.length);
  settle(run, over, outcome);
  if (delays.size === 0) return;
  await retryUntilStored(() => context.store.release(send.id, [...delays.keys()]), context);
  const now = context.clock.monotonic();
  for (const [place, delayMs] of delays) retries.add(place, now + delayMs);
}

/** Rows in succession, which is how they were claimed, become one settlement. */
function inRanges(places: readonly number[]): readonly Pick<Settlement, 'row' | 'lastRow'>[] {
  const ranges: { row: number; lastRow?: number }[] = [];
  for (const row of places) {
    const last = ranges.at(-1);
    if (last !== undefined && row === (last.lastRow ?? last.row) + 1) last.lastRow = row;
    else ranges.push({ row });
  }
  return ranges;
}
