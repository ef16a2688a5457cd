import type { BulkProgress } from '../bulk.ts';
import { canariesOf } from '../dispatch/canary.ts';
import type { Failure } from '../outcome.ts';
import type { SendTransition } from '../ports.ts';
import { isUnsent, type Send, settledOf } from '../send.ts';
import { retryUntilStored } from '../store-trouble.ts';
import { createDecisionRights } from './decision-rights.ts';
import type { BulkDependencies } from './dependencies.ts';
import { hasSameRecipients } from './list-digest.ts';
import { approvalsNeededNow } from './policy.ts';
import { findTemplate } from './prepare.ts';
import { digestFor } from './request.ts';
import * as say from './sentences.ts';

/** Minimum time between two updates of a progress message. */
const ANNOUNCE_EVERY_MS = 1_000;
/** How often a process with nothing to claim of a send looks for recipients that others released. */
const LOOK_AGAIN_MS = 1_000;
/** Longer than any wait for a retry, except for a pause that the service asked for, during which the run itself waits. */
const IDLE_MS = 15_000;
/** A send that is later than this for its schedule is paused, not started. */
const LATEST_MS = 3_600_000;

export interface Running {
  /** Starts an approved send, or schedules it. */
  begin(send: Send): Promise<void>;
  /** Sends what is left of a send in state `sending`, alongside other processes. */
  goOn(send: Send): void;
  /** True while this process runs the send. */
  has(sendId: string): boolean;
  progress(sendId: string): Promise<BulkProgress | undefined>;
  /** Announces a send's current state; of its end what was not announced yet. */
  announce(sendId: string): Promise<void>;
  /** Resolves when no send runs here. */
  idle(): Promise<void>;
}

/** A send while it runs here. */
interface RunningSend {
  /** It was resumed before its run had ended. */
  again: boolean;
  /** Time and number of outcomes at the last reading, to compute the speed. */
  lastRead?: { readonly at: number; readonly settled: number };
  /** What this process, which announces it, has shown last: a store that is gone cannot be asked. */
  shown?: BulkProgress;
}

/**
 * Starts sends after a last check, runs them, and announces their progress.
 *
 * @param rested called with each send whose run has ended
 * @param askForMore makes a send wait for this many approvals
 */
