import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { findPost } from '../../../../src/slack/kit/posting/find-post.ts';
import { refusalOf } from '../refusal-of.ts';

const find = (code: string) => {
  const history = async () => Promise.reject(refusalOf(code));
  const client = { conversations: { history } } as unknown as Pick<webApi.WebClient, 'conversations'>;
  return findPost(client, 'B0HERALD', { channelId: 'C0TEAM', mark: 'S-1', since: 0 });
};

test.each(['missing_scope', 'not_in_channel', 'channel_not_found'])(
  '%s: Herald may not read there',
  async (code) => expect(await find(code)).toEqual({ state: 'unreadable' }),
);

test.each(['team_added_to_org', 'ekm_access_denied', 'accesslimited', 'no_permission', 'org_login_required'])(
  '%s names no channel: it is asked again later, and nothing is posted twice meanwhile',
  async (code) => expect(await find(code)).toEqual({ state: 'later', retryAfterMs: 5_000, refusal: code }),
);
