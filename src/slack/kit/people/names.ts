import type { webApi } from '@slack/bolt';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import { createRecentAnswers } from './recent-answers.ts';

/** People, groups and channels are renamed seldom. */
const KNOWN_MS = 60 * 60_000;
const KNOWN = 2_000;

/** Names as plain text, for sentences that Slack shows without looking for mentions in them. */
export interface Names {
  /** `@Asha` for a user, `@support` for a user group, `#team` for a channel; the id where Slack does not say. */
  nameOf(id: string): Promise<string>;
}

interface NamesDependencies extends Surroundings {
  readonly client: Pick<webApi.WebClient, 'users' | 'usergroups' | 'conversations'>;
}

export function createNames({ client, clock, logger }: NamesDependencies): Names {
  const known = createExpiringMap<string>(KNOWN_MS, KNOWN, clock);

  const handles = createRecentAnswers<ReadonlyMap<string, string>>({
    ask: async () => {
      const { usergroups = [] } = await client.usergroups.list({});
      return new Map(usergroups.map(({ id = '', handle = '' }) => [id, handle]));
    },
    onFailure: () => undefined,
    clock,
  });

  async function ask(id: string): Promise<string | undefined> {
    if (id.startsWith('S')) {
      const all = await handles.of('all');
      if (all === undefined) throw new Error('Slack did not name its user groups.');
      const handle = all.get(id);
      return handle && `@${handle}`;
    }
    if (id.startsWith('U') || id.startsWith('W')) {
      const { user } = await client.users.info({ user: id });
      const name = user?.profile?.display_name || user?.profile?.real_name || user?.name;
      return name && `@${name}`;
    }
    const { channel } = await client.conversations.info({ channel: id });
    return channel?.name && `#${channel.name}`;
  }

  return {
    nameOf: async (id) => {
      const before = known.get(id);
      if (before !== undefined) return before;
      try {
        const name = (await ask(id)) || id;
        known.set(id, name);
        return name;
      } catch (error) {
        logger.debug({ failure: classifyApiError(error), id }, 'Slack did not say how something is called');
        return id;
      }
    },
  };
}
