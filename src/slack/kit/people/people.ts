import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import { type ApiFailure, classifyApiError, remedyOf } from '../../connection/api-error.ts';
import type { SlackClient } from '../../connection/client.ts';
import type { Identity } from '../../connection/identity.ts';

/* People as Slack knows them, asked for once for all who want a part of it. */

/** People, groups and channels are renamed seldom. */
const NAME_KNOWN_MS = 60 * 60_000;
const NAMES_KNOWN = 2_000;

/** Names as plain text, for sentences that Slack shows without looking for mentions in them. */
export type Names = ReturnType<typeof createPeople>['names'];

/** Whether a person is of this workspace, or of the same organisation where the app is installed in one workspace of it. */
export type Standings = ReturnType<typeof createPeople>['standings'];

/** The standing of a person in this workspace; `gone` for those who left it, and for bots. */
type Standing = 'member' | 'guest' | 'other_workspace' | 'gone' | 'unknown';

type Asking = Surroundings & Pick<SlackClient, 'client' | 'identity'>;

/** Slack's words for a person that this workspace cannot see. */
const STRANGER_CODES = ['user_not_found', 'user_not_visible'];

type SlackUser = Awaited<ReturnType<webApi.WebClient['users']['info']>>['user'];
type Answer =
  | { readonly user: NonNullable<SlackUser> }
  /** Not remembered. */
  | { readonly failure: ApiFailure };

export function createPeople({ client, identity, clock, logger }: Asking) {
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
      /** `@Asha` for a user, `@support` for a user group, `#team` for a channel; the id where Slack does not say. */
      nameOf: async (id: string): Promise<string> => {
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
      /** `unknown` when Slack does not say: never a guess. */
      of: async (userId: string, how?: AskedHow): Promise<Standing> => {
        const answer = await users.of(userId, how);
        if (answer === undefined) return 'unknown';
        if ('user' in answer) return standingOf(answer.user, identity());
        const { failure } = answer;
        logger.warn({ userId, failure }, 'Slack did not say who a person is');
        return failure.kind === 'refused' && STRANGER_CODES.includes(failure.code)
          ? 'other_workspace'
          : 'unknown';
      },
    },
    /** A person's time zone, an IANA name; undefined if their Slack does not say. */
    timeZoneOf: async (userId: string) => {
      const answer = await users.of(userId);
      return answer && 'user' in answer ? answer.user.tz : undefined;
    },
  };
}

/** A guest is known by Slack's flags for single- and multi-channel guests; people of connected workspaces are strangers. */
function standingOf(user: NonNullable<SlackUser>, home: Identity | undefined): Standing {
  // The type of the answer lacks this one, but the reference of the user object has it.
  const isStranger = 'is_stranger' in user && user.is_stranger === true;
  if (isStranger || !isFromHome(user, home)) return 'other_workspace';
  if (user.is_restricted === true || user.is_ultra_restricted === true) return 'guest';
  return user.deleted === true || user.is_bot === true ? 'gone' : 'member';
}

function isFromHome(user: NonNullable<SlackUser>, home: Identity | undefined): boolean {
  if (home === undefined || user.team_id === home.teamId) return true;
  const { enterprise_id: enterpriseId, teams = [] } = user.enterprise_user ?? {};
  if (home.isForAll) return teams.includes(home.teamId);
  return (
    user.team_id === undefined || (home.enterpriseId !== undefined && enterpriseId === home.enterpriseId)
  );
}

/** Asked for again after this: somebody who left must not act for long. */
const KEPT_MS = 60_000;
/** Fifty clicks within a moment are one question: what was asked this lately is as good as asked now. */
const SAME_MOMENT_MS = 1_000;
const KEPT = 1_000;

export interface AskedHow {
  /** Asks Slack anew, unless it was asked this very second. */
  readonly fresh: boolean;
}

interface Question<Answer> {
  /** Undefined where Slack's answer says nothing. */
  readonly ask: (id: string) => Promise<Answer | undefined>;
  /** Reads a failure, which is not kept. */
  readonly onFailure: (failure: ApiFailure, id: string) => Answer | undefined;
  readonly clock: Clock;
}

