import type { ApproverProblem } from '../bulk.ts';
import type { Send } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import { digestFor, hasSameRecipients } from './digest.ts';
import type { Answers } from './next.ts';
import { findTemplate } from './prepare.ts';

type Asked = Pick<BulkDependencies, 'store' | 'audiences' | 'catalogue' | 'directory'>;

/** Looks up what decides over a send and is not stored with it. */
export const LOOK_UP: {
  readonly [Name in keyof Answers]: (asked: Asked, send: Send) => Promise<Answers[Name]>;
} = {
  owner: ({ store }, { id }) => store.owns(id),
  template: async (asked, send) => {
    const audience = send.audience && (await asked.audiences.find(send.audience.id));
    const template = await findTemplate(asked, send.message);
    return audience !== undefined && digestFor(send, audience, template) === send.digest;
  },
  approvers: async (asked, send) => {
    const { teamId } = send.origin;
    const approvals = await asked.store.approvals(send.id);
    const problems = await Promise.all(
      approvals.map(({ userId }) => problemOf(asked, send, { userId, teamId })),
    );
    return {
      standing: problems.filter((problem) => problem === undefined).length,
      isUnsure: problems.includes('unknown'),
      lastAt: Math.max(0, ...approvals.map(({ at }) => at)),
    };
  },
  list: ({ store }, send) => hasSameRecipients(send, store),
};

/** Why this person may not decide now: they requested the send or one that it retries, or are no approver. */
export async function problemOf(
  asked: Pick<Asked, 'store' | 'directory'>,
  send: Send,
  { userId, teamId }: { readonly userId: string; readonly teamId: string },
): Promise<ApproverProblem | undefined> {
  if (userId === send.origin.userId) return 'requester';
  if (await askedBefore(asked, send, userId)) return 'requester_before';
  return asked.directory.whyNot(userId, teamId, { fresh: true });
}

/** True for the requester of a send that this one retries, directly or over other retries. */
async function askedBefore(
  { store }: Pick<Asked, 'store'>,
  { retryOf }: Send,
  userId: string,
): Promise<boolean> {
  if (retryOf === undefined) return false;
  const before = await store.find(retryOf);
  return before !== undefined && (before.origin.userId === userId || askedBefore({ store }, before, userId));
}
