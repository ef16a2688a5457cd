import type { webApi } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import { remedyOf } from '../posting/remedy.ts';

/** As many as Slack gives at once. */
const PAGE = 1_000;

export interface ChannelMembers {
  /** `stranger` also for a channel that Herald cannot see; `unknown` when Slack does not say: never a guess. */
  includes(channelId: string, userId: string): Promise<'member' | 'stranger' | 'unknown'>;
}

interface ChannelMembersDependencies {
  readonly client: Pick<webApi.WebClient, 'conversations'>;
  readonly logger: Logger;
}

/** Asks Slack, each time, who is in a channel. */
export function createChannelMembers({ client, logger }: ChannelMembersDependencies): ChannelMembers {
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
