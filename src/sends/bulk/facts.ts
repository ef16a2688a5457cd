import type { ApproverProblem } from '../bulk.ts';
import type { Send } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import { digestFor, hasSameRecipients } from './digest.ts';
import type { Answers } from './next.ts';
import { findTemplate } from './prepare.ts';

interface Clicker {
  readonly userId: string;
  readonly teamId: string;
}

/** Finds out what decides over a send and is not stored with it. */
export function createFacts(dependencies: BulkDependencies) {
  const { store, audiences, directory } = dependencies;

  /** Why this person may not decide now: they requested the send or one that it retries, or are no approver. */
  async function problemOf(send: Send, { userId, teamId }: Clicker): Promise<ApproverProblem | undefined> {
    if (userId === send.origin.userId) return 'requester';
    if (await askedBefore(send, userId)) return 'requester_before';
    return directory.whyNot(userId, teamId, { fresh: true });
  }

  /** True for the requester of a send that this one retries, directly or over other retries. */
  async function askedBefore({ retryOf }: Send, userId: string): Promise<boolean> {
    if (retryOf === undefined) return false;
    const before = await store.find(retryOf);
    return before !== undefined && (before.origin.userId === userId || askedBefore(before, userId));
  }

  const answers: { readonly [Asked in keyof Answers]: (send: Send) => Promise<Answers[Asked]> } = {
    owner: ({ id }) => store.owns(id),
    template: async (send) => {
      const audience = send.audience && (await audiences.find(send.audience.id));
      const template = await findTemplate(dependencies, send.message);
      return audience !== undefined && digestFor(send, audience, template) === send.digest;
    },
    approvers: async (send) => {
      const { teamId } = send.origin;
      const approvals = await store.approvals(send.id);
      const problems = await Promise.all(approvals.map(({ userId }) => problemOf(send, { userId, teamId })));
      return {
        standing: problems.filter((problem) => problem === undefined).length,
        isUnsure: problems.includes('unknown'),
        lastAt: Math.max(0, ...approvals.map(({ at }) => at)),
      };
    },
    list: (send) => hasSameRecipients(send, store),
  };

  return { problemOf, answers };
}
