import type { webApi } from '@slack/bolt';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import { type ApiFailure, classifyApiError } from '../../connection/api-error.ts';
import type { Identity } from '../../connection/identity.ts';
import { type AskedHow, createRecentAnswers } from './recent-answers.ts';

/* What Slack knows of a person, asked once for all who want a part of it. */

/** People, groups and channels are renamed seldom. */
const NAME_KNOWN_MS = 60 * 60_000;
const NAMES_KNOWN = 2_000;

/** Names as plain text, for sentences that Slack shows without looking for mentions in them. */
export interface Names {
  /** `@Asha` for a user, `@support` for a user group, `#team` for a channel; the id where Slack does not say. */
  nameOf(id: string): Promise<string>;
}

/** What a person is to this workspace; `gone` for those who left it, and for bots. */
type Standing = 'member' | 'guest' | 'other_workspace' | 'gone' | 'unknown';

/** Whether a person is of this workspace, or of the same Enterprise organisation. */
export interface Standings {
  /** `unknown` when Slack does not say: never a guess. */
  of(userId: string, how?: AskedHow): Promise<Standing>;
}

interface People {
  readonly names: Names;
  readonly standings: Standings;
  /** Where a person's day begins and ends: an IANA name; undefined where their Slack does not tell. */
  timeZoneOf(userId: string): Promise<string | undefined>;
}

interface Asking extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'users' | 'usergroups' | 'conversations'>;
  readonly identity: () => Identity | undefined;
}

/** Slack's words for a person that this workspace cannot see. */
const STRANGER_CODES: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

type SlackUser = Awaited<ReturnType<webApi.WebClient['users']['info']>>['user'];
type Answer =
  | { readonly user: NonNullable<SlackUser> }
  /** Not remembered. */
  | { readonly failure: ApiFailure };

export function createPeople({ client, identity, clock, logger }: Asking): People {
  const users = createRecentAnswers<Answer>({
    ask: async (id) => {
      const { user } = await client.users.info({ user: id });
      return user && { user };
    },
    onFailure: (failure) => ({ failure }),
    clock,
  });
  const handles = createRecentAnswers<ReadonlyMap<string, string>>({
    ask: async () => {
      const { usergroups = [] } = await client.usergroups.list({});
      return new Map(usergroups.map(({ id = '', handle = '' }) => [id, handle]));
    },
    onFailure: () => undefined,
    clock,
  });
  const known = createExpiringMap<string>(NAME_KNOWN_MS, NAMES_KNOWN, clock);

  /** The id where it has no name; undefined where Slack did not say. */
  async function askName(id: string): Promise<string | undefined> {
    if (id.startsWith('S')) {
      const all = await handles.of('all');
      if (all === undefined) return undefined;
      const handle = all.get(id);
      return handle ? `@${handle}` : id;
    }
    if (id.startsWith('U') || id.startsWith('W')) {
      const answer = await users.of(id);
      if (answer === undefined || 'failure' in answer) return undefined;
      const { profile, name: handle } = answer.user;
      const name = profile?.display_name || profile?.real_name || handle;
      return name ? `@${name}` : id;
    }
    const { channel } = await client.conversations.info({ channel: id });
    return channel?.name ? `#${channel.name}` : id;
  }

  return {
    names: {
      nameOf: async (id) => {
        const before = known.get(id);
        if (before !== undefined) return before;
        const name = await askName(id).catch((error: unknown) => {
          logger.debug({ failure: classifyApiError(error), id }, 'Slack did not say how something is called');
          return undefined;
        });
        if (name !== undefined) known.set(id, name);
        return name ?? id;
      },
    },
    standings: {
      of: async (userId, how) => {
        const answer = await users.of(userId, how);
        if (answer === undefined) return 'unknown';
        if ('user' in answer) return standingOf(answer.user, identity());
        const { failure } = answer;
        logger.warn({ userId, failure }, 'Slack did not say who a person is');
        return failure.kind === 'refused' && STRANGER_CODES.has(failure.code) ? 'other_workspace' : 'unknown';
      },
    },
    timeZoneOf: async (userId) => {
      const answer = await users.of(userId);
      return answer && 'user' in answer ? answer.user.tz : undefined;
    },
  };
}

/** A guest is told by Slack's flags for single- and multi-channel guests; people of connected workspaces are strangers. */
function standingOf(user: NonNullable<SlackUser>, home: Identity | undefined): Standing {
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
