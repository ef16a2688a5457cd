import type { LeaseEpoch } from '../lease.ts';
import type { RecipientRow } from '../send.ts';
import { attempt, write } from './attempt.ts';
import type { DispatchContext } from './context.ts';
import { retryUntilStored } from './retry-until-stored.ts';
import type { Run } from './run.ts';

/** How often a process that has lost its lease, or was given nothing to send, looks again. */
const LOOK_AGAIN_MS = 250;

/**
 * Claims and starts what may start now. False when the store gave nothing and nothing of this run comes back: somebody
 * paused or stopped the send, or another process has the rest.
 */
export async function startSome(run: Run): Promise<boolean> {
  const { lane, claims, canary } = run;
  // Asked for before the claim: what is claimed under a later epoch is not started under this one.
  const epoch = await epochHeld(run.context, run.halted);
  if (epoch === undefined) return true;
  const perRequest = canary.left > 0 ? 1 : lane.recipientsPerRequest;
  const granted = await grant(run, perRequest);
  if (granted === 0) return true;
  const claimed = await claim(run, granted * perRequest);
  const requests = inRequests(await leaveOut(run, await putOff(run, claimed)), perRequest);
  canary.started(requests.length);
  lane.limiter.release(granted - requests.length, 0);
  if (requests.length === 0) lane.breaker.cancelled();
  for (const rows of requests) void run.keep(() => attempt(run, rows, epoch));
  return claimed.length > 0 || claims.left === 0 || waitsForItsOwn(run);
}

/**
 * True when nothing was claimed of a send that goes on, and this run must not end: others have the rest, and some that it
 * claimed may have to be tried again; or it is a send to one person, on which nobody else works.
 */
async function waitsForItsOwn(run: Run): Promise<boolean> {
  const { context, send, bulk, claims, retries, inFlight, halted } = run;
  if (bulk && retries.size === 0 && inFlight.count === 0) return false;
  const now = await retryUntilStored(() => context.store.find(send.id), context);
  if (now?.state !== 'sending') return false;
  if (bulk) claims.none();
  else await context.clock.sleep(LOOK_AGAIN_MS, halted);
  return true;
}

/** Waits until requests may start, and says how many: never more than are left, and while canaries fly, only those. */
async function grant({ lane, claims, retries, canary, halted }: Run, perRequest: number): Promise<number> {
  const wanted = retries.countDue() || claims.left;
  const most = Math.min(Math.ceil(wanted / perRequest), canary.left > 0 ? canary.left : wanted);
  const admitted = await lane.breaker.admit(most, halted);
  const granted = admitted === 0 ? 0 : await lane.limiter.acquire(admitted, halted);
  if (granted === 0) lane.breaker.cancelled();
  return granted;
}

/** Those whose next attempt is due come first. */
async function claim(run: Run, limit: number): Promise<readonly RecipientRow[]> {
  const { context, send, claims, retries } = run;
  const { store, clock } = context;
  const due = retries.takeDue(limit);
  const take = () =>
    due.length > 0 ? store.claimAgain(send.id, due, clock.now()) : claims.take(limit, clock.now());
  return (await retryUntilStored(take, context)) ?? [];
}

/** Gives back whom quiet hours hold, and from then on claims only whom they do not. */
async function putOff(run: Run, rows: readonly RecipientRow[]): Promise<readonly RecipientRow[]> {
  const { context, send, claims, edge } = run;
  const waiting = edge.waiting(rows).map(({ row }) => row);
  if (waiting.length === 0) return rows;
  await retryUntilStored(() => context.store.release(send.id, waiting), context);
  claims.only((number) => edge.mayStart([number]));
  const held = new Set(waiting);
  return rows.filter(({ row }) => !held.has(row));
}

/** Settles as `skipped` what must not be sent after all, and returns the rest. */
async function leaveOut(run: Run, rows: readonly RecipientRow[]): Promise<readonly RecipientRow[]> {
  const { beforeAttempt } = run.context;
  if (!run.bulk || beforeAttempt === undefined || rows.length === 0) return rows;
  const reasons = await retryUntilStored(() => beforeAttempt(run.send, rows), run.context);
  // Herald stops while the store does not answer: nothing of it is started.
  if (reasons === undefined) return [];
  if (reasons.size === 0) return rows;
  for (const [row, failure] of reasons) void run.keep(() => write(run, row, { state: 'skipped', failure }));
  return rows.filter(({ row }) => !reasons.has(row));
}

/** Waits until this process may start requests; undefined when it must stop before. */
async function epochHeld(
  { lease, clock }: DispatchContext,
  halted: AbortSignal,
): Promise<LeaseEpoch | undefined> {
  for (;;) {
    const epoch = lease.epoch();
    if (epoch.holds()) return epoch;
    await clock.sleep(LOOK_AGAIN_MS, halted);
    if (halted.aborted) return undefined;
  }
}

function inRequests(rows: readonly RecipientRow[], size: number): readonly (readonly RecipientRow[])[] {
  if (size === 1) return rows.map((row) => [row]);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, n) =>
    rows.slice(n * size, (n + 1) * size),
  );
}
