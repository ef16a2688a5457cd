import { within } from '../../core/within.ts';
import type { BulkProgress, BulkRequest, BulkResult, BulkSends, Refusal } from '../bulk.ts';
import type { Failure } from '../outcome.ts';
import type { ApprovalResult, MoreApprovals } from '../ports.ts';
import { isUnsent, type Send, type SendState } from '../send.ts';
import { CAME_TO_NOTHING, mayMove } from '../states.ts';
import { createDecisionRights } from './decision-rights.ts';
import type { BulkDependencies } from './dependencies.ts';
import { approvalsNeededNow } from './policy.ts';
import { reviewOf } from './recipients.ts';
import { HOUR_MS, requestSend } from './request.ts';
import { retryOf, whyNoRetry } from './retries.ts';
import { createRunning, isAsApproved, startProblemIfUnsent } from './running.ts';
import * as say from './sentences.ts';
import { createTimekeeping } from './timekeeping.ts';

/** More sends than ever wait at once. */
const BATCH = 1_000;
/** How long a stopping Herald waits for Slack to take its last messages. */
const ANNOUNCE_RESTART_MS = 3_000;

/** A send that has not begun has a time and checks of its own: no click hurries it. */
const CLICKED_FROM: Readonly<Partial<Record<SendState, SendState>>> = {
  paused: 'sending',
  sending: 'paused',
};
const WAITS_OR_NEVER_BEGAN: ReadonlySet<SendState> = new Set(['awaiting_approval', ...CAME_TO_NOTHING]);

interface LeftOfSend {
  readonly sendId: string;
  readonly left: number;
}

export interface RunningBulkSends extends BulkSends {
  /**
   * Continues what an earlier process left, and starts the tasks.
   *
   * @param stopped sends that were stopped before this start and are not announced yet
   */
  start(stopped?: readonly string[]): Promise<void>;
  /**
   * After `stopping` has aborted: waits at most `deadlineMs` for requests in flight, and shows on the progress messages what
   * is left. Returns the sends that resume after a restart, with the number of recipients left.
   */
  drained(deadlineMs: number): Promise<readonly LeftOfSend[]>;
  /** Ends a send of which nothing was sent, because what was approved has changed. */
  void(by: { sendId: string; userId: string; reason: Failure }): Promise<Send | Refusal>;
  /** Updates the progress message, whatever state the send is in. */
  announceAgain(sendId: string): Promise<void>;
}

