import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createLinks } from '../../../../src/slack/kit/posting/links.ts';
import { findPost } from '../../../../src/slack/kit/posting/place-post.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { slackError } from '../../compose/setting.ts';

const find = (code: string) => {
  const history = async () => Promise.reject(slackError(code));
  const client = { conversations: { history } } as unknown as Pick<webApi.WebClient, 'conversations'>;
  return findPost(client, 'B0HERALD', { channelId: 'C0TEAM', mark: 'S-1', since: 0 });
};

test.each([
  ['missing_scope', 'unreadable'],
  ['not_in_channel', 'unreadable'],
  // They name no channel: it is asked again later, and nothing is posted twice meanwhile.
  ['ekm_access_denied', 'later'],
  ['no_permission', 'later'],
])('a channel that Slack does not show (%s) is %s', async (refusal, state) => {
  const again = state === 'later' ? { retryAfterMs: 5_000, refusal } : {};
  expect(await find(refusal)).toEqual({ state, ...again });
});

/** A channel in which so many pages of messages are newer than the post. */
function channel(pages: number) {
  const asked: unknown[] = [];
  const read = async (how: { cursor?: string }) => {
    asked.push(how.cursor);
    const page = Number(how.cursor ?? 0);
    const post = { bot_id: 'B0HERALD', ts: '7.0', text: 'S-1 was accepted' };
    const messages = page === pages ? [post] : [{ bot_id: 'B0HERALD', ts: '9.0', text: 'another' }];
    return {
      ok: true,
      messages,
      has_more: page < pages,
      response_metadata: { next_cursor: page < pages ? String(page + 1) : '' },
    };
  };
  const client = { conversations: { history: read, replies: read } } as never;
  return { client, asked };
}
const WANTED = { channelId: 'C0TEAM', mark: 'S-1', since: 0 };
const FOUND = { state: 'found', ts: '7.0' };

test.each([
  ['a channel', WANTED],
  ['a thread', { ...WANTED, threadTs: '1.0' }],
])('a post behind the first page of %s is found by the cursor', async (_name, wanted) => {
  const { client, asked } = channel(2);
  expect(await findPost(client, 'B0HERALD', wanted)).toEqual(FOUND);
  expect(asked).toEqual([undefined, '1', '2']);
});

test.each([
  ['that was read to its end has no such post', 3, 'absent', 4],
  ['of more pages is not read to its end: nobody knows whether it stands there', 100, 'unreadable', 10],
])('a channel %s', async (_name, pages, state, read) => {
  const { client, asked } = channel(pages);
  expect(await findPost(client, 'B0HERALD', { ...WANTED, mark: 'S-2' })).toEqual({ state });
  expect(asked).toHaveLength(read);
});

const MESSAGE = { channelId: 'C1', ts: '1.0' };
test.each<[string, Error, number]>([
  ['that is gone has no link, and is not asked for again', slackError('message_not_found'), 1],
  ['of which Slack does not say it now is asked for again', slackError('team_added_to_org'), 2],
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
