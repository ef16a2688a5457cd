import type { Send, SendState } from '../send.ts';
import { mayMove } from '../states.ts';
import { retryUntilStored } from '../store-trouble.ts';
import type { Task } from '../tasks.ts';
import type { BulkWork, Followed } from './dependencies.ts';
import { LOOK_UP } from './facts.ts';
import { AGAIN_MS, type Facts, LOOK_AGAIN_MS, next, type Step } from './next.ts';
import { approvalsNeededNow, HOUR_MS } from './policy.ts';
import * as say from './sentences.ts';

/*
 * Does what `next` says is due: of each send that a task, a click or a look names it reads how it stands, asks `next`, does
 * it, and again. What others changed meanwhile the store refuses to change, and `next` is asked anew.
 */

/** How often one process looks for lost tasks; those due before the next look are armed. */
const LOOK_EVERY_MS = 30_000;
/** How often a process looks for sends to join, with replicas and without. */
const HELP_EVERY_MS = 1_000;
const ALONE_EVERY_MS = 15_000;
/** More sends than ever wait at once; the next look takes the rest. */
const BATCH = 1_000;
/** States in which something may become due. */
const TIMED: readonly SendState[] = ['awaiting_approval', 'approved', 'scheduled', 'paused'];
const HERALD = 'herald';

type Decided = Exclude<Step, { readonly ask: unknown }>;
type Change = Extract<Step, { readonly move: unknown }> | { readonly do: 'ask for more approvals' };

/** Continues what an earlier process left, and starts the tasks. */
export async function startLoop(work: BulkWork): Promise<void> {
  const { tasks, lease, background, clock } = work;
  const everyMs = lease.exclusive ? ALONE_EVERY_MS : HELP_EVERY_MS;
  let lookedAt = clock.monotonic();
  // Sends that another process has started are joined, or continued when it died; drafts are those that nobody completes.
  const lookAtThose = async (state: SendState) =>
    lookAtAll(work, await work.store.findByState([state], BATCH));
  await lookAtThose('sending');
  await lookAtThose('draft');
  await tasks.start((task) => doTask(work, task));
  await arm(work, {}, clock.now());
  const helping = background.createLoop('looking for sends to help with', async () => {
    await lookAtThose('sending');
    if (clock.monotonic() - lookedAt < LOOK_EVERY_MS) return everyMs;
    lookedAt = clock.monotonic();
    await lookAtThose('draft');
    return everyMs;
  });
  helping.start(everyMs);
}

/** Looks without anybody who waits for it. */
export function wake(work: BulkWork, sendId: string): void {
  look(work, sendId).catch((error: unknown) =>
    work.logger.error({ sendId, error }, 'a bulk send could not be looked at; it is looked at again later'),
  );
}

/** Decides what is due for a send as it was read, once everything is looked up that this depends on. */
export async function decide(work: BulkWork, send: Send, seen: Partial<Facts> = {}): Promise<Decided> {
  for (let facts = { ...known(work, send), ...seen }; ; ) {
    const step = next(send, facts, work.clock.now());
    if (!('ask' in step)) return step;
    // If this process dies meanwhile, another one looks.
    if (step.ask === 'template') void arm(work, { sendId: send.id }, work.clock.now() + AGAIN_MS);
    facts = { ...facts, [step.ask]: await LOOK_UP[step.ask](work, send) };
  }
}

/** The one door for changes of a send, by Herald or a person: true when it was still as it was seen. */
export async function change(work: BulkWork, send: Send, step: Change, actor = HERALD): Promise<boolean> {
  const { store, policy, clock } = work;
  const { id: sendId, state, activeAt } = send;
  const seen = { sendId, activeAt, at: clock.now(), actor };
  if ('do' in step) {
    const from = state as 'scheduled';
    const needed = approvalsNeededNow(policy, send);
    const expiresAt = seen.at + policy.expireHours * HOUR_MS;
    return store.askForMore({ ...seen, from, needed, expiresAt, reason: say.stricter(needed) });
  }
  const { move: to, reason } = step;
  if (!mayMove(state, to)) return false;
  return store.moveSend({ ...seen, from: state, to, ...(reason && { reason }) });
}

/** Does what is due for a send. Resolves once nothing is, or it is being sent. */
function look(work: BulkWork, sendId: string): Promise<void> {
  const { followed, background } = work;
  const before = followed.get(sendId);
  const mine = before ?? { again: true, looked: Promise.withResolvers<void>(), isAtWork: false };
  mine.again = true;
  if (before === undefined) {
    followed.set(sendId, mine);
    background.keep(follow(work, sendId, mine));
  }
  return mine.looked.promise;
}

async function follow(work: BulkWork, sendId: string, mine: Followed): Promise<void> {
  try {
    while (mine.again && !work.stopping.aborted) {
      mine.again = false;
      await doWhatIsDue(work, sendId, mine);
    }
    mine.looked.resolve();
  } catch (error) {
    if (mine.isAtWork) work.logger.error({ sendId, error }, 'a bulk send ended in a way that is a bug');
    mine.looked.reject(error);
  } finally {
    work.followed.delete(sendId);
  }
}

