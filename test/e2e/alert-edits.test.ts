import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  groups: { oncall-sg: [{ name: Mei, number: "${MEI}" }] }
  rules: [{ name: critical, channel: ${CHANNEL}, from: { bots: [B0GRAFANA] }, notify: [oncall-sg] }]
`;

/* Edits of other apps, as Slack delivers them, are signed and posted to Herald here: the stage's apps only post. */
const stack = runningStack({ mode: 'http', config: CONFIG, isQuick: true });

const flashes = () => stack.phone(MEI).map(({ text }) => text?.split('\n')[0]);
const signs = (ts: string) =>
  stack
    .messages()
    .find((one) => one.ts === ts)
    ?.reactions?.map(({ name }) => name)
    .join();
const cards = (ts: string) => stack.thread(ts);
const thread = (ts: string) => cards(ts).map(messageText).join('\n');

const content = (title: string, text: string) => ({
  text: '',
  attachments: [{ id: 1, title, text, fallback: title }],
});
const ONE = content('[FIRING:1] DiskFull (node)', 'db-1 is down, 93.1% used');
const TWO = content('[FIRING:2] DiskFull (node)', 'db-1 is down\npayments-db is down');
const OVER = content('[RESOLVED] DiskFull (node)', 'db-1 is up again');

async function posted(): Promise<string> {
  const act = { type: 'app_post', appId: 'A0GRAFANA', channel: CHANNEL, ...ONE } as const;
  expect(await stack.workspace.act(act)).toEqual({ ok: true });
  return stack.messages().findLast((one) => one.channel === CHANNEL && one.thread_ts === undefined)?.ts ?? '';
}

let edits = 0;
async function edit(ts: string, now: object): Promise<number> {
  edits += 1;
  const event_ts = (stack.now() / 1_000).toFixed(6);
  const message = { type: 'message', subtype: 'bot_message', bot_id: 'B0GRAFANA', ts, thread_ts: ts, ...now };
  const event = { type: 'message', subtype: 'message_changed', channel: CHANNEL, hidden: true, message };
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T0ACME',
    api_app_id: 'A0HERALD',
    event_id: `EvEdit${edits}`,
    event_time: Math.floor(stack.now() / 1_000),
    event: { ...event, ts: event_ts, event_ts, channel_type: 'channel' },
    authorizations: [{ enterprise_id: null, team_id: 'T0ACME', user_id: 'U0HERALD', is_bot: true }],
  });
  const timestamp = String(Math.floor(stack.now() / 1_000));
  const digest = createHmac('sha256', SANDBOX_CREDENTIALS.signingSecret).update(`v0:${timestamp}:${body}`);
  const answer = await fetch(`${stack.heraldUrl}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest.digest('hex')}`,
    },
    body,
  });
  return answer.status;
}

test('edits wake whom their words concern, in one thread, and the signs follow', async () => {
  const ts = await posted();
  await stack.eventually('the first', () => signs(ts) === 'rotating_light' && flashes().length === 1);
  expect(await edit(ts, content('[FIRING:1] DiskFull (node)', 'db-1 is down, 95.4% used'))).toBe(200);
  expect(await edit(ts, TWO)).toBe(200);
  await stack.eventually('the second', () => flashes().length === 2 && cards(ts).length === 2);
  expect(await edit(ts, OVER)).toBe(200);
  await stack.eventually('its end', () => signs(ts) === 'white_check_mark');
  await stack.eventually('both cards', () => thread(ts).match(/✅ Over/g)?.length === 2);
  expect(await edit(ts, ONE)).toBe(200);
  await stack.eventually('that it fires again', () => signs(ts) === 'rotating_light');
  await stack.eventually('the third', () => flashes().length === 3 && cards(ts).length === 3);
  expect(flashes()).toEqual([
    '[FIRING:1] DiskFull (node)',
    '[FIRING:2] DiskFull (node)',
    '[FIRING:1] DiskFull (node)',
  ]);
});

test('a sign that Slack does not take for a moment is put right, without other news', async () => {
  const ts = await posted();
  await edit(ts, content('[FIRING:1] Queue (node)', 'queue-1 is full'));
  await stack.eventually('that it is open', () => signs(ts) === 'rotating_light');
  stack.workspace.setFaults({
    faults: [{ on: 'api', method: 'reactions.remove', times: 1, do: 'rate_limit', retryAfterSeconds: 1 }],
  });
  await edit(ts, content('[RESOLVED] Queue (node)', 'queue-1 is fine'));
  await stack.eventually('both signs', () => signs(ts) === 'rotating_light,white_check_mark');
  await stack.eventually('the one that stays', () => signs(ts) === 'white_check_mark', 40_000);
});
