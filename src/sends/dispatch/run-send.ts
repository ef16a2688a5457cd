import { given } from '../../core/given.ts';
import { senderOf } from '../../messages/kinds.ts';
import type { RecipientRow } from '../send.ts';
import type { LeaseEpoch } from '../sharing.ts';
import { retryUntilStored } from '../store-trouble.ts';
import { attempt, settle } from './attempt.ts';
import { type Ending, endingOfCanary } from './canary.ts';
import type { Run } from './run.ts';

export async function runSend(run: Run): Promise<void> {
  const { context, send } = run;
  const mayGoOn = await startCanaries(run);
  if (mayGoOn) await startWhile(run, () => true);
  await run.inFlight.none();
  // Retries may be left that are not due yet, and recipients whom quiet hours defer: whoever continues the send must find them.
  if (run.retries.size > 0 || run.gate.firstEnd() !== undefined)
    await retryUntilStored(() => context.store.rewind(send.id), context);
  run.throwBug();
  const ending = run.ending() ?? endingForQuietHours(run);
  if (ending !== undefined) await halt(run, ending);
  if (ending?.ofCanaries) await retryUntilStored(() => context.store.markCanaryJudged(send.id), context);
}

/** Starts the canaries, if needed, and waits for the verdict; false when the run ends there. */
async function startCanaries(run: Run): Promise<boolean> {
  const { canary, context, send, halted } = run;
  if (canary.toStart === 0) return true;
  const areStarted = await startWhile(run, () => canary.toStart > 0);
  if (!areStarted) return false;
  // Those who must be tried again are waited for: until then nobody knows what the service says to this message.
  await startWhile(run, () => canary.isAlone, 'retries');
  const verdict = canary.verdict();
  // Paused meanwhile, for example: whoever goes on starts with canaries.
  if (halted.aborted || verdict.state === 'waiting') return false;
  // Marked when the pause stands: from then on whoever continues the send, or has it, too, sends to the rest.
  if (verdict.state === 'failed') run.end(endingOfCanary(verdict.failure));
  else await retryUntilStored(() => context.store.markCanaryJudged(send.id), context);
  return !halted.aborted;
}

/** Starts one after the other as long as `isWanted`. False when nothing was left to do before that was over. */
async function startWhile(
  run: Run,
  isWanted: () => boolean,
  whom: 'all' | 'retries' = 'all',
): Promise<boolean> {
  while (isWanted()) {
    const goesOn = await startNext(run, whom === 'all' ? run.claims.left : 0);
    if (!goesOn) return false;
  }
  return true;
}

/** Starts what may start, or waits for it. False when nothing is left to do. */
async function startNext(run: Run, unclaimed: number): Promise<boolean> {
  const { retries, inFlight, halted } = run;
  if (halted.aborted) return false;
  if (unclaimed > 0 || retries.countDue() > 0) return startSome(run);
  if (inFlight.count === 0 && retries.size === 0) return false;
  await (retries.size === 0 ? inFlight.next() : Promise.race([inFlight.next(), retries.nextDue()]));
  return true;
}

/** When only deferred recipients are left, the send pauses until their quiet hours end. */
function endingForQuietHours({ claims, gate, halted }: Run): Ending | undefined {
  const deferral = halted.aborted || !claims.isThrough ? undefined : gate.firstEnd();
  return deferral && { to: 'paused', reason: deferral.reason, resumeAt: deferral.until };
}

async function halt({ context, send }: Run, { to, reason, resumeAt }: Ending): Promise<void> {
  const moved = { sendId: send.id, from: 'sending', to, actor: 'herald', reason } as const;
  const transition = { ...moved, at: context.clock.now(), ...given({ resumeAt }) };
  await retryUntilStored(() => context.store.moveSend(transition), context);
}

/** How often a process without a lease, or with nothing to claim, tries again. */
const LOOK_AGAIN_MS = 250;

/**
 * Claims and starts what may start now. False when there was nothing to claim and no retry can follow: the send was paused
 * or stopped, or other processes have the rest.
 */
async function startSome(run: Run): Promise<boolean> {
  const { lane, claims, retries, canary } = run;
  // Taken before the claim: if the lease is lost in between, what is claimed then is not started.
  const epoch = await validEpoch(run);
  if (epoch === undefined) return true;
  const perRequest = canary.isAlone ? 1 : lane.recipientsPerRequest;
  const granted = await grant(run, perRequest);
  if (granted === 0) return true;
  const claimed = await claim(run, granted * perRequest);
  const wanted = await skipUnwanted(run, await deferQuiet(run, claimed));
  const requests = await withinGrant(run, inRequests(run, wanted, perRequest), granted);
  canary.started(requests.length);
  lane.limiter.release(granted - requests.length, 0);
  if (requests.length === 0) lane.breaker.cancelled();
  for (const rows of requests) run.keep(() => attempt(run, rows, epoch));
  if (claimed.length > 0 || !epoch.isValid()) return true;
  return (claims.left === 0 && retries.size === 0) || hasMoreToDo(run);
}

