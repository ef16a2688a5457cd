import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createChannelMembers } from '../../../../src/slack/kit/people/membership.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { refusalOf } from '../refusal-of.ts';

test.each([
  ['channel_not_found', 'stranger'],
  ['not_in_channel', 'stranger'],
  ['team_added_to_org', 'unknown'],
  ['ekm_access_denied', 'unknown'],
  ['missing_scope', 'unknown'],
] as const)('Slack refuses with %s: %s', async (code, standing) => {
  const members = async () => Promise.reject(refusalOf(code));
  const client = { conversations: { members } } as unknown as Pick<webApi.WebClient, 'conversations'>;
  const people = createChannelMembers({ client, logger: createRecordingLogger() });
  expect(await people.includes('C0TEAM', 'U0ASHA')).toBe(standing);
});
