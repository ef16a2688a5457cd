import { webApi } from '@slack/bolt';
import { beforeEach, expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { StoredCustomerEvent } from '../../../src/sends/replies/ports.ts';
import { createThreadHints } from '../../../src/slack/replies/feature.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';

const HERALD = { teamId: 'T0', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };
const WRITTEN = { type: 'message', channel: 'C0TEAM', user: 'U0RAVI', text: 'Hi' };
const MESSAGE = { ...WRITTEN, ts: '2.0', thread_ts: '1.0' };

let asked: string[];
let told: Record<string, unknown>[];
let stored: readonly StoredCustomerEvent[];
let failure: Error | undefined;
const claimed = new Set<string>();

beforeEach(() => {
  [asked, told, failure] = [[], [], undefined];
  claimed.clear();
  const event = { kind: 'text', text: 'Open?', from: '+6591234567' as Msisdn } as const;
  stored = [{ id: 7, key: 'k', event, optedOut: false, receivedAt: 0, first: true }];
});

const hints = (logger = createRecordingLogger()) => {
  const client = new webApi.WebClient('xoxb-1');
  client.chat.postEphemeral = async (request) => {
    told.push({ ...request });
    return { ok: true };
  };
  const hint = createThreadHints({
    client,
    logger,
    conversations: only({
      inThread: async ({ channelId, threadTs }) => {
        asked.push(`${channelId}/${threadTs}`);
        if (failure) throw failure;
        return stored;
      },
      claimHint: async ({ threadTs }, userId) => {
        const key = `${threadTs}/${userId}`;
        return !claimed.has(key) && claimed.add(key).has(key);
      },
    }),
  });
  return (event: object) => hint({ event }, HERALD);
};

test('who writes into a customer’s thread is told once, there and alone, with the button', async () => {
  const hint = hints();
  await hint(MESSAGE);
  await hint({ ...MESSAGE, ts: '3.0' });
  await hint({ ...MESSAGE, user: 'U0ASHA', subtype: 'file_share', parent_user_id: HERALD.botUserId });
  expect(told).toMatchObject([
    { channel: 'C0TEAM', user: 'U0RAVI', thread_ts: '1.0', text: expect.stringMatching(/does not see/) },
    { user: 'U0ASHA' },
  ]);
  expect(JSON.stringify(told[0]?.blocks)).toMatch(/"action_id":"answer_customer".*"value":"7"/);
  expect(JSON.stringify(told)).not.toContain('6591234567');
});

test.each([
  ['in the channel', { thread_ts: undefined }],
  ['that begins a thread', { thread_ts: '2.0' }],
  ['in the thread of somebody else', { parent_user_id: 'U0ASHA' }],
  ['of an app', { bot_id: 'B0OTHER' }],
  ['of Herald’s own', { user: HERALD.botUserId }],
  ['that was edited', { subtype: 'message_changed' }],
  ['that is no message', { type: 'app_home_opened' }],
])('for a message %s nothing is looked up', async (_which, changes) => {
  await hints()({ ...MESSAGE, ...changes });
  expect(asked).toEqual([]);
});

test('a thread without a customer’s words gets no hint, and a store that fails no more than a line in the log', async () => {
  const logger = createRecordingLogger();
  const hint = hints(logger);
  stored = [];
  await hint(MESSAGE);
  failure = new Error('no database');
  await hint(MESSAGE);
  expect(asked).toEqual(['C0TEAM/1.0', 'C0TEAM/1.0']);
  expect(told).toEqual([]);
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
});
