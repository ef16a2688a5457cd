import { createBackgroundWork } from '../background-work.ts';
import { retryUntilStored } from '../dispatch/retry-until-stored.ts';
import type { Send, SendState } from '../send.ts';
import { mayMove } from '../states.ts';
import type { Task } from '../tasks.ts';
import type { BulkWork, Followed } from './dependencies.ts';
import type { createFacts } from './facts.ts';
import { AGAIN_MS, type Facts, LOOK_AGAIN_MS, next, type Step } from './next.ts';
import { approvalsNeededNow } from './policy.ts';
import { HOUR_MS } from './request.ts';
import * as say from './sentences.ts';
import type { Showing } from './showing.ts';

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

/**
 * Does what `next` says is due: for each send that a task, a click or a look names it reads, asks `next`, does it, and
 * again. What others changed meanwhile the store refuses to change, and `next` is asked anew.
 */
export function createLoop(work: BulkWork, { answers }: ReturnType<typeof createFacts>, show: Showing) {
  const { store, dispatcher, tasks, policy, lease, preparing, followed, clock, logger, stopping } = work;
  const { keep, createLoop: repeat, drained } = createBackgroundWork('the work on bulk sends', work);
  /** Sends whose reminder is known to be recorded. */
  const reminded = new Set<string>();
  let helpedAt = Number.NEGATIVE_INFINITY;

  /** Does what is due for a send. Resolves once nothing is, or it is being sent. */
  function look(sendId: string): Promise<void> {
    const before = followed.get(sendId);
    const mine = before ?? { again: true, looked: Promise.withResolvers<void>(), isAtWork: false };
    mine.again = true;
    if (before === undefined) {
      followed.set(sendId, mine);
      keep(follow(sendId, mine));
    }
    return mine.looked.promise;
  }

  /** Looks without anybody who waits for it. */
  function wake(sendId: string): void {
    look(sendId).catch((error: unknown) =>
      logger.error({ sendId, error }, 'a bulk send could not be looked at; it is looked at again later'),
    );
  }

  async function follow(sendId: string, mine: Followed): Promise<void> {
    try {
      while (mine.again && !stopping.aborted) {
        mine.again = false;
        await doWhatIsDue(sendId, mine);
      }
      mine.looked.resolve();
    } catch (error) {
      if (mine.isAtWork) logger.error({ sendId, error }, 'a bulk send ended in a way that is a bug');
      mine.looked.reject(error);
    } finally {
      followed.delete(sendId);
    }
    // Last, because Slack may take long.
    if (mine.isAtWork) await show.rested(sendId);
  }

  async function doWhatIsDue(sendId: string, mine: Followed): Promise<void> {
    while (!stopping.aborted) {
      const send = await surely(mine, () => store.find(sendId));
      if (send?.audience === undefined) return;
      const seen = seenBy(mine, send);
      const step = await surely(mine, () => decide(send, seen));
      if (step === undefined || ('do' in step && step.do === 'nothing')) return;
      if ('wait' in step && send.state !== 'sending') return arm({ kind: 'look', sendId }, step.wait);
      await carryOut(send, step, mine);
    }
  }

  /** While it is sent, what only this process knows must be written, however long the store is gone. */
  async function surely<T>({ isAtWork }: Followed, ask: () => Promise<T>): Promise<T | undefined> {
    return isAtWork ? retryUntilStored(ask, work) : ask();
  }

  /** What this process knows of its own work on a send, by comparison with how it was before. */
  function seenBy(mine: Followed, send: Send): Partial<Facts> {
    const { before } = mine;
    const now = clock.monotonic();
    if (before === undefined) return { idleMs: now - (mine.idleSince ?? now) };
    mine.before = undefined;
    mine.idleSince = isIdle(before, send) ? (mine.idleSince ?? now) : undefined;
    return { isThrough: true, idleMs: now - (mine.idleSince ?? now) };
  }

  /** What is due for a send as it was read, once everything is looked up that this depends on. */
  async function decide(send: Send, seen: Partial<Facts> = {}): Promise<Decided> {
    for (let facts = { ...known(send), ...seen }; ; ) {
      const step = next(send, facts, clock.now());
      if (!('ask' in step)) return step;
      // If this process dies meanwhile, another one looks.
      if (step.ask === 'template') void arm({ kind: 'look', sendId: send.id }, clock.now() + AGAIN_MS);
      facts = { ...facts, [step.ask]: await answers[step.ask](send) };
    }
  }

  function known(send: Send): Facts {
    return {
      needed: approvalsNeededNow(policy, send),
      lateAfterMinutes: policy.lateAfterMinutes,
      isPreparing: preparing.has(send.id),
      isReminded: reminded.has(send.id),
      isAtWork: followed.get(send.id)?.isAtWork === true,
    };
  }

  async function carryOut(send: Send, step: Decided, mine: Followed): Promise<unknown> {
    if ('wait' in step) return clock.sleep(LOOK_AGAIN_MS, stopping);
    if ('move' in step) return change(send, step, HERALD);
    switch (step.do) {
      case 'ask for more approvals':
        return change(send, { do: step.do }, HERALD);
      case 'remind':
        return remind(send);
      case 'send':
        return sendWhatIsLeft(send, mine);
      case 'make claimable again':
        mine.idleSince = undefined;
        return reclaim(send);
      case 'nothing':
        return;
    }
  }

  /** The one door for every change of a send by Herald or a person: true when it was still as it was seen. */
  async function change(send: Send, step: Change, actor: string): Promise<boolean> {
    const { id: sendId, state: from, activeAt } = send;
    const seen = { sendId, activeAt, at: clock.now(), actor };
    if ('move' in step) {
      const { move: to, reason } = step;
      if (!mayMove(from, to) || !(await store.moveSend({ ...seen, from, to, ...(reason && { reason }) })))
        return false;
      if (to === 'paused' && reason !== undefined)
        logger.warn({ sendId, why: reason.what }, 'a bulk send was paused');
      await show.changed(sendId);
      return true;
    }
    const needed = approvalsNeededNow(policy, send);
    const asked = { ...seen, from: from as 'scheduled', needed, reason: say.stricter(needed) };
    if (!(await store.askForMore({ ...asked, expiresAt: seen.at + policy.expireHours * HOUR_MS })))
      return false;
    await show.changed(sendId);
    // Slack notifies nobody of a card that is updated in place.
    if (send.approval?.card !== undefined) show.reminded(send);
    return true;
  }

  /** Recorded before it is posted: a missed reminder is better than one at every restart. */
  async function remind(send: Send): Promise<void> {
    const note = { sendId: send.id, action: 'reminded', at: clock.now(), actor: HERALD } as const;
    const first = await store.recordOnce(note);
    reminded.add(send.id);
    if (first) show.reminded(send);
  }

  async function sendWhatIsLeft(send: Send, mine: Followed): Promise<void> {
    const { id } = send;
    mine.isAtWork = true;
    mine.before = send;
    mine.looked.resolve();
    show.progressed(id);
    await dispatcher.run(send, { progressed: () => show.progressed(id) });
  }

  async function reclaim({ id, counts: { pending } }: Send): Promise<void> {
    logger.error(
      { sendId: id, pending },
      'a bulk send had recipients left and nobody worked on them; they can be claimed again',
    );
    await retryUntilStored(() => store.rewind(id), work);
  }

  /** Never rejects: the next look for lost tasks finds what could not be armed. */
  async function arm(task: Task, at: number): Promise<void> {
    await tasks.arm(task, at).catch((error: unknown) => {
      logger.error({ task, error }, 'a task could not be armed; the next look will find it');
    });
  }

  /** Looks at those of the sends in these states for which something is due now, or before the next look. */
  async function lookAtAll(sends: readonly Send[]): Promise<void> {
    for (const send of sends) {
      if (send.audience === undefined) continue;
      const step = next(send, known(send), clock.now());
      const isFar = 'wait' in step && step.wait > clock.now() + LOOK_EVERY_MS;
      if (!isFar && !('do' in step && step.do === 'nothing')) await look(send.id);
    }
  }

  /** What a task says is only when to look. Without a send it finds lost tasks, in one process at a time. */
  async function doTask({ sendId }: Task): Promise<void> {
    if (stopping.aborted) return;
    if (sendId !== undefined) return look(sendId);
    await tasks.arm({ kind: 'look' }, clock.now() + LOOK_EVERY_MS);
    const waiting = await store.findByState(TIMED, BATCH);
    const ids = new Set(waiting.map(({ id }) => id));
    for (const id of reminded) if (!ids.has(id)) reminded.delete(id);
    await show.waiting(waiting);
    await lookAtAll(waiting);
  }

  /** Joins sends that another process has started or that died in the middle, and ends drafts that nobody completes. */
  async function help(): Promise<void> {
    await lookAtAll(await store.findByState(['sending'], BATCH));
    await show.untold();
    if (clock.monotonic() - helpedAt < LOOK_EVERY_MS) return;
    helpedAt = clock.monotonic();
    await lookAtAll(await store.findByState(['draft'], BATCH));
    await show.missing();
  }

  return {
    wake,
    decide,
    change,
    /** Continues what an earlier process left, and starts the tasks. */
    start: async () => {
      await help();
      await tasks.start(doTask);
      await arm({ kind: 'look' }, clock.now());
      const everyMs = lease.exclusive ? ALONE_EVERY_MS : HELP_EVERY_MS;
      repeat('looking for sends to help with', () => help().then(() => everyMs)).start(everyMs);
    },
    /** Resolves when no send is looked at or sent here. */
    drained,
  };
}

/** True when recipients are left, none is attempted, and nothing changed since the last reading. */
function isIdle({ counts: before }: Send, { counts: after }: Send): boolean {
  return after.pending > 0 && after.attempting === 0 && after.pending === before.pending;
}
