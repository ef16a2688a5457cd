import type { ApproverProblem } from '../bulk.ts';
import type { Send } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import * as say from './sentences.ts';

/** Who may approve or reject a send, checked at the click; refusals are recorded. */
export function createDecisionRights({
  store,
  directory,
  clock,
  logger,
}: Pick<BulkDependencies, 'store' | 'directory' | 'clock' | 'logger'>) {
  /** Why this person may not decide: they requested the send or one that it retries, or are no approver now. */
  async function problemOf(
    send: Send,
    { userId, teamId }: { userId: string; teamId: string },
  ): Promise<ApproverProblem | undefined> {
    if (userId === send.origin.userId) return 'requester';
    if (await askedBefore(send, userId)) return 'requester_before';
    return directory.whyNot(userId, teamId, { fresh: true });
  }

  /** Records a refusal; it counts even when the record cannot be written. */
  async function noteRefusal({ id }: Send, userId: string, problem: ApproverProblem): Promise<void> {
    const reason = say.REFUSED_APPROVAL[problem];
    const note = { sendId: id, action: 'approval_refused', at: clock.now(), actor: userId, reason } as const;
    await store.recordOnce(note).catch((error: unknown) => {
      logger.error({ sendId: id, error }, 'a refused approval could not be noted');
    });
  }

  /** True for the requester of a send that this one retries, directly or over other retries. */
  async function askedBefore({ retryOf }: Send, userId: string): Promise<boolean> {
    if (retryOf === undefined) return false;
    const before = await store.find(retryOf);
    return before !== undefined && (before.origin.userId === userId || askedBefore(before, userId));
  }

  return { problemOf, noteRefusal };
}
