import type { ApproverProblem } from '../bulk.ts';
import type { Send } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import * as say from './sentences.ts';

/** Who may approve or reject a send, asked at the moment of the click, and what is noted of those who may not. */
export function createDecisionRights({
  store,
  directory,
  clock,
  logger,
}: Pick<BulkDependencies, 'store' | 'directory' | 'clock' | 'logger'>) {
  /** Who asked may not decide, nor who asked for what is tried again; others may when they are approvers at this moment. */
  async function problemOf(
    send: Send,
    { userId, teamId }: { userId: string; teamId: string },
  ): Promise<ApproverProblem | undefined> {
    if (userId === send.origin.userId) return 'requester';
    if (await askedBefore(send, userId)) return 'requester_before';
    return directory.whyNot(userId, teamId, { fresh: true });
  }

  /** What cannot be noted is refused all the same. */
  async function noteRefusal({ id }: Send, userId: string, problem: ApproverProblem): Promise<void> {
    const reason = say.REFUSED_APPROVAL[problem];
    const note = { sendId: id, action: 'approval_refused', at: clock.now(), actor: userId, reason } as const;
    await store.noteOnce(note).catch((error: unknown) => {
      logger.error({ sendId: id, error }, 'a refused approval could not be noted');
    });
  }

  /** True for who asked for a send that this one, by however many steps, tries again: the words are theirs. */
  async function askedBefore({ retryOf }: Send, userId: string): Promise<boolean> {
    if (retryOf === undefined) return false;
    const before = await store.find(retryOf);
    return before !== undefined && (before.origin.userId === userId || askedBefore(before, userId));
  }

  return { problemOf, noteRefusal };
}
