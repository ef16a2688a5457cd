import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import { classifyApiError } from '../../connection/api-error.ts';

/** Members of a user group are asked for again after this: somebody who left must not act for long. */
export const FRESH_MS = 60_000;
/** Fifty clicks within a moment are one question: what was asked this lately is as good as asked now. */
export const SAME_MOMENT_MS = 1_000;

/** Whether a person is one of those that a list of user and user group ids names. */
type Membership = 'member' | 'stranger' | 'unknown';

export interface Members {
  /** `unknown` when Slack would not say who is in a group, and nothing else in the list names the person. */
  includes(
    list: readonly string[],
    userId: string,
    /** `fresh` asks Slack anew, unless it was asked this very second. */
    how?: { readonly fresh: boolean },
  ): Promise<Membership>;
}

interface MembersDependencies {
  readonly client: Pick<webApi.WebClient, 'usergroups'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads user groups through `usergroups.users.list`. On plans without user groups Slack answers
 * `plan_upgrade_required`: then only the listed user ids count, and the log says so once.
 */
export function createMembers({ client, clock, logger }: MembersDependencies): Members {
  const groups = new Map<
    string,
    { readonly at: number; readonly users: Promise<readonly string[] | undefined> }
  >();
  let saidPlan = false;

  async function read(group: string): Promise<readonly string[] | undefined> {
    try {
      const { users } = await client.usergroups.users.list({ usergroup: group });
      return users ?? [];
    } catch (error) {
      const failure = classifyApiError(error);
      const code = failure.kind === 'refused' ? failure.code : failure.kind;
      groups.delete(group);
      if (code !== 'plan_upgrade_required') {
        logger.warn({ group, code }, 'Slack did not say who is in a user group');
        return undefined;
      }
      if (!saidPlan) logger.warn({}, 'this workspace’s plan has no user groups: only listed user ids count');
      saidPlan = true;
      return [];
    }
  }

  function usersOf(group: string, fresh: boolean): Promise<readonly string[] | undefined> {
    const known = groups.get(group);
    const keptMs = fresh ? SAME_MOMENT_MS : FRESH_MS;
    if (known !== undefined && clock.monotonic() - known.at < keptMs) return known.users;
    const users = read(group);
    groups.set(group, { at: clock.monotonic(), users });
    return users;
  }

  return {
    includes: async (list, userId, { fresh } = { fresh: false }) => {
      if (list.includes(userId)) return 'member';
      const answers = await Promise.all(
        list.filter((id) => id.startsWith('S')).map((group) => usersOf(group, fresh)),
      );
      if (answers.some((users) => users?.includes(userId))) return 'member';
      return answers.includes(undefined) ? 'unknown' : 'stranger';
    },
  };
}
