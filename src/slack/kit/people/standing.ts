import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Logger } from '../../../core/logger.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import type { Identity } from '../../connection/identity.ts';
import { FRESH_MS, SAME_MOMENT_MS } from './membership.ts';

/** What a person is to this workspace; `gone` for those who left it, and for bots. */
type Standing = 'member' | 'guest' | 'other_workspace' | 'gone' | 'unknown';

export interface Standings {
  /** What Slack said may be up to a minute old, unless `fresh`. `unknown` when Slack does not say: never a guess. */
  of(userId: string, how?: { readonly fresh: boolean }): Promise<Standing>;
}

interface StandingsDependencies {
  readonly client: Pick<webApi.WebClient, 'users'>;
  readonly identity: () => Identity | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

const PEOPLE_KEPT = 1_000;

/** Asks Slack whether a person is of this workspace, or of the same Enterprise organisation. */
export function createStandings({ client, identity, clock, logger }: StandingsDependencies): Standings {
  const people = createExpiringMap<Standing>(FRESH_MS, PEOPLE_KEPT, clock);
  const lately = createExpiringMap<Standing>(SAME_MOMENT_MS, PEOPLE_KEPT, clock);
  const asking = new Map<string, Promise<Standing>>();

  async function ask(userId: string): Promise<Standing> {
    try {
      const { user } = await client.users.info({ user: userId });
      const answer = standingOf(user, identity());
      if (answer !== 'unknown') for (const known of [people, lately]) known.set(userId, answer);
      return answer;
    } catch (error) {
      const failure = classifyApiError(error);
      logger.warn({ userId, failure }, 'Slack did not say who a person is');
      const isStranger = failure.kind === 'refused' && STRANGER_CODES.has(failure.code);
      return isStranger ? 'other_workspace' : 'unknown';
    }
  }

  return {
    of: async (userId, { fresh } = { fresh: false }) => {
      const known = (fresh ? lately : people).get(userId);
      if (known !== undefined) return known;
      const inFlight = asking.get(userId) ?? ask(userId).finally(() => asking.delete(userId));
      asking.set(userId, inFlight);
      return inFlight;
    },
  };
}

/** Slack's words for a person that this workspace cannot see. */
const STRANGER_CODES: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

type SlackUser = Awaited<ReturnType<webApi.WebClient['users']['info']>>['user'];

/** A guest is told by Slack's flags for single- and multi-channel guests; people of connected workspaces are strangers. */
function standingOf(user: SlackUser, home: Identity | undefined): Standing {
  if (user === undefined) return 'unknown';
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
