import type { webApi } from '@slack/bolt';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { Identity } from '../../connection/identity.ts';
import { type AskedHow, createRecentAnswers } from './recent-answers.ts';

/** What a person is to this workspace; `gone` for those who left it, and for bots. */
type Standing = 'member' | 'guest' | 'other_workspace' | 'gone' | 'unknown';

export interface Standings {
  /** `unknown` when Slack does not say: never a guess. */
  of(userId: string, how?: AskedHow): Promise<Standing>;
}

interface StandingsDependencies extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'users'>;
  readonly identity: () => Identity | undefined;
}

/** Asks Slack whether a person is of this workspace, or of the same Enterprise organisation. */
export function createStandings({ client, identity, clock, logger }: StandingsDependencies): Standings {
  const people = createRecentAnswers<Standing>({
    ask: async (user) => standingOf((await client.users.info({ user })).user, identity()),
    onFailure: (failure, userId) => {
      logger.warn({ userId, failure }, 'Slack did not say who a person is');
      const isStranger = failure.kind === 'refused' && STRANGER_CODES.has(failure.code);
      return isStranger ? 'other_workspace' : undefined;
    },
    clock,
  });
  return { of: async (userId, how) => (await people.of(userId, how)) ?? 'unknown' };
}

/** Slack's words for a person that this workspace cannot see. */
const STRANGER_CODES: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

type SlackUser = Awaited<ReturnType<webApi.WebClient['users']['info']>>['user'];

/** A guest is told by Slack's flags for single- and multi-channel guests; people of connected workspaces are strangers. */
function standingOf(user: SlackUser, home: Identity | undefined): Standing | undefined {
  if (user === undefined) return undefined;
  // The type of the answer lacks this one, but the reference of the user object has it.
  const isStranger = 'is_stranger' in user && user.is_stranger === true;
  if (isStranger || !isFromHome(user, home)) return 'other_workspace';
  if (user.is_restricted === true || user.is_ultra_restricted === true) return 'guest';
  return user.deleted === true || user.is_bot === true ? 'gone' : 'member';
}

function isFromHome(user: NonNullable<SlackUser>, home: Identity | undefined): boolean {
  if (home === undefined || user.team_id === undefined || user.team_id === home.teamId) return true;
  return home.enterpriseId !== undefined && user.enterprise_user?.enterprise_id === home.enterpriseId;
}
