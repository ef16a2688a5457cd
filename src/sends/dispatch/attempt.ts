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
  const numbers = rows.map(({ number }) => number);
  const mayStart = () => epoch.isValid() && run.gate.mayStart(numbers);
  if (!mayStart()) return releaseUnstarted(run, rows);
  for (const { row } of rows) if (retries.doneOf(row) === 0) context.retryBudget.earn();
  const [first] = rows;
  const outcome = await context.gateway.deliver(
    run.messageFor(first?.values ?? []),
    numbers.map((number) => ({ number })),
    // The gateway asks again right before it writes, because connecting may take long.
    mayStart,
  );
  if (outcome.state === 'not_sent' && !mayStart()) return releaseUnstarted(run, rows);
  lane.limiter.release(1, 1);
  judge(run, outcome);
  if (rows.length === 1 && first !== undefined) await settleOrRetry(run, first, outcome);
  else await Promise.all(rows.map((row) => settleOrRetry(run, row, outcome)));
}

/** Writes the outcome of one recipient. */
export function write(run: Run, row: number, outcome: Settlement['outcome']): Promise<void> {
  const { settling, clock } = run.context;
  return settling.settle({ sendId: run.send.id, row, outcome, settledAt: clock.now() }).then(run.progressed);
}

/** Releases claimed recipients whose request did not start, because the lease was lost or quiet hours have begun. */
async function releaseUnstarted(run: Run, rows: readonly RecipientRow[]): Promise<void> {
  const { context, lane, retries } = run;
  lane.limiter.release(1, 0);
  lane.breaker.cancelled();
  const places = rows.map(({ row }) => row);
  await retryUntilStored(() => context.store.release(run.send.id, places), context);
  for (const place of places) retries.add(place, context.clock.monotonic());
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

function settleOrRetry(run: Run, { row }: RecipientRow, outcome: Outcome): Promise<void> {
  const { context, retries, canary, halted } = run;
  const longestWaitMs = run.bulk ? LONGEST_WAIT_BULK_MS : LONGEST_WAIT_SINGLE_MS;
  const delayMs = retryDelayMs(outcome, retries.doneOf(row), longestWaitMs, context.random.fraction());
  // When the run has halted, whoever continues the send makes the next attempt.
  if (delayMs !== undefined && (halted.aborted || context.retryBudget.spend()))
    return releaseForRetry(run, row, delayMs);
  canary.note(outcome);
  return write(run, row, outcome);
}

async function releaseForRetry({ context, send, retries }: Run, row: number, delayMs: number): Promise<void> {
  await retryUntilStored(() => context.store.release(send.id, [row]), context);
  retries.add(row, context.clock.monotonic() + delayMs);
}
