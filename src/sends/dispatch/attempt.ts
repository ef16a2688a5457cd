import { runsOf } from '../../core/runs.ts';
import type { Outcome, Settlement } from '../outcome.ts';
import type { RecipientRow } from '../send.ts';
import type { LeaseEpoch } from '../sharing.ts';
import { retryUntilStored } from '../store-trouble.ts';
import { endingAfter } from './canary.ts';
import { retryDelayMs } from './retries.ts';
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
  const message = run.messageFor(rows[0]?.values ?? []);
  const { each, ...outcome } = await context.gateway.deliver(message, rows, mayStart);
  if (isStopped && outcome.state === 'not_sent') return releaseUnstarted(run, rows);
  lane.limiter.release(1, 1);
  if (rows.some(({ row }) => retries.doneOf(row) === 0)) context.retryBudget.earn();
  judge(run, each ?? [outcome]);
  if (outcome.state === 'not_sent') return retryOrSettle(run, rows, outcome);
  const own = each !== undefined || rows.length === 1;
  const runs = own ? rows.map(({ row }) => [row] as const) : runsOf(rows.map(({ row }) => row));
  for (const [at, [row, last]] of runs.entries()) noteAndSettle(run, row, each?.[at] ?? outcome, last);
}

function noteAndSettle(run: Run, row: number, outcome: Outcome, last?: number): void {
  run.canary.note(outcome);
  if (outcome.state === 'rejected') void run.context.refused(run.send.message, outcome.failure);
  settle(run, row, outcome, last);
}

/** Writes an outcome of a recipient, or of all up to `last`, which is in flight until it is on disk. */
export function settle(run: Run, row: number, outcome: Settlement['outcome'], last?: number): void {
  const { context, inFlight } = run;
  inFlight.begin();
  context.settle({ sendId: run.send.id, row, last, outcome, settledAt: context.clock.now() }, inFlight.end);
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

/** Draws the consequences of one request's outcomes for breaker, pace and the rest of this send. */
function judge(run: Run, outcomes: readonly Outcome[]): void {
  const { breaker, limiter } = run.lane;
  const isTrouble = outcomes.every((one) => one.state !== 'accepted' && one.failure.scope === 'service');
  if (isTrouble) breaker.failed();
  else breaker.succeeded();
  for (const outcome of outcomes) {
    if (outcome.state === 'not_sent' && outcome.retry.kind === 'after')
      limiter.slowDown(outcome.retry.delayMs);
    const ending = endingAfter(outcome);
    if (ending !== undefined) run.end(ending);
  }
}

async function retryOrSettle(run: Run, rows: readonly RecipientRow[], outcome: Outcome): Promise<void> {
  const { context, send, retries, halted } = run;
  const whom = run.bulk ? 'bulk' : 'single';
  // The same for all, so that who shared the request shares the next one as well.
  const fraction = context.random.fraction();
  const delays = new Map<number, number>();
  for (const { row } of rows) {
    const delayMs = retryDelayMs(outcome, retries.doneOf(row), whom, fraction);
    if (delayMs !== undefined) delays.set(row, delayMs);
  }
  // When the run has halted, whoever continues the send makes the next attempt.
  if (delays.size > 0 && !halted.aborted && !context.retryBudget.spend()) delays.clear();
  for (const { row } of rows) if (!delays.has(row)) noteAndSettle(run, row, outcome);
  if (delays.size === 0) return;
  await retryUntilStored(() => context.store.release(send.id, [...delays.keys()]), context);
  const now = context.clock.monotonic();
  for (const [row, delayMs] of delays) retries.add(row, now + delayMs);
}
