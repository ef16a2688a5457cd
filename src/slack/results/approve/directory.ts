import type { ApproverDirectory } from '../../../sends/bulk.ts';
import type { Identity } from '../../connection/identity.ts';
import type { Members, Standings } from '../../kit/people/people.ts';

interface DirectoryDependencies {
  readonly identity: () => Identity | undefined;
  readonly members: Members;
  readonly standings: Standings;
  /** `approvals.approvers` of herald.yml: users and user groups. */
  readonly approvers: readonly string[];
}

/**
 * Asks Slack who may approve: listed by name or through a user group, and a full member (`Standings`). When Slack does not say, the answer is `unknown`, never a guess.
 */
export function createApproverDirectory(dependencies: DirectoryDependencies): ApproverDirectory {
  const { identity, members, standings, approvers } = dependencies;
  return {
    whyNot: async (userId, teamId, { fresh } = { fresh: false }) => {
      const home = identity();
      if (home === undefined) return 'unknown';
      if (teamId !== home.teamId && home.enterpriseId === undefined) return 'other_workspace';
      const person = await standings.of(userId, { fresh });
      if (person === 'gone') return 'not_listed';
      if (person !== 'member') return person;
      const membership = await members.includes(approvers, userId, { fresh });
      if (membership === 'member') return undefined;
      return membership === 'unknown' ? 'unknown' : 'not_listed';
    },
  };
}