/** Asks Slack about somebody, with no more questions than its limits allow (`usergroups.users.list`: 20 a minute). */
function createRecentAnswers<Answer>({ ask, onFailure, clock }: Question<Answer>) {
  const known = createExpiringMap<{ readonly at: number; readonly answer: Answer }>(KEPT_MS, KEPT, clock);
  const asking = new Map<string, Promise<Answer | undefined>>();
  let tooManyUntil = Number.NEGATIVE_INFINITY;

  async function askNow(id: string): Promise<Answer | undefined> {
    try {
      const answer = await ask(id);
      if (answer !== undefined) known.set(id, { at: clock.monotonic(), answer });
      return answer;
    } catch (error) {
      const failure = classifyApiError(error);
      const said = onFailure(failure, id);
      if (failure.kind !== 'rate_limited') return said;
      tooManyUntil = clock.monotonic() + failure.retryAfterMs;
      return known.get(id)?.answer;
    }
  }

  return {
    /** May be a minute old, unless `fresh`. While Slack takes no more questions, a fresh answer may be as old as well. */
    of: async (id: string, { fresh }: AskedHow = { fresh: false }) => {
      const before = known.get(id);
      const now = clock.monotonic();
      if (now < tooManyUntil) return before?.answer;
      if (before !== undefined && (!fresh || now - before.at < SAME_MOMENT_MS)) return before.answer;
      const inFlight = asking.get(id) ?? askNow(id).finally(() => asking.delete(id));
      asking.set(id, inFlight);
      return inFlight;
    },
  };
}

/** Whether a person is one of those that a list of user and user group ids names. */
type Membership = 'member' | 'stranger' | 'unknown';

export type Members = ReturnType<typeof createMembers>;

/**
 * Reads user groups through `usergroups.users.list`. On plans without user groups Slack answers
 * `plan_upgrade_required`: then only the listed user ids count, and the log says so once.
 */
export function createMembers({ client, clock, logger }: Omit<Asking, 'identity'>) {
  let saidPlan = false;
  const groups = createRecentAnswers<readonly string[]>({
    ask: async (usergroup) => (await client.usergroups.users.list({ usergroup })).users ?? [],
    onFailure: (failure, group) => {
      if (failure.kind !== 'refused' || failure.code !== 'plan_upgrade_required') {
        logger.warn({ group, failure }, 'Slack did not say who is in a user group');
        return undefined;
      }
      if (!saidPlan) logger.warn({}, 'this workspace’s plan has no user groups: only listed user ids count');
      saidPlan = true;
      return [];
    },
    clock,
  });

  return {
    /** `unknown` when Slack would not say who is in a group, and nothing else in the list names the person. */
    includes: async (list: readonly string[], userId: string, how?: AskedHow): Promise<Membership> => {
      if (list.includes(userId)) return 'member';
      const answers = await Promise.all(
        list.filter((id) => id.startsWith('S')).map((group) => groups.of(group, how)),
      );
      if (answers.some((users) => users?.includes(userId))) return 'member';
      return answers.includes(undefined) ? 'unknown' : 'stranger';
    },
  };
}

/** Slack gives as many at once. */
const PAGE = 1_000;

export type ChannelMembers = ReturnType<typeof createChannelMembers>;

/** Asks Slack, each time, who is in a channel. */
export function createChannelMembers({ client, logger }: Pick<Asking, 'client' | 'logger'>) {
  return {
    /** `stranger` also for a channel that Herald cannot see; `unknown` when Slack does not say: never a guess. */
    includes: async (channelId: string, userId: string): Promise<Membership> => {
      try {
        for (let cursor: string | undefined; ; ) {
          const from = { channel: channelId, limit: PAGE, ...(cursor && { cursor }) };
          const page = await client.conversations.members(from);
          if (page.members?.includes(userId)) return 'member';
          cursor = page.response_metadata?.next_cursor;
          if (!cursor) return 'stranger';
        }
      } catch (error) {
        const failure = classifyApiError(error);
        logger.warn({ channelId, failure }, 'Slack did not say who is in a channel');
        const isHidden = failure.kind === 'refused' && remedyOf(failure.code) === 'elsewhere';
        return isHidden ? 'stranger' : 'unknown';
      }
    },
  };
}