export function createRunning(
  dependencies: BulkDependencies,
  rested: (send: Send) => Promise<void>,
  askForMore: (send: Send, needed: number) => Promise<void>,
): Running {
  const { store, dispatcher, announcer, clock, logger, stopping, storeTrouble } = dependencies;
  const running = new Map<string, RunningSend>();
  const work = new Set<Promise<void>>();
  const announcing = new Set<string>();
  /** Sends whose announcement in progress is already out of date. */
  const outdated = new Set<string>();

  async function begin(send: Send): Promise<void> {
    const { startAt } = send;
    if (startAt !== undefined && startAt > clock.now()) {
      await move(send, { to: 'scheduled' });
      return;
    }
    const stop = await obstacleTo(dependencies, send);
    // Slack did not say who may approve: the task retries.
    if (stop === 'unknown') return;
    if (stop !== undefined && 'needed' in stop) return askForMore(send, stop.needed);
    if (stop !== undefined) {
      await move(send, stop);
      await announceNow(send.id);
      // Its recipients can be retried again from the original send.
      if (send.retryOf !== undefined) await announceNow(send.retryOf);
      return;
    }
    if (await move(send, { to: 'sending' })) goOn({ ...send, state: 'sending' });
  }

  function move({ id, state: from }: Send, how: Pick<SendTransition, 'to' | 'reason'>): Promise<boolean> {
    return store.moveSend({ sendId: id, from, ...how, at: clock.now(), actor: 'herald' });
  }

  function goOn(send: Send): void {
    const before = running.get(send.id);
    // Resumed before the requests in flight at its pause had ended.
    if (before !== undefined) before.again = true;
    else {
      const run: Promise<void> = runToRest(send)
        .catch((error: unknown) =>
          logger.error({ sendId: send.id, error }, 'a bulk send ended in a way that is a bug'),
        )
        .finally(() => work.delete(run));
      work.add(run);
    }
  }

  async function runToRest({ id }: Send): Promise<void> {
    const mine: RunningSend = { again: false };
    running.set(id, mine);
    try {
      do {
        mine.again = false;
        await runTogether(id);
      } while (mine.again && !stopping.aborted);
    } finally {
      running.delete(id);
    }
    const send = await retryUntilStored(() => store.find(id), dependencies);
    if (send !== undefined) await rested(send);
    // Last, because Slack may take long.
    if (await retryUntilStored(() => store.announces(id), dependencies)) await announceNow(id);
  }

  async function runTogether(sendId: string): Promise<void> {
    let idleSince: number | undefined;
    while (!stopping.aborted) {
      const send = await retryUntilStored(() => store.find(sendId), dependencies);
      if (send?.state !== 'sending') return;
      // Only the owner sends to the canaries; other processes wait for the verdict.
      if (canariesOf(send) > 0 && !(await retryUntilStored(() => store.owns(sendId), dependencies))) {
        await clock.sleep(LOOK_AGAIN_MS, stopping);
        continue;
      }
      progressed(sendId);
      await dispatcher.run(send, { progressed: () => progressed(sendId) });
      const left = await retryUntilStored(() => store.find(sendId), dependencies);
      if (left?.state !== 'sending') return;
      // Other processes have the rest; if one of them dies, it can be claimed again.
      idleSince = isIdle(send, left) ? (idleSince ?? clock.monotonic()) : undefined;
      if (idleSince !== undefined && clock.monotonic() - idleSince >= IDLE_MS) {
        idleSince = undefined;
        await reclaim(left);
      }
      await clock.sleep(LOOK_AGAIN_MS, stopping);
    }
  }

  async function reclaim({ id, counts: { pending } }: Send): Promise<void> {
    if (stopping.aborted) return;
    logger.error(
      { sendId: id, pending },
      'a bulk send had recipients left and nobody worked on them; they can be claimed again',
    );
    await retryUntilStored(() => store.rewind(id), dependencies);
  }

  async function announceNow(sendId: string): Promise<void> {
    const progress = await readProgress(sendId);
    if (progress === undefined) return;
    const { state } = progress.send;
    const show = state === 'sending' || state === 'paused' ? announcer.showProgress : announcer.showEnd;
    await Promise.all([show(progress), announcer.notifyRequester(sendId)]);
  }

  function progressed(sendId: string): void {
    if (announcing.has(sendId)) return;
    announcing.add(sendId);
    void announceProgress(sendId)
      .catch((error: unknown) => logger.error({ sendId, error }, 'progress could not be announced'))
      .finally(() => {
        announcing.delete(sendId);
        if (outdated.delete(sendId)) progressed(sendId);
      });
  }

  async function announceProgress(sendId: string): Promise<void> {
    await clock.sleep(ANNOUNCE_EVERY_MS, stopping);
    if (stopping.aborted) return;
    const run = running.get(sendId);
    if (storeTrouble.since() !== undefined && run?.shown !== undefined) {
      const { send, counts, failures } = run.shown;
      return announcer.showProgress({ send, counts, failures, perSecond: 0, stalled: true });
    }
    if (!(await store.announces(sendId))) return;
    const progress = await readProgress(sendId);
    if (progress?.send.state !== 'sending') return;
    if (run !== undefined) run.shown = progress;
    await announcer.showProgress(progress);
  }

  async function readProgress(sendId: string): Promise<BulkProgress | undefined> {
    const send = await store.find(sendId);
    if (send === undefined) return undefined;
    const { counts } = send;
    const settled = settledOf(counts);
    const run = running.get(sendId);
    const now = { at: clock.monotonic(), settled };
    const { lastRead: before = now } = run ?? {};
    const seconds = (now.at - before.at) / 1_000;
    const perSecond = seconds > 0 ? (settled - before.settled) / seconds : 0;
    if (run !== undefined) run.lastRead = now;
    const left = counts.pending + counts.attempting;
    return {
      send,
      counts,
      perSecond,
      ...(perSecond > 0 && left > 0 && { remainingMs: (left / perSecond) * 1_000 }),
      failures: await store.failures(sendId),
      ...(storeTrouble.since() !== undefined && { stalled: true }),
    };
  }

  // Whatever runs here says that it has stalled, and that it goes on.
  storeTrouble.onChange(() => {
    for (const sendId of running.keys()) {
      if (announcing.has(sendId)) outdated.add(sendId);
      else progressed(sendId);
    }
  });

  return {
    begin,
    goOn,
    has: (sendId) => running.has(sendId),
    progress: readProgress,
    announce: announceNow,
    idle: async () => {
      await Promise.all(work);
    },
  };
}

