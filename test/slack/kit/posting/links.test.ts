import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createLinks } from '../../../../src/slack/kit/posting/links.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';

const MESSAGE = { channelId: 'C1', ts: '1.0' };
const refused = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });

test.each<[string, Error, number]>([
  ['that is gone has no link, and is not asked for again', refused('message_not_found'), 1],
  ['of which Slack does not say it now is asked for again', refused('team_added_to_org'), 2],
  ['that Slack could not be asked for is asked for again', new webApi.WebAPIRateLimitedError(1), 2],
])('a message %s', async (_, error, times) => {
  let asked = 0;
  const getPermalink = async () => {
    asked += 1;
    if (asked === 1) throw error;
    return { ok: true, permalink: 'https://acme.slack.com/p1' };
  };
  const client = { chat: { getPermalink } } as unknown as webApi.WebClient;
  const linkTo = createLinks({ client, clock: createManualClock(), logger: createRecordingLogger() });
  expect(await linkTo(MESSAGE)).toBeUndefined();
  expect(await linkTo(MESSAGE)).toBe(times === 1 ? undefined : 'https://acme.slack.com/p1');
  await linkTo(MESSAGE);
  expect(asked).toBe(times);
});
