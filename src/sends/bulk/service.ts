import { within } from '../../core/within.ts';
import type { BulkRequest, BulkResult, BulkSends, Refusal } from '../bulk.ts';
import type { Failure } from '../outcome.ts';
import type { ApprovalResult } from '../ports.ts';
import { isUnsent, type Send, type SendState } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import { createFacts } from './facts.ts';
import { createLoop } from './loop.ts';
import { approvalsNeededNow } from './policy.ts';
import { readProgress } from './progress.ts';
import { reviewOf } from './recipients.ts';
import { requestSend } from './request.ts';
import { retryOf, whyNoRetry } from './retries.ts';
import * as say from './sentences.ts';
import { createShowing, type LeftOfSend } from './showing.ts';

type Click<Name extends 'approve' | 'reject' | 'withdraw' | 'resume' | 'pause'> = Parameters<
  BulkSends[Name]
>[0];

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

/** Bulk sends: requested, approved by others, sent, paused and resumed. Clicks change a send as the loop does. */
export function createBulkSends(dependencies: BulkDependencies): RunningBulkSends {
  const { store, directory, policy, clock, logger, stopping } = dependencies;
  const work = { ...dependencies, preparing: new Set<string>(), followed: new Map() };
  const show = createShowing(work);
  const facts = createFacts(work);
  const loop = createLoop(work, facts, show);

  async function request(asked: BulkRequest, more?: Parameters<typeof requestSend>[2]): Promise<BulkResult> {
    if (stopping.aborted) return say.STOPPING;
    const result = await requestSend(work, asked, more).catch((error: unknown) => {
      logger.error({ error }, 'what a bulk send needs could not be read');
      return say.CANNOT_STORE;
    });
    if (result.state === 'awaiting_approval') show.asked(result.send);
    // If the store's answer was lost, it may have begun already.
    if (result.state === 'awaiting_approval' || result.state === 'started') loop.wake(result.send.id);
    return result;
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

  async function approve(send: Send, by: Click<'approve'>): Promise<ApprovalResult | Refusal> {
    if (send.state !== 'awaiting_approval') return say.notAnyMore(send);
    const problem = await facts.problemOf(send, by);
    if (problem !== undefined) {
      await noteRefusal(send, by.userId, say.REFUSED_APPROVAL[problem]);
      return say.WHY_NOT_APPROVE[problem];
    }
    const due = await loop.decide(send, { click: 'approve' });
    if ('move' in due) {
      await loop.change(send, due, 'herald');
      return say.notAnyMore((await store.find(send.id)) ?? send);
    }
    if ('do' in due && due.do === 'ask for more approvals') await loop.change(send, { do: due.do }, 'herald');
    const { sendId, userId, digest, warnings } = by;
    const reason = warnings ? { reason: say.warnedOf(warnings) } : {};
    const result = await store.approve({ sendId, userId, digest, at: clock.now(), ...reason });
    if (result.state === 'too_late') return say.notAnyMore(result.send);
    await show.changed(sendId);
    loop.wake(sendId);
    return result;
  }

  /** It counts even when the record cannot be written. */
  async function noteRefusal({ id: sendId }: Send, actor: string, reason: Failure): Promise<void> {
    const note = { sendId, action: 'approval_refused', at: clock.now(), actor, reason } as const;
    await store.recordOnce(note).catch((error: unknown) => {
      logger.error({ sendId, error }, 'a refused approval could not be noted');
    });
  }

  async function reject(send: Send, by: Click<'reject'>): Promise<Send | Refusal> {
    const problem = await facts.problemOf(send, by);
    if (problem !== undefined) return say.WHY_NOT_APPROVE[problem];
    return change(send, 'rejected', by.userId, say.rejectedFor(by.reason));
  }

  async function withdraw(send: Send, by: Click<'withdraw'>): Promise<Send | Refusal> {
    if (send.origin.userId !== by.userId) return say.ONLY_REQUESTER;
    return change(send, 'cancelled', by.userId);
  }

  async function isInvolved({ origin }: Send, userId: string): Promise<boolean> {
    return origin.userId === userId || (await directory.whyNot(userId, origin.teamId)) === undefined;
  }

  /** Only while it is sent: what has not begun has a time and checks of its own. */
  async function pause(send: Send, { userId }: Click<'pause'>): Promise<Send | Refusal> {
    if (!(await isInvolved(send, userId))) return say.ONLY_INVOLVED;
    return send.state === 'sending' ? change(send, 'paused', userId) : say.notAnyMore(send);
  }

  async function stop(send: Send, { userId }: Click<'pause'>): Promise<Send | Refusal> {
    return (await isInvolved(send, userId)) ? change(send, 'stopped', userId) : say.ONLY_INVOLVED;
  }

  async function voidSend(send: Send, by: Parameters<RunningBulkSends['void']>[0]): Promise<Send | Refusal> {
    if (!isUnsent(send)) return say.notAnyMore(send);
    return change(send, send.state === 'paused' ? 'stopped' : 'cancelled', by.userId, by.reason);
  }

  async function change(send: Send, to: SendState, actor: string, reason?: Failure): Promise<Send | Refusal> {
    const step = { move: to, ...(reason && { reason }) };
    const isChanged = await loop.change(send, step, actor);
    const now = (await store.find(send.id)) ?? send;
    if (!isChanged) return say.notAnyMore(now);
    loop.wake(send.id);
    return now;
  }

  async function resume(send: Send, by: Click<'resume'>): Promise<Send | Refusal> {
    if (!(await isInvolved(send, by.userId))) return say.ONLY_INVOLVED;
    if (send.state !== 'paused') return say.notAnyMore(send);
    if ((send.resumeAt ?? 0) > clock.now() && send.reason !== undefined) return say.stillPaused(send.reason);
    const due = await loop.decide(send, { click: 'resume' });
    if ('wait' in due) return say.APPROVERS_UNSURE;
    if ('do' in due) {
      await loop.change(send, { do: 'ask for more approvals' }, 'herald');
      loop.wake(send.id);
      return say.stillPaused(say.stricter(approvalsNeededNow(policy, send)));
    }
    const { move, reason } = due;
    const result = await change(send, move, by.userId, reason);
    return result.state === 'stopped' && reason !== undefined ? say.stoppedUnbegun(reason) : result;
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
    if (result.state !== 'refused') show.retried(sendId);
    return result;
  }

  return {
    request: (asked) => request(asked),
    review: (asked, signal) => reviewOf(asked, dependencies, signal),
    approve: onSend(approve),
    reject: onSend(reject),
    withdraw: onSend(withdraw),
    pause: onSend(pause),
    resume: onSend(resume),
    stop: onSend(stop),
    void: onSend(voidSend),
    retry,
    progress: (sendId) => readProgress(work, sendId),
    announceAgain: show.again,
    start: async (stopped = []) => {
      for (const id of stopped) await show.changed(id);
      await loop.start();
    },
    drained: async (deadlineMs) => {
      await within(loop.drained(), deadlineMs, clock);
      return show.left();
    },
  };
}
