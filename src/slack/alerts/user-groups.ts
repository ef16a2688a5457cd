import type { webApi } from '@slack/bolt';
import type { Logger } from '../../core/logger.ts';
import type { AskUserGroups } from '../../sends/alerts/user-groups.ts';
import { classifyApiError } from '../connection/api-error.ts';

/** Asks Slack, in one call, who is in the workspace's user groups, each by its id and by its handle with `@`. */
export function createAskUserGroups({
  client,
  logger,
}: {
  readonly client: Pick<webApi.WebClient, 'usergroups'>;
  readonly logger: Logger;
}): AskUserGroups {
  return async () => {
    try {
      const { usergroups = [] } = await client.usergroups.list({ include_users: true });
      const named = usergroups.map(({ id = '', handle = '', users = [] }) => ({
        names: [id, `@${handle}`],
        users,
      }));
      return new Map(named.flatMap(({ names, users }) => names.map((name) => [name, users] as const)));
    } catch (error) {
      logger.warn(
        { failure: classifyApiError(error) },
        'Slack did not say who is in user groups; they stay as they were',
      );
      return undefined;
    }
  };
}