/**
 * True when nothing was claimed but this run must go on: some that it claimed before may need a retry, or it is a send to
 * one person, which no other process works on.
 */
async function hasMoreToDo(run: Run): Promise<boolean> {
  const { context, send, bulk, claims, retries, inFlight, halted } = run;
  if (bulk && retries.size === 0 && inFlight.count === 0) return false;
  const now = await retryUntilStored(() => context.store.find(send.id), context);
  if (now?.state !== 'sending') return false;
  if (bulk) claims.none();
  else await context.clock.sleep(LOOK_AGAIN_MS, halted);
  return true;
}

/** Waits until requests may start and returns how many: at most what is left, and at first only the canaries. */
async function grant({ lane, claims, retries, canary, halted }: Run, perRequest: number): Promise<number> {
  const wanted = retries.countDue() || claims.left;
  const most = Math.min(Math.ceil(wanted / perRequest), canary.toStart > 0 ? canary.toStart : wanted);
  const admitted = await lane.breaker.admit(most, halted);
  const granted = admitted === 0 ? 0 : await lane.limiter.acquire(admitted, halted);
  if (granted === 0) lane.breaker.cancelled();
  return granted;
}

/**
 * Due retries come first. Those that could not be claimed others have by now, or they are pending still, because the lease
 * had ended at that moment: of a bulk send whoever claims next finds them. A send to one person nobody else goes on with.
 */
async function claim(run: Run, limit: number): Promise<readonly RecipientRow[]> {
  const { context, send, bulk, claims, retries } = run;
  const { store, clock } = context;
  const due = retries.takeDue(limit);
  const take = () =>
    due.length > 0 ? store.claimAgain(send.id, due, clock.now()) : claims.take(limit, clock.now());
  const claimed = (await retryUntilStored(take, context)) ?? [];
  const taken = new Set(claimed.map(({ row }) => row));
  const left = due.filter((row) => !taken.has(row));
  if (!bulk) retries.putBack(left);
  else if (left.length > 0) await retryUntilStored(() => store.rewind(send.id), context);
  return claimed;
}

/** Releases recipients that quiet hours defer; from then on only the others are claimed. */
async function deferQuiet(run: Run, rows: readonly RecipientRow[]): Promise<readonly RecipientRow[]> {
  const { context, send, claims, gate } = run;
  const waiting = gate.waiting(rows).map(({ row }) => row);
  if (waiting.length === 0) return rows;
  await retryUntilStored(() => context.store.release(send.id, waiting), context);
  claims.only((number) => gate.mayStart([{ number }]));
  const deferred = new Set(waiting);
  return rows.filter(({ row }) => !deferred.has(row));
}

/** Settles what must not be sent, and returns the rest: of a list it is `skipped`; who sent to one person hears of it. */
async function skipUnwanted(run: Run, rows: readonly RecipientRow[]): Promise<readonly RecipientRow[]> {
  const { beforeAttempt } = run.context;
  if (rows.length === 0) return rows;
  const reasons = await retryUntilStored(() => beforeAttempt(run.send, rows), run.context);
  // Herald is stopping and the store does not answer: nothing is started.
  if (reasons === undefined) return [];
  if (reasons.size === 0) return rows;
  const state = run.bulk ? 'skipped' : 'rejected';
  for (const [row, failure] of reasons) if (failure !== undefined) settle(run, row, { state, failure });
  return rows.filter(({ row }) => !reasons.has(row));
}

/** Waits for a valid lease; undefined when the run halts first. */
async function validEpoch({ context, halted }: Run): Promise<LeaseEpoch | undefined> {
  const { lease, clock } = context;
  for (;;) {
    const epoch = lease.epoch();
    if (epoch.isValid()) return epoch;
    await clock.sleep(LOOK_AGAIN_MS, halted);
    if (halted.aborted) return undefined;
  }
}

type Requests = readonly (readonly RecipientRow[])[];

/** A request has one sender, so those of each are together. */
function inRequests({ send }: Run, rows: readonly RecipientRow[], size: number): Requests {
  const bySender = Map.groupBy(rows, ({ number }) => senderOf(send.message, number));
  return [...bySender.values()].flatMap((of) =>
    Array.from({ length: Math.ceil(of.length / size) }, (_, n) => of.slice(n * size, (n + 1) * size)),
  );
}

/** Several senders may take more requests than may start now: those left over are released, and are the next to be claimed. */
async function withinGrant(
  { context, send, retries }: Run,
  requests: Requests,
  granted: number,
): Promise<Requests> {
  const later = requests.slice(granted).flatMap((rows) => rows.map(({ row }) => row));
  if (later.length > 0) {
    await retryUntilStored(() => context.store.release(send.id, later), context);
    retries.putBack(later);
  }
  return requests.slice(0, granted);
}
