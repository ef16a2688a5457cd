import type { webApi } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import { remedyOf } from '../posting/remedy.ts';
import { type AskedHow, createRecentAnswers } from './recent-answers.ts';

/** Whether a person is one of those that a list of user and user group ids names. */
type Membership = 'member' | 'stranger' | 'unknown';

export interface Members {
  /** `unknown` when Slack would not say who is in a group, and nothing else in the list names the person. */
  includes(list: readonly string[], userId: string, how?: AskedHow): Promise<Membership>;
}

/**
 * Reads user groups through `usergroups.users.list`. On plans without user groups Slack answers
 * `plan_upgrade_required`: then only the listed user ids count, and the log says so once.
 */
export function createMembers({
  client,
  clock,
  logger,
}: Surroundings & { readonly client: Pick<webApi.WebClient, 'usergroups'> }): Members {
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
    includes: async (list, userId, how) => {
      if (list.includes(userId)) return 'member';
      const answers = await Promise.all(
        list.filter((id) => id.startsWith('S')).map((group) => groups.of(group, how)),
      );
      if (answers.some((users) => users?.includes(userId))) return 'member';
      return answers.includes(undefined) ? 'unknown' : 'stranger';
    },
  };
}

/** As many as Slack gives at once. */
const PAGE = 1_000;

export interface ChannelMembers {
  /** `stranger` also for a channel that Herald cannot see; `unknown` when Slack does not say: never a guess. */
  includes(channelId: string, userId: string): Promise<'member' | 'stranger' | 'unknown'>;
}

/** Asks Slack, each time, who is in a channel. */
export function createChannelMembers({
  client,
  logger,
}: {
  readonly client: Pick<webApi.WebClient, 'conversations'>;
  readonly logger: Logger;
}): ChannelMembers {
  return {
    includes: async (channelId, userId) => {
      try {
        for (let cursor: string | undefined; ; ) {
          const page = await client.conversations.members({
            channel: channelId,
            limit: PAGE,
            ...(cursor && { cursor }),
          });
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
