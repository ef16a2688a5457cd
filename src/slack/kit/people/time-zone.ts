import type { webApi } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import { classifyApiError } from '../../connection/api-error.ts';

export interface TimeZones {
  readonly client: Pick<webApi.WebClient, 'users'>;
  /** `defaults.timezone` of herald.yml, for people whose own Slack does not tell. */
  readonly timeZone: string;
  readonly logger: Logger;
}

/** Where a person's day begins and ends: an IANA name. */
export async function timeZoneOf(userId: string, { client, timeZone, logger }: TimeZones): Promise<string> {
  try {
    return (await client.users.info({ user: userId })).user?.tz ?? timeZone;
  } catch (error) {
    logger.warn({ failure: classifyApiError(error) }, 'Slack did not say which time zone a person is in');
    return timeZone;
  }
}