/** Bulk sends: requested, approved by others, sent, paused and resumed. */
export function createBulkSends(dependencies: BulkDependencies): RunningBulkSends {
  const { store, announcer, directory, policy, lease, clock, logger, stopping } = dependencies;
  const preparing = new Set<string>();
  const running = createRunning(dependencies, (send) => timekeeping.arm(send), askForMore);
  const timekeeping = createTimekeeping({
    ...dependencies,
    preparing,
    running,
    end,
    askForMore,
    refresh,
    showApproval,
    inBackground,
  });

  async function request(asked: BulkRequest, more?: Parameters<typeof requestSend>[2]): Promise<BulkResult> {
    if (stopping.aborted) return say.STOPPING;
    const result = await requestSend({ ...dependencies, preparing }, asked, more).catch((error: unknown) => {
      logger.error({ error }, 'what a bulk send needs could not be read');
      return say.CANNOT_STORE;
    });
    if (result.state === 'awaiting_approval') {
      await timekeeping.arm(result.send);
      inBackground(showApproval(result.send));
    }
    // If the store's answer was lost, it may have begun already.
    if (result.state === 'started' && result.send.state === 'approved')
      inBackground(timekeeping.begin(result.send));
    return result;
  }

  function inBackground(work: Promise<unknown>): void {
    void work.catch((error: unknown) => logger.error({ error }, 'a bulk send could not be started'));
  }

  const { problemOf, noteRefusal } = createDecisionRights(dependencies);

  async function showApproval(send: Send): Promise<void> {
    // In the background, because Slack may take long.
    inBackground(announcer.showApproval(send));
  }

  /** @param act is given the send as it is now: what is decided is decided about that */
  function onSend<By extends { readonly sendId: string }, Result>(
    act: (send: Send, by: By) => Promise<Result | Refusal>,
  ) {
    return async (by: By) => {
      const send = await store.find(by.sendId);
      return send === undefined ? say.NOT_FOUND : act(send, by);
    };
  }

  async function approve(
    send: Send,
    by: Parameters<BulkSends['approve']>[0],
  ): Promise<ApprovalResult | Refusal> {
    if (send.state !== 'awaiting_approval') return say.notAnyMore(send);
    const problem = await problemOf(send, by);
    if (problem !== undefined) {
      await noteRefusal(send, by.userId, problem);
      return say.WHY_NOT_APPROVE[problem];
    }
    if ((send.approval?.expiresAt ?? 0) <= clock.now()) {
      await end(send, 'expired', 'herald', say.EXPIRED);
      return say.notAnyMore({ ...send, state: 'expired' });
    }
    if (!(await isAsApproved(dependencies, send))) {
      const ended = await change(send, 'cancelled', 'herald', say.CHANGED);
      return ended.state === 'refused' ? ended : say.notAnyMore(ended);
    }
    const needed = approvalsNeededNow(policy, send);
    if (needed > (send.approval?.needed ?? 0)) await askForMore(send, needed);
    const { sendId, userId, digest, warnings } = by;
    const reason = warnings ? { reason: say.warnedOf(warnings) } : {};
    const result = await store.approve({ sendId, userId, digest, at: clock.now(), ...reason });
    if (result.state === 'too_late') return say.notAnyMore(result.send);
    await refresh(sendId);
    if (result.state === 'recorded' && result.complete)
      inBackground(timekeeping.begin({ ...send, state: 'approved' }));
    return result;
  }

  async function reject(send: Send, by: Parameters<BulkSends['reject']>[0]): Promise<Send | Refusal> {
    const problem = await problemOf(send, by);
    if (problem !== undefined) return say.WHY_NOT_APPROVE[problem];
    return change(send, 'rejected', by.userId, say.rejectedFor(by.reason));
  }

  async function withdraw(send: Send, by: Parameters<BulkSends['withdraw']>[0]): Promise<Send | Refusal> {
    if (send.origin.userId !== by.userId) return say.ONLY_REQUESTER;
    return change(send, 'cancelled', by.userId);
  }

  async function byInvolved(
    send: Send,
    { userId }: { readonly userId: string },
    to: 'paused' | 'sending' | 'stopped',
    reason?: Failure,
  ): Promise<Send | Refusal> {
    const involved =
      send.origin.userId === userId || (await directory.whyNot(userId, send.origin.teamId)) === undefined;
    if (!involved) return say.ONLY_INVOLVED;
    const isMeant = (CLICKED_FROM[to] ?? send.state) === send.state;
    return isMeant ? change(send, to, userId, reason) : say.notAnyMore(send);
  }

  async function voidSend(send: Send, by: Parameters<RunningBulkSends['void']>[0]): Promise<Send | Refusal> {
    if (!isUnsent(send)) return say.notAnyMore(send);
    return change(send, send.state === 'paused' ? 'stopped' : 'cancelled', by.userId, by.reason);
  }

  async function change(send: Send, to: SendState, actor: string, reason?: Failure): Promise<Send | Refusal> {
    if (!mayMove(send.state, to) || !(await end(send, to, actor, reason)))
      return say.notAnyMore((await store.find(send.id)) ?? send);
    await refresh(send.id);
    return (await store.find(send.id)) ?? send;
  }

  function end(send: Send, to: SendState, actor: string, reason?: Failure): Promise<boolean> {
    const { id: sendId, state: from, activeAt } = send;
    return store.moveSend({ sendId, from, activeAt, to, at: clock.now(), actor, ...(reason && { reason }) });
  }

  /** Makes a send that has not begun wait for so many approvals, and informs its approvers. */
  async function askForMore({ id, state, approval, activeAt }: Send, needed: number): Promise<void> {
    const at = clock.now();
    const expiresAt = at + policy.expireHours * HOUR_MS;
    const from = state as MoreApprovals['from'];
    const why = { actor: 'herald', reason: say.stricter(needed) };
    if (!(await store.askForMore({ sendId: id, from, activeAt, needed, at, expiresAt, ...why }))) return;
    const send = await store.find(id);
    if (send === undefined) return;
    await timekeeping.arm(send);
    await refresh(id);
    // Slack notifies nobody of a card that is updated in place.
    if (approval?.card !== undefined) inBackground(announcer.remind(send));
  }

  async function announceAgain(sendId: string): Promise<void> {
    const progress = await running.progress(sendId);
    // The card of a send to one person, which this one tried again, is not ours.
    if (progress?.send.audience === undefined) return;
    // A message that does not exist yet is posted only by the process that announces the send.
    if (progress.send.announcement !== undefined || (await store.announces(sendId)))
      await announcer.showProgress(progress);
  }

  /** Updates the approval card and, once the send has begun, the progress message. */
  async function refresh(sendId: string): Promise<void> {
    const progress = await running.progress(sendId);
    if (progress === undefined) return;
    const { send } = progress;
    if (send.approval !== undefined) await showApproval(send);
    if (send.state === 'paused' || (send.announcement !== undefined && WAITS_OR_NEVER_BEGAN.has(send.state)))
      inBackground(announcer.showProgress(progress));
    if (send.state === 'stopped') inBackground(announcer.showEnd(progress));
    inBackground(announcer.notifyRequester(sendId));
    // The original send offers its recipients for a retry again.
    if (send.retryOf !== undefined && CAME_TO_NOTHING.includes(send.state))
      inBackground(announceAgain(send.retryOf));
  }

  async function resume(paused: Send, by: Parameters<BulkSends['resume']>[0]): Promise<Send | Refusal> {
    if (paused.state === 'paused' && (paused.resumeAt ?? 0) > clock.now() && paused.reason !== undefined)
      return say.stillPaused(paused.reason);
    const problem = paused.state === 'paused' ? await startProblemIfUnsent(dependencies, paused) : undefined;
    if (problem === 'unknown') return say.APPROVERS_UNSURE;
    if (problem !== undefined && 'needed' in problem) {
      await askForMore(paused, problem.needed);
      return say.stillPaused(say.stricter(problem.needed));
    }
    if (problem !== undefined) {
      const stopped = await byInvolved(paused, by, 'stopped', problem);
      return stopped.state === 'stopped' ? say.stoppedUnbegun(problem) : stopped;
    }
    const result = await byInvolved(paused, by, 'sending');
    if (result.state === 'sending') running.goOn(result);
    return result;
  }

  async function retry({ sendId, group, ...by }: Parameters<BulkSends['retry']>[0]): Promise<BulkResult> {
    const send = await store.find(sendId);
    if (send?.audience === undefined) return say.NOT_FOUND;
    const refusal = whyNoRetry(send, group);
    if (refusal !== undefined) return refusal;
    const { asked, again } = retryOf({ ...send, audience: send.audience }, group, by, {
      store,
      now: clock.now(),
    });
    const result = await request(asked, again);
    if (result.state !== 'refused') inBackground(announceAgain(sendId));
    return result;
  }

  /** Sends that resume when Herald runs again, of those that this process announces. */
  async function interrupted(): Promise<readonly BulkProgress[]> {
    const left: BulkProgress[] = [];
    // Other replicas continue them at once.
    if (lease.replicas() > 1) return left;
    for (const { id, audience } of await store.findByState(['sending'], BATCH)) {
      if (audience === undefined || !(await store.announces(id))) continue;
      const progress = await running.progress(id);
      if (progress?.send.state === 'sending') left.push(progress);
    }
    return left;
  }

  return {
    request: (asked) => request(asked),
    review: (asked, signal) => reviewOf(asked, dependencies, signal),
    approve: onSend(approve),
    reject: onSend(reject),
    withdraw: onSend(withdraw),
    pause: onSend((send, by) => byInvolved(send, by, 'paused')),
    resume: onSend(resume),
    stop: onSend((send, by) => byInvolved(send, by, 'stopped')),
    void: onSend(voidSend),
    retry,
    progress: running.progress,
    announceAgain,
    start: async (stopped = []) => {
      for (const id of stopped) await refresh(id);
      await timekeeping.start();
    },
    drained: async (deadlineMs) => {
      await within(running.idle(), deadlineMs, clock);
      const left = await interrupted().catch((error: unknown) => {
        logger.error({ error }, 'what is left of bulk sends could not be read');
        return [];
      });
      await within(Promise.all(left.map(announcer.showRestart)), ANNOUNCE_RESTART_MS, clock);
      return left.map(({ send, counts }) => ({ sendId: send.id, left: counts.pending + counts.attempting }));
    },
  };
}
