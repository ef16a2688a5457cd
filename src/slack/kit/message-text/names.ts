import type { webApi } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/logger.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import type { MentionNames } from './mrkdwn.ts';
import type { MessageContent } from './plain-text.ts';

/** What of Slack's client knows people and user groups. */
export interface NamesClient {
  readonly users: Pick<webApi.WebClient['users'], 'info'>;
  readonly usergroups: Pick<webApi.WebClient['usergroups'], 'list'>;
}

interface NamesDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A form has to open within three seconds of the click; a name that comes later is not worth it. */
const NAMES_MS = 900;
/** More people than this are a list, not a mention. */
const MOST_PEOPLE = 10;

const USERS = /<@([UW][A-Z0-9]+)|"user_id":"([UW][A-Z0-9]+)"/g;
const GROUPS = /<!subteam\^S[A-Z0-9]+|"usergroup_id":"S[A-Z0-9]+"/;

/**
 * The names of those whom a message mentions, as far as Slack gives them in time. Never rejects: who stays unknown is
 * shown by id.
 */
export async function namesIn(
  message: MessageContent,
  client: NamesClient,
  { clock, logger }: NamesDependencies,
): Promise<MentionNames> {
  const { users: ids, hasGroups } = mentionedIn(message);
  const users = new Map<string, string>();
  const groups = new Map<string, string>();
  const failed = (error: unknown) =>
    logger.debug({ failure: classifyApiError(error) }, 'Slack did not give a name; the id is shown');
  const asked = ids.map(async (id) => {
    const { user } = await client.users.info({ user: id });
    const name = user?.profile?.display_name || user?.real_name || user?.name;
    if (name) users.set(id, name);
  });
  if (hasGroups) asked.push(readGroups(client, groups));
  const settled = new AbortController();
  const all = Promise.all(asked.map((one) => one.catch(failed)));
  if (asked.length > 0) await Promise.race([all, clock.sleep(NAMES_MS, settled.signal)]);
  settled.abort();
  return { user: (id) => users.get(id), userGroup: (id) => groups.get(id) };
}

/** Whom a message mentions: people by id, not more than a few, and whether user groups are among them. */
export function mentionedIn(message: MessageContent) {
  const written = JSON.stringify([message.text, message.blocks, message.attachments]);
  const ids = new Set([...written.matchAll(USERS)].map(([, inText, inBlock]) => inText ?? inBlock ?? ''));
  return { users: [...ids].slice(0, MOST_PEOPLE), hasGroups: GROUPS.test(written) };
}

async function readGroups(client: NamesClient, groups: Map<string, string>): Promise<void> {
  const { usergroups = [] } = await client.usergroups.list({});
  for (const { id, handle } of usergroups) if (id && handle) groups.set(id, handle);
}
