import type { Message } from '../../messages/message.ts';
import { createPersonaliser } from '../../messages/personalise.ts';
import type { Failure, Outcome } from '../outcome.ts';
import type { Tenure } from '../ports.ts';
import type { Hold } from '../quiet-hours.ts';
import type { RecipientRow, Send } from '../send.ts';
import { CANARY_SIZE, judgeCanary, needsCanary } from './canary.ts';
import { createClaims } from './claims.ts';
import type { DispatchContext, Lane } from './dispatcher.ts';
import { type Ending, endingAfter, endingOfCanary } from './ending.ts';
import { patiently } from './patiently.ts';
import { createRetries } from './retries.ts';
import { LONGEST_WAIT_BULK_MS, LONGEST_WAIT_SINGLE_MS, retryDelayMs } from './retry.ts';
import { createUnderWay } from './under-way.ts';

/** How often a process that has lost its lease looks whether it has one again. */
const TENURE_LOOK_MS = 250;

/** Runs one send to where nothing is left to do for this process; see `Dispatcher.run`. */
export async function runSend(
  context: DispatchContext,
  lane: Lane,
  send: Send,
  message: Message,
): Promise<void> {
  const { store, gateway, settling, retryBudget, clock, random, stopping, beforeAttempt, holds } = context;
  const bulk = send.audience !== undefined;
  const messageFor = send.audience ? createPersonaliser(message, send.audience.columns) : () => message;
  const retries = createRetries(clock, stopping);
  const underWay = createUnderWay();
  const canary: Outcome[] = [];
  let canaryLeft = needsCanary(send) ? CANARY_SIZE : 0;
  const claims = createClaims(store, send, (row) => retries.has(row));
  /** Why, and until when, some recipients wait; told once nothing else is left to do. */
  let hold: Hold | undefined;
  let ending: Ending | undefined;
  /** An error that is a bug; it ends the run and is thrown on. */
  let crash: { readonly error: unknown } | undefined;
  const ended = new AbortController();
  const halted = AbortSignal.any([stopping, ended.signal]);

  function end(reason: Ending): void {
    ending ??= reason;
    ended.abort();
  }

  /**
   * Claims and starts what may start now. False when the store gave nothing: somebody paused or stopped the send,
   * or another process has the rest.
   */
  async function startSome(): Promise<boolean> {
    // Asked for before the claim: what is claimed under a later tenure is not started under this one.
    const tenure = await tenureHeld(context, halted);
    if (tenure === undefined) return true;
    const perRequest = canaryLeft > 0 ? 1 : lane.recipientsPerRequest;
    const wanted = retries.countDue() || claims.left;
    const most = Math.min(Math.ceil(wanted / perRequest), canaryLeft > 0 ? canaryLeft : wanted);
    const admitted = await lane.breaker.admit(most, halted);
    const granted = admitted === 0 ? 0 : await lane.limiter.acquire(admitted, halted);
    if (granted === 0) {
      lane.breaker.cancelled();
      return true;
    }
    const claimed = await claim(granted * perRequest);
    const requests = inRequests(await leaveOut(await putOff(claimed)), perRequest);
    if (canaryLeft > 0) canaryLeft -= requests.length;
    lane.limiter.release(granted - requests.length, 0);
    if (requests.length === 0) lane.breaker.cancelled();
    for (const rows of requests) void keep(() => attempt(rows, tenure));
    return claimed.length > 0 || claims.left === 0;
  }

  async function claim(limit: number): Promise<readonly RecipientRow[]> {
    const due = retries.takeDue(limit);
    if (due.length > 0)
      return (await patiently(() => store.claimAgain(send.id, due, clock.now()), context)) ?? [];
    return (await patiently(() => claims.take(limit, clock.now()), context)) ?? [];
  }

  /** Gives back what must wait, and from then on claims only what need not. */
  async function putOff(rows: readonly RecipientRow[]): Promise<readonly RecipientRow[]> {
    const holdFor = bulk ? holds?.(send, clock.now()) : undefined;
    if (holdFor === undefined || rows.length === 0) return rows;
    const waiting = rows.filter(({ number }) => {
      const found = holdFor(number);
      if (found !== undefined && (hold === undefined || found.until < hold.until)) hold = found;
      return found !== undefined;
    });
    if (waiting.length === 0) return rows;
    const given = waiting.map(({ row }) => row);
    await patiently(() => store.release(send.id, given), context);
    claims.only((number) => holds?.(send, clock.now())?.(number) === undefined);
    return rows.filter(({ row }) => !given.includes(row));
  }

  /** Settles as `skipped` what must not be sent after all, and returns the rest. */
  async function leaveOut(rows: readonly RecipientRow[]): Promise<readonly RecipientRow[]> {
    if (!bulk || beforeAttempt === undefined || rows.length === 0) return rows;
    const reasons = await patiently(() => beforeAttempt(send, rows), context);
    // Herald stops while the store does not answer: nothing of it is started.
    if (reasons === undefined) return [];
    if (reasons.size === 0) return rows;
    for (const [row, failure] of reasons) void keep(() => write(row, { state: 'skipped', failure }));
    return rows.filter(({ row }) => !reasons.has(row));
  }

  async function attempt(rows: readonly RecipientRow[], tenure: Tenure): Promise<void> {
    // Asked again by the gateway right before it writes: what others take over is not sent here as well.
    if (!tenure.holds()) return giveBack(rows);
    for (const { row } of rows) if (retries.doneOf(row) === 0) retryBudget.earn();
    const [first] = rows;
    const outcome = await gateway.deliver(
      messageFor(first?.values ?? []),
      rows.map(({ number }) => ({ number })),
      tenure.holds,
    );
    if (outcome.state === 'not_sent' && !tenure.holds()) return giveBack(rows);
    lane.limiter.release(1, 1);
    judge(outcome);
    if (rows.length === 1 && first !== undefined) await settleOrRetry(first, outcome);
    else await Promise.all(rows.map((row) => settleOrRetry(row, outcome)));
  }

  /** Claimed, but this process stood still for too long: nothing of it was started, and nothing will be. */
  async function giveBack(rows: readonly RecipientRow[]): Promise<void> {
    lane.limiter.release(1, 0);
    lane.breaker.cancelled();
    const places = rows.map(({ row }) => row);
    await patiently(() => store.release(send.id, places), context);
    for (const row of places) retries.add(row, clock.now());
  }

  function judge(outcome: Outcome): void {
    if (outcome.state !== 'accepted' && outcome.failure.scope === 'service') lane.breaker.failed();
    else lane.breaker.succeeded();
    if (outcome.state === 'not_sent' && outcome.retry.kind === 'after')
      lane.limiter.slowDown(outcome.retry.delayMs);
    const reason = endingAfter(outcome);
    if (reason !== undefined) end(reason);
  }

  function settleOrRetry({ row }: RecipientRow, outcome: Outcome): Promise<void> {
    const longestWaitMs = bulk ? LONGEST_WAIT_BULK_MS : LONGEST_WAIT_SINGLE_MS;
    const delayMs = retryDelayMs(outcome, retries.doneOf(row), longestWaitMs, random.fraction());
    if (delayMs !== undefined && !halted.aborted && retryBudget.spend()) return putBack(row, delayMs);
    if (canary.length < CANARY_SIZE) canary.push(outcome);
    return write(row, outcome);
  }

  async function putBack(row: number, delayMs: number): Promise<void> {
    await patiently(() => store.release(send.id, [row]), context);
    retries.add(row, clock.now() + delayMs);
  }

  function write(row: number, outcome: Outcome | { state: 'skipped'; failure: Failure }): Promise<void> {
    return settling.settle({ sendId: send.id, row, outcome, settledAt: clock.now() });
  }

  async function keep(work: () => Promise<void>): Promise<void> {
    underWay.begin();
    try {
      await work();
    } catch (error) {
      crash ??= { error };
      ended.abort();
    }
    underWay.end();
  }

  /** Waits for the canaries; true when the rest may follow. */
  async function canaryPasses(): Promise<boolean> {
    while (underWay.count > 0 && judgeCanary(canary, CANARY_SIZE).state === 'waiting') await underWay.next();
    const verdict = judgeCanary(canary, CANARY_SIZE);
    if (halted.aborted) return false;
    await patiently(() => store.markCanaryJudged(send.id), context);
    if (verdict.state === 'failed') end(endingOfCanary(verdict.failure));
    return verdict.state !== 'failed';
  }

  let judged = canaryLeft === 0;
  while (!halted.aborted) {
    if (!judged && canaryLeft === 0) {
      judged = true;
      if (!(await canaryPasses())) break;
    }
    if (claims.left > 0 || retries.countDue() > 0) {
      if (!(await startSome())) break;
    } else if (underWay.count > 0 || retries.size > 0) {
      await (retries.size === 0 ? underWay.next() : Promise.race([underWay.next(), retries.nextDue()]));
    } else break;
  }
  await underWay.none();
  if (crash !== undefined) throw crash.error;
  if (hold !== undefined && !halted.aborted)
    ending = { to: 'paused', reason: hold.reason, resumeAt: hold.until };
  if (ending !== undefined) await halt(context, send, ending);
}

/** Waits until this process may start requests; undefined when it must stop before. */
async function tenureHeld(
  { lease, clock }: DispatchContext,
  halted: AbortSignal,
): Promise<Tenure | undefined> {
  for (;;) {
    const tenure = lease.tenure();
    if (tenure.holds()) return tenure;
    await clock.sleep(TENURE_LOOK_MS, halted);
    if (halted.aborted) return undefined;
  }
}

async function halt(context: DispatchContext, send: Send, { to, reason, resumeAt }: Ending): Promise<void> {
  const { store, clock } = context;
  const transition = {
    sendId: send.id,
    from: 'sending',
    to,
    at: clock.now(),
    actor: 'herald',
    reason,
    ...(resumeAt !== undefined && { resumeAt }),
  } as const;
  await patiently(() => store.moveSend(transition), context);
  context.onProgress?.(send.id);
}

function inRequests(rows: readonly RecipientRow[], size: number): readonly (readonly RecipientRow[])[] {
  if (size === 1) return rows.map((row) => [row]);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, n) =>
    rows.slice(n * size, (n + 1) * size),
  );
}