async function doWhatIsDue(work: BulkWork, sendId: string, mine: Followed): Promise<void> {
  // While it is sent, what only this process knows must be written, however long the store is gone.
  const surely = <T>(ask: () => Promise<T>) => (mine.isAtWork ? retryUntilStored(ask, work) : ask());
  while (!work.stopping.aborted) {
    const send = await surely(() => work.store.find(sendId));
    if (send?.audience === undefined) return;
    const seen = seenBy(mine, send, work.clock.monotonic());
    const step = await surely(() => decide(work, send, seen));
    if (step === undefined || isNothing(step)) return;
    if ('wait' in step && send.state !== 'sending') return arm(work, { sendId }, step.wait);
    const isDone = await carryOut(work, send, step, mine);
    // Somebody was quicker. Should the store refuse it again and again, it is not asked without a rest.
    if (isDone === false) await work.clock.sleep(LOOK_AGAIN_MS, work.stopping);
  }
}

function known({ policy, preparing, reminded, followed }: BulkWork, send: Send): Facts {
  return {
    needed: approvalsNeededNow(policy, send),
    lateAfterMinutes: policy.lateAfterMinutes,
    isPreparing: preparing.has(send.id),
    isReminded: reminded.has(send.id),
    isAtWork: followed.get(send.id)?.isAtWork === true,
  };
}

/** Finds what this process knows of its own work on a send, by comparison with how it was before. */
function seenBy(mine: Followed, send: Send, now: number): Partial<Facts> {
  const { before } = mine;
  mine.before = undefined;
  const { pending, attempting } = send.counts;
  // Recipients are left, none is attempted, and nothing changed since the last reading.
  const isIdle = pending > 0 && attempting === 0 && pending === before?.counts.pending;
  if (before !== undefined) mine.idleSince = isIdle ? (mine.idleSince ?? now) : undefined;
  return { isThrough: before !== undefined, idleMs: now - (mine.idleSince ?? now) };
}

async function carryOut(work: BulkWork, send: Send, step: Decided, mine: Followed): Promise<unknown> {
  if ('wait' in step) return work.clock.sleep(LOOK_AGAIN_MS, work.stopping);
  if ('move' in step) return change(work, send, step);
  switch (step.do) {
    case 'ask for more approvals':
      return change(work, send, { do: step.do });
    case 'remind':
      return remind(work, send);
    case 'send':
      mine.isAtWork = true;
      mine.before = send;
      mine.looked.resolve();
      return work.dispatcher.run(send);
    case 'make claimable again':
      return makeClaimable(work, send, mine);
    case 'nothing':
      return;
  }
}

/** Recorded before it is posted: a missed reminder is better than one at every restart. */
async function remind(work: BulkWork, send: Send): Promise<void> {
  const note = { sendId: send.id, action: 'reminded', at: work.clock.now(), actor: HERALD } as const;
  await work.store.recordOnce(note);
  work.reminded.add(send.id);
}

async function makeClaimable(work: BulkWork, { id, counts }: Send, mine: Followed): Promise<void> {
  mine.idleSince = undefined;
  // With replicas another one may keep them to try them again, for example until the service answers.
  work.logger.warn(
    { sendId: id, pending: counts.pending },
    'a bulk send had recipients left that nobody attempted for a while; they can be claimed again',
  );
  await retryUntilStored(() => work.store.rewind(id), work);
}

/** Never rejects: the next look for lost tasks finds what could not be armed. */
async function arm({ tasks, logger }: BulkWork, task: Task, at: number): Promise<void> {
  await tasks.arm(task, at).catch((error: unknown) => {
    logger.error({ task, error }, 'a task could not be armed; the next look will find it');
  });
}

/** A task says only when to look. Without a send it finds lost tasks, in one process at a time. */
async function doTask(work: BulkWork, { sendId }: Task): Promise<void> {
  const { store, tasks, reminded, quiet, clock, stopping } = work;
  if (stopping.aborted) return;
  if (sendId !== undefined) return look(work, sendId);
  await tasks.arm({}, clock.now() + LOOK_EVERY_MS);
  const waiting = await store.findByState(TIMED, BATCH);
  const ids = new Set(waiting.map(({ id }) => id));
  for (const known of [reminded, quiet]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  await showQuietHours(work, waiting);
  await lookAtAll(work, waiting);
}

/** Cards say when what is approved now goes out: they are shown again when quiet hours have begun or ended. */
async function showQuietHours(work: BulkWork, sends: readonly Send[]): Promise<void> {
  const { store, quiet, quietHours, clock } = work;
  for (const { id, audience, state, startAt, message, createdAt } of sends) {
    if (audience === undefined || state !== 'awaiting_approval' || startAt !== undefined) continue;
    const before = quiet.has(id) ? quiet.get(id) : quietHours(message, createdAt);
    const now = quietHours(message, clock.now());
    quiet.set(id, now);
    if (before !== now) await store.showAgain(id);
  }
}

/** Looks at those of these sends for which something is due now, or before the next look. */
async function lookAtAll(work: BulkWork, sends: readonly Send[]): Promise<void> {
  for (const send of sends) {
    if (send.audience === undefined) continue;
    const now = work.clock.now();
    const step = next(send, known(work, send), now);
    const isFar = 'wait' in step && step.wait > now + LOOK_EVERY_MS;
    if (!isFar && !isNothing(step)) await look(work, send.id);
  }
}

function isNothing(step: Step): boolean {
  return 'do' in step && step.do === 'nothing';
}
