import type { LeaseEpoch } from '../lease.ts';
import type { Outcome } from '../outcome.ts';
import type { Settlement } from '../ports.ts';
import type { RecipientRow } from '../send.ts';
import { endingAfter } from './ending.ts';
import { LONGEST_WAIT_BULK_MS, LONGEST_WAIT_SINGLE_MS, retryDelayMs } from './retry.ts';
import { retryUntilStored } from './retry-until-stored.ts';
import type { Run } from './run.ts';

/** Makes one request for claimed recipients, and sees to what becomes of each. */
export async function attempt(run: Run, rows: readonly RecipientRow[], epoch: LeaseEpoch): Promise<void> {
  const { context, lane, retries } = run;
  const numbers = rows.map(({ number }) => number);
  const mayStart = () => epoch.holds() && run.edge.mayStart(numbers);
  if (!mayStart()) return giveBack(run, rows);
  for (const { row } of rows) if (retries.doneOf(row) === 0) context.retryBudget.earn();
  const [first] = rows;
  const outcome = await context.gateway.deliver(
    run.messageFor(first?.values ?? []),
    numbers.map((number) => ({ number })),
    // Asked again by the gateway right before it writes: a connection may be long in coming.
    mayStart,
  );
  if (outcome.state === 'not_sent' && !mayStart()) return giveBack(run, rows);
  lane.limiter.release(1, 1);
  judge(run, outcome);
  if (rows.length === 1 && first !== undefined) await settleOrRetry(run, first, outcome);
  else await Promise.all(rows.map((row) => settleOrRetry(run, row, outcome)));
}

/** Writes what became of one recipient. */
export function write(run: Run, row: number, outcome: Settlement['outcome']): Promise<void> {
  const { settling, clock } = run.context;
  return settling.settle({ sendId: run.send.id, row, outcome, settledAt: clock.now() });
}

/**
 * Claimed, but not to be started: this process stood still for too long and others take over, or quiet hours have begun
 * meanwhile. Nothing of it has left this machine; whoever claims it next decides anew.
 */
async function giveBack(run: Run, rows: readonly RecipientRow[]): Promise<void> {
  const { context, lane, retries } = run;
  lane.limiter.release(1, 0);
  lane.breaker.cancelled();
  const places = rows.map(({ row }) => row);
  await retryUntilStored(() => context.store.release(run.send.id, places), context);
  for (const place of places) retries.add(place, context.clock.monotonic());
}

/** What an outcome says of the service, of the pace, and of the rest of this send. */
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
  // Nothing more starts here: it is left for whoever goes on with the send, without a retry of this run.
  if (delayMs !== undefined && (halted.aborted || context.retryBudget.spend()))
    return putBack(run, row, delayMs);
  canary.note(outcome);
  return write(run, row, outcome);
}

async function putBack({ context, send, retries }: Run, row: number, delayMs: number): Promise<void> {
  await retryUntilStored(() => context.store.release(send.id, [row]), context);
  retries.add(row, context.clock.monotonic() + delayMs);
}