/** True when recipients are left, none is attempted, and nothing changed since the last reading. */
function isIdle({ counts: before }: Send, { counts: after }: Send): boolean {
  return after.pending > 0 && after.attempting === 0 && after.pending === before.pending;
}

/** False when message, template, audience or schedule have changed since the send was sealed. */
export async function isAsApproved(dependencies: BulkDependencies, send: Send): Promise<boolean> {
  const audience = send.audience && (await dependencies.audiences.find(send.audience.id));
  const template = await findTemplate(dependencies, send.message);
  return audience !== undefined && digestFor(send, audience, template) === send.digest;
}

/** Why a send must not start now, and its new state. */
async function obstacleTo(dependencies: BulkDependencies, send: Send) {
  const problem = await startProblem(dependencies, send);
  if (problem === 'unknown' || (problem !== undefined && 'needed' in problem)) return problem;
  if (problem !== undefined) return { to: 'cancelled', reason: problem } as const;
  const late = await whyTooLate(dependencies, send);
  return late && ({ to: 'paused', reason: late } as const);
}

/** Why a scheduled send is too late to start without a person's decision. */
async function whyTooLate({ store, clock }: BulkDependencies, send: Send): Promise<Failure | undefined> {
  const { id, startAt } = send;
  if (startAt === undefined) return undefined;
  const approvals = await store.approvals(id);
  if (approvals.some(({ at }) => at > startAt)) return say.APPROVED_LATE;
  return clock.now() - startAt > LATEST_MS ? say.MISSED : undefined;
}

/** Why a send must not start: more approvals are needed, a final reason, or Slack does not say who may approve. */
type StartProblem = { readonly needed: number } | Failure | 'unknown';

/** Whether a send that has not begun is still what enough people approved. */
async function startProblem(dependencies: BulkDependencies, send: Send): Promise<StartProblem | undefined> {
  if (!(await isAsApproved(dependencies, send))) return say.CHANGED;
  const problem = await approvalProblem(dependencies, send);
  // Last, because a long list takes seconds to read.
  return problem ?? ((await hasSameRecipients(send, dependencies.store)) ? undefined : say.CHANGED);
}

/** A send that was paused before anything was sent is checked like one that starts. */
export async function startProblemIfUnsent(
  dependencies: BulkDependencies,
  send: Send,
): Promise<StartProblem | undefined> {
  return isUnsent(send) ? startProblem(dependencies, send) : undefined;
}

/** At the start those who approved must still be approvers, and enough by the rules of that moment. */
async function approvalProblem(
  dependencies: BulkDependencies,
  send: Send,
): Promise<StartProblem | undefined> {
  const needed = approvalsNeededNow(dependencies.policy, send);
  if (needed === 0) return undefined;
  const approvals = await dependencies.store.approvals(send.id);
  const { problemOf } = createDecisionRights(dependencies);
  const { teamId } = send.origin;
  const answers = await Promise.all(approvals.map(({ userId }) => problemOf(send, { userId, teamId })));
  const standing = answers.filter((answer) => answer === undefined).length;
  if (standing >= needed) return undefined;
  if (answers.includes('unknown')) return 'unknown';
  return standing >= (send.approval?.needed ?? 0) ? { needed } : say.ROLE_LOST;
}
