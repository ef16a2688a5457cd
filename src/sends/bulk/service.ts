import type { BulkRequest, BulkResult, Refusal } from '../bulk.ts';
import type { Failure } from '../outcome.ts';
import type { ApprovalResult } from '../ports.ts';
import { isUnsent, type RetryGroup, type Send, type SendState } from '../send.ts';
import { type BulkDependencies, type BulkWork, createWork } from './dependencies.ts';
import { problemOf } from './facts.ts';
import { change, decide, startLoop, wake } from './loop.ts';
import { approvalsNeededNow } from './policy.ts';
import { leftOutOf, type RecipientSource, type Reviewed, reviewOf } from './recipients.ts';
import { repeatsOf } from './repeats.ts';
import { recipientsIn, requestSend, whyNoRetry } from './request.ts';
import * as say from './sentences.ts';

/** A person has clicked below a send. */
interface Click {
  readonly sendId: string;
  readonly userId: string;
}
type Decision = Click & { readonly teamId: string };
type Retry = Pick<BulkRequest, 'origin' | 'requestKey'> & {
  readonly sendId: string;
  readonly group: RetryGroup;
};

export type RunningBulkSends = ReturnType<typeof createBulkSends>;
export type BulkSends = Omit<RunningBulkSends, 'start' | 'drained' | 'void'>;

/** More sends than ever are under way at once. */
const BATCH = 1_000;

/** Bulk sends: requested, approved by others, sent, paused and resumed. Clicks change a send as the loop does. */
export function createBulkSends(dependencies: BulkDependencies) {
  const work = createWork(dependencies);

  /** @param act is given the send as it is now: what is decided is decided about that */
  function onSend<By extends { readonly sendId: string }, Result>(
    act: (work: BulkWork, send: Send, by: By) => Promise<Result | Refusal>,
  ) {
    return async (by: By) => {
      const send = await work.store.find(by.sendId);
      return send === undefined ? say.NOT_FOUND : act(work, send, by);
    };
  }

  return {
    request: (asked: BulkRequest) => request(work, asked),
    /**
     * Finds what this request would come to now. Every row is read, which takes as long as the list is. Undefined when it
     * would be refused, or `signal` has aborted.
     */
    review: (asked: Reviewed, signal?: AbortSignal) => reviewOf(asked, work, signal),
    leftOut: (asked: Reviewed) => leftOutOf(asked, work),
    /** `digest`, `warnings` and `repeats` (which they are) are those of the card that was clicked. */
    approve: onSend(approve),
    reject: onSend(reject),
    /** Only by the requester, before it has started; approvals are void. */
    withdraw: onSend(withdraw),
    pause: onSend(pause),
    resume: onSend(resume),
    /** Ends it for good: the rest is never sent. */
    stop: onSend(stop),
    /** Ends a send of which nothing was sent, because what was approved has changed. */
    void: onSend(voidUnsent),
    /**
     * A new send to one group of an ended send's recipients, with approval like any other. There is one retry per group:
     * later requests return it as `repeated`, unless it ended before it sent anything.
     */
    retry: (by: Retry) => retry(work, by),
    start: () => startLoop(work),
    /**
     * After `stopping` has aborted: waits at most `deadlineMs` for requests in flight. Returns the sends that resume after a
     * restart, with the number of recipients left.
     */
    drained: async (deadlineMs: number) => {
      await work.background.drain(deadlineMs);
      return left(work);
    },
  };
}

async function request(work: BulkWork, asked: BulkRequest, among?: RecipientSource): Promise<BulkResult> {
  if (work.stopping.aborted) return say.STOPPING;
  const result = await requestSend(work, asked, among).catch((error: unknown) => {
    work.logger.error({ error }, 'what a bulk send needs could not be read');
    return say.CANNOT_STORE;
  });
  // If the store's answer was lost, it may have begun already.
  if (result.state === 'awaiting_approval' || result.state === 'started') wake(work, result.send.id);
  return result;
}

async function approve(
  work: BulkWork,
  send: Send,
  by: Decision & { readonly digest: string; readonly warnings?: string; readonly repeats?: string },
): Promise<ApprovalResult | Refusal> {
  const { store, clock } = work;
  if (send.state !== 'awaiting_approval') return say.notAnyMore(send);
  const problem = await problemOf(work, send, by);
  if (problem !== undefined) {
    await noteRefusal(work, by, say.REFUSED_APPROVAL[problem]);
    return say.WHY_NOT_APPROVE[problem];
  }
  const due = await decide(work, send, { click: 'approve' });
  if ('move' in due) {
    await change(work, send, due);
    return say.notAnyMore((await store.find(send.id)) ?? send);
  }
  if ('do' in due && due.do === 'ask for more approvals') await change(work, send, { do: due.do });
  const { sendId, userId, digest, warnings = '' } = by;
  // The card may be hours old.
  const repeats = await repeatsOf(send, { store, now: clock.now() });
  if (repeats !== undefined && repeats.which !== by.repeats) {
    await store.showAgain(sendId);
    return say.REPEATS_SINCE;
  }
  const reason = warnings ? { reason: say.warnedOf(warnings) } : {};
  const result = await store.approve({ sendId, userId, digest, at: clock.now(), ...reason });
  if (result.state === 'too_late') return say.notAnyMore(result.send);
  wake(work, sendId);
  return result;
}

