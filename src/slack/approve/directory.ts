import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { ApproverDirectory, ApproverProblem } from '../../sends/bulk.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { createExpiringMap } from '../connection/expiring-map.ts';
import type { Identity } from '../connection/identity.ts';
import { FRESH_MS, type Members } from '../people/membership.ts';

const PEOPLE_KEPT = 1_000;

interface DirectoryDependencies {
  readonly client: Pick<webApi.WebClient, 'users'>;
  readonly identity: () => Identity | undefined;
  readonly members: Members;
  /** `approvals.approvers` of herald.yml: users and user groups. */
  readonly approvers: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks Slack who may approve: listed by name or through a user group, a full member, and of this workspace (or of the
 * same Enterprise organisation). When Slack does not say, the answer is `unknown`, never a guess.
 */
export function createApproverDirectory({
  client,
  identity,
  members,
  approvers,
  clock,
  logger,
}: DirectoryDependencies): ApproverDirectory {
  const people = createExpiringMap<ApproverProblem | 'member'>(FRESH_MS, PEOPLE_KEPT, clock);

  async function standing(userId: string, fresh: boolean): Promise<ApproverProblem | 'member'> {
    const known = fresh ? undefined : people.get(userId);
    if (known !== undefined) return known;
    try {
      const { user } = await client.users.info({ user: userId });
      const answer = standingOf(user, identity());
      if (answer !== 'unknown') people.set(userId, answer);
      return answer;
    } catch (error) {
      const failure = classifyApiError(error);
      logger.warn({ userId, failure }, 'Slack did not say who an approver is');
      const isStranger = failure.kind === 'refused' && STRANGER_CODES.has(failure.code);
      return isStranger ? 'other_workspace' : 'unknown';
    }
  }

  return {
    whyNot: async (userId, teamId, { fresh } = { fresh: false }) => {
      const home = identity();
      if (home === undefined) return 'unknown';
      if (teamId !== home.teamId && home.enterpriseId === undefined) return 'other_workspace';
      const person = await standing(userId, fresh);
      if (person !== 'member') return person;
      const membership = await members.includes(approvers, userId, { fresh });
      if (membership === 'member') return undefined;
      return membership === 'unknown' ? 'unknown' : 'not_listed';
    },
  };
}

/** Slack's words for a person that this workspace cannot see. */
const STRANGER_CODES: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

type SlackUser = Awaited<ReturnType<webApi.WebClient['users']['info']>>['user'];

/** A guest is told by Slack's flags for single- and multi-channel guests; people of connected workspaces are strangers. */
function standingOf(user: SlackUser, home: Identity | undefined): ApproverProblem | 'member' {
  if (user === undefined) return 'unknown';
  // The type of the answer lacks this one, but the reference of the user object has it.
  const isStranger = 'is_stranger' in user && user.is_stranger === true;
  if (isStranger || !isFromHome(user, home)) return 'other_workspace';
  if (user.is_restricted === true || user.is_ultra_restricted === true) return 'guest';
  return user.deleted === true || user.is_bot === true ? 'not_listed' : 'member';
}

function isFromHome(user: NonNullable<SlackUser>, home: Identity | undefined): boolean {
  if (home === undefined || user.team_id === undefined || user.team_id === home.teamId) return true;
  return home.enterpriseId !== undefined && user.enterprise_user?.enterprise_id === home.enterpriseId;
}