/** It counts even when the record cannot be written. */
async function noteRefusal(work: BulkWork, { sendId, userId: actor }: Click, reason: Failure): Promise<void> {
  const { store, clock, logger } = work;
  const note = { sendId, action: 'approval_refused', at: clock.now(), actor, reason } as const;
  await store.recordOnce(note).catch((error: unknown) => {
    logger.error({ sendId, error }, 'a refused approval could not be noted');
  });
}

async function reject(
  work: BulkWork,
  send: Send,
  by: Decision & { readonly reason: string },
): Promise<Send | Refusal> {
  const problem = await problemOf(work, send, by);
  if (problem !== undefined) return say.WHY_NOT_APPROVE[problem];
  return move(work, send, 'rejected', by.userId, say.rejectedFor(by.reason));
}

async function withdraw(work: BulkWork, send: Send, { userId }: Click) {
  return send.origin.userId === userId ? move(work, send, 'cancelled', userId) : say.ONLY_REQUESTER;
}

async function isInvolved({ directory }: BulkWork, { origin }: Send, userId: string): Promise<boolean> {
  return origin.userId === userId || (await directory.whyNot(userId, origin.teamId)) === undefined;
}

/** Only while it is sent: what has not begun has a time and checks of its own. */
async function pause(work: BulkWork, send: Send, { userId }: Click) {
  if (!(await isInvolved(work, send, userId))) return say.ONLY_INVOLVED;
  return send.state === 'sending' ? move(work, send, 'paused', userId) : say.notAnyMore(send);
}

async function stop(work: BulkWork, send: Send, { userId }: Click) {
  return (await isInvolved(work, send, userId)) ? move(work, send, 'stopped', userId) : say.ONLY_INVOLVED;
}

async function voidUnsent(
  work: BulkWork,
  send: Send,
  { userId, reason }: Click & { readonly reason: Failure },
) {
  if (!isUnsent(send)) return say.notAnyMore(send);
  return move(work, send, send.state === 'paused' ? 'stopped' : 'cancelled', userId, reason);
}

async function resume(work: BulkWork, send: Send, by: Decision): Promise<Send | Refusal> {
  if (!(await isInvolved(work, send, by.userId))) return say.ONLY_INVOLVED;
  const { state, resumeAt = 0, reason: pausedFor } = send;
  if (state !== 'paused') return say.notAnyMore(send);
  if (resumeAt > work.clock.now() && pausedFor !== undefined) return say.stillPaused(pausedFor);
  const due = await decide(work, send, { click: 'resume' });
  if ('wait' in due) return say.APPROVERS_UNSURE;
  if ('do' in due) {
    await change(work, send, { do: 'ask for more approvals' });
    wake(work, send.id);
    return say.stillPaused(say.stricter(approvalsNeededNow(work.policy, send)));
  }
  const result = await move(work, send, due.move, by.userId, due.reason);
  return result.state === 'stopped' && due.reason !== undefined ? say.stoppedUnbegun(due.reason) : result;
}

/** Changes a send as a person's click asks for, if it is still as it was seen. */
async function move(
  work: BulkWork,
  send: Send,
  to: SendState,
  actor: string,
  reason?: Failure,
): Promise<Send | Refusal> {
  const isMoved = await change(work, send, { move: to, ...(reason && { reason }) }, actor);
  const now = (await work.store.find(send.id)) ?? send;
  if (!isMoved) return say.notAnyMore(now);
  wake(work, send.id);
  return now;
}

async function retry(work: BulkWork, { sendId, group, ...by }: Retry): Promise<BulkResult> {
  const send = await work.store.find(sendId);
  if (send?.audience === undefined) return say.NOT_FOUND;
  const refusal = whyNoRetry(send, group);
  if (refusal !== undefined) return refusal;
  const { message, audience, startAt } = send;
  const asked = {
    ...{ ...by, message, audienceId: audience.id },
    // It may have been stopped before its start.
    ...(startAt !== undefined && startAt > work.clock.now() && { startAt }),
    triedAgain: { retryOf: sendId, retryGroup: group },
  };
  return request(work, asked, recipientsIn(send, group, work));
}

/** Finds what goes on when Herald runs again. */
async function left({ store, lease, logger }: BulkWork) {
  // Other replicas continue it at once.
  if (lease.replicas() > 1) return [];
  const sends = await store.findByState(['sending'], BATCH).catch((error: unknown) => {
    logger.error({ error }, 'what is left of bulk sends could not be read');
    return [];
  });
  return sends
    .filter(({ audience }) => audience !== undefined)
    .map(({ id, counts }) => ({ sendId: id, left: counts.pending + counts.attempting }));
}
