import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TemplateCatalogue } from '../../../src/sends/ports.ts';
import {
  createBoltLogger,
  createSlackFetch,
  webClientOptions,
} from '../../../src/slack/connection/client.ts';
import { createLatestUrls, type LatestUrls } from '../../../src/slack/connection/notify-person.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';
import { type FakeAnswer, type FakeSlack, startFakeSlack } from '../fake-slack.ts';
import { ORDER, ORDER_TEMPLATE, report, SMS } from '../kit/cards/reports.ts';
import { NO_METRICS } from '../test-app.ts';
import { showsResults } from './show-result.ts';

const IDENTITY = { teamId: 'T0ACME', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };

let slack: FakeSlack;
let clock: ManualClock;
let logger: RecordingLogger;
let catalogue: TemplateCatalogue;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  logger = createRecordingLogger();
  catalogue = { find: async () => ORDER_TEMPLATE, search: async () => [], mark: async () => undefined };
});

afterEach(() => slack.close());

let fetch: webApi.FetchFunction;
let latestUrls: LatestUrls;
beforeEach(() => {
  fetch = createSlackFetch(slack.apiUrl, [slack.origin], NO_METRICS, clock);
  latestUrls = createLatestUrls(fetch, clock);
});

function shows() {
  const options = webClientOptions({ slackApiUrl: slack.apiUrl, logger: createBoltLogger(logger), fetch });
  const client = new webApi.WebClient('xoxb-1', { ...options, timeout: 300 });
  // Turns to post are waited for; here nobody but who posts moves the clock.
  const passing = { ...clock, sleep: (ms: number) => clock.advance(ms) };
  const known = { find: (...which: Parameters<TemplateCatalogue['find']>) => catalogue.find(...which) };
  return showsResults({
    client,
    identity: () => IDENTITY,
    latestUrls,
    clock: passing,
    logger,
    catalogue: { ...catalogue, ...known },
  });
}

const NOW = () => clock.now();
const sending = () => report(SMS, { state: 'attempting' }, { createdAt: NOW() });
const accepted = (send = {}) =>
  report(SMS, { state: 'accepted', status: 200 }, { createdAt: NOW(), ...send });
/** The result of a message that stands in the channel already. */
const known = (ts = '99.1', channelId = 'C0TEAM') => accepted({ announcement: { channelId, ts } });
const stands = (ts = '100.1', channelId = 'C0TEAM') => ({ state: 'stands', place: { channelId, ts } });
const later = (retryAfterMs = 5_000, more: object = {}) => ({ state: 'later', retryAfterMs, ...more });
const POSTED: FakeAnswer = { ok: true, channel: 'C0TEAM', ts: '100.1' };
const refused = (error: string): FakeAnswer => ({ ok: false, error });

function answers(given: Record<string, FakeAnswer[]>): void {
  for (const [method, list] of Object.entries(given)) slack.answers.set(method, list);
}

const methods = () => slack.calls.map(({ method, arguments: { channel } }) => `${method} ${channel}`);

test('after a refusal for its pace the next post in the channel waits for as long as Slack says', async () => {
  answers({ 'chat.postMessage': [refused('ratelimited'), POSTED] });
  const [show, began] = [shows(), clock.monotonic()];
  expect(await show(accepted())).toEqual(later(30_000));
  expect(clock.monotonic()).toBe(began);
  expect(await show(accepted())).toEqual(stands());
  expect(clock.monotonic() - began).toBe(30_000);
});

test('a first result is posted with its sentence and its card, unfurling nothing', async () => {
  answers({ 'chat.postMessage': [POSTED] });
  expect(await shows()(accepted())).toEqual(stands());
  expect(slack.calls.map(({ method, arguments: { blocks, ...rest } }) => ({ method, ...rest }))).toEqual([
    {
      method: 'chat.postMessage',
      channel: 'C0TEAM',
      text: '✅ SMS: accepted by the service, to +91 ••••• •5678, asked for by <@U0ASHA>. Reference S-7K2M9QX4TB.',
      unfurl_links: 'false',
      unfurl_media: 'false',
    },
  ]);
  expect(JSON.parse(slack.calls[0]?.arguments.blocks ?? '').length).toBe(3);
});

test('an answer to a customer is told in their thread, and directly in none', async () => {
  answers({ 'chat.postMessage': [refused('thread_not_found'), POSTED] });
  const { send, recipient } = accepted();
  const origin = { ...send.origin, threadTs: '90.1' };
  await shows()({ send: { ...send, origin }, recipient });
  expect(slack.calls.map(({ arguments: { channel, thread_ts } }) => [channel, thread_ts])).toEqual([
    ['C0TEAM', '90.1'],
    ['U0ASHA', undefined],
  ]);
});

test('a later result updates the same message in place', async () => {
  answers({ 'chat.update': [POSTED] });
  const result = await shows()(known());
  expect(result).toEqual(stands('99.1'));
  expect(methods()).toEqual(['chat.update C0TEAM']);
});

test('the words are those that were asked for, whatever the catalogue says today', async () => {
  catalogue = { ...catalogue, find: async () => ({ ...ORDER_TEMPLATE, text: 'Words of today' }) };
  answers({ 'chat.postMessage': [POSTED] });
  const asked = { createdAt: NOW(), template: ORDER_TEMPLATE };
  await shows()(report(ORDER, { state: 'accepted' }, asked));
  const posted = slack.calls[0]?.arguments.blocks;
  expect(posted).toContain('Hello Asha & co');
  expect(posted).not.toContain('of today');
});

test('the template’s label is shown, and a catalogue that breaks costs only that', async () => {
  answers({ 'chat.postMessage': [POSTED] });
  await shows()(report(ORDER, { state: 'accepted' }, { createdAt: NOW() }));
  catalogue = { ...catalogue, find: () => Promise.reject(new Error('disk')) };
  await shows()(report(ORDER, { state: 'accepted' }, { createdAt: NOW() }));
  expect(slack.calls.map((call) => call.arguments.text?.slice(0, 38))).toEqual([
    '✅ Spring · Chat-app message “Order upd',
    '✅ Spring · Chat-app message: accepted ',
  ]);
});

test.each(['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action'])(
  'in a channel that refuses with %s the person is told directly',
  async (code) => {
    answers({ 'chat.postMessage': [refused(code), { ok: true, channel: 'D0ASHA', ts: '7.1' }] });
    expect(await shows()(accepted())).toEqual(stands('7.1', 'D0ASHA'));
    expect(methods()).toEqual(['chat.postMessage C0TEAM', 'chat.postMessage U0ASHA']);
    expect(slack.calls[1]?.arguments.blocks).toContain('Herald could not post this in <#C0TEAM>');
  },
);

test.each(['ekm_access_denied', 'team_added_to_org', 'no_permission', 'a_word_of_tomorrow'])(
  'what Slack refuses with %s is tried again in its channel, not elsewhere',
  async (code) => {
    answers({
      'chat.postMessage': [refused(code), POSTED],
      'chat.update': [refused(code), POSTED],
    });
    const show = shows();
    const refusal = later(5_000, { refusal: code });
    expect(await show(accepted())).toEqual(refusal);
    expect(await show(accepted())).toMatchObject({ state: 'stands', place: { channelId: 'C0TEAM' } });
    expect(await show(known())).toEqual(refusal);
    expect(await show(known())).toMatchObject({ state: 'stands', place: { ts: '99.1' } });
    const twice = (method: string) => [`${method} C0TEAM`, `${method} C0TEAM`];
    expect(methods()).toEqual([...twice('chat.postMessage'), ...twice('chat.update')]);
  },
);

test('what is too long is said in one sentence, and what Slack does not even take so is tried again', async () => {
  answers({ 'chat.postMessage': [refused('msg_too_long')] });
  expect(await shows()(accepted())).toEqual(later(5_000, { refusal: 'msg_too_long' }));
  expect(slack.calls.map((call) => call.arguments.blocks === '[]')).toEqual([false, true]);
  expect(methods()).toEqual(['chat.postMessage C0TEAM', 'chat.postMessage C0TEAM']);
});

test('a direct message is updated where it is', async () => {
  answers({ 'chat.update': [POSTED] });
  const result = await shows()(known('7.1', 'D0ASHA'));
  expect(result).toEqual(stands('7.1', 'D0ASHA'));
  expect(slack.calls[0]?.arguments.blocks).toContain('Herald could not post this in <#C0TEAM>');
});

describe('where neither the channel nor the person’s messages are open', () => {
  const url = () => `${slack.origin}/response/1`;
  const command = (response_url = url()) => ({ command: '/sms', user_id: 'U0ASHA', response_url });
  const CLOSED = [refused('not_in_channel'), refused('messages_tab_disabled')];
  const closed = (payload: Record<string, unknown> = command()) => {
    answers({ 'chat.postMessage': [...CLOSED, ...CLOSED, ...CLOSED, ...CLOSED] });
    latestUrls.note(payload);
  };

  test.each([
    ['not_in_channel', 'messages_tab_disabled'],
    ['restricted_action', 'user_disabled'],
    ['channel_not_found', 'cannot_dm_bot'],
  ])('(%s, %s) the result is said to the person alone, by their response_url', async (...codes) => {
    answers({ 'chat.postMessage': codes.map(refused) });
    latestUrls.note(command());
    expect(await shows()(accepted())).toEqual({ state: 'given' });
    const text = expect.stringContaining('accepted by the service');
    const said = { response_type: 'ephemeral', replace_original: false, text, blocks: expect.any(Array) };
    expect(slack.responses).toEqual([{ path: '/response/1', body: said }]);
    expect(JSON.stringify(slack.responses)).toContain('could not post this in <#C0TEAM>');
  });

  test('first as it is sent, and then as it ended', async () => {
    closed();
    const show = shows();
    await show(sending());
    await show(accepted());
    expect(slack.responses).toHaveLength(2);
  });

  test('in plain words where Slack does not take the blocks', async () => {
    closed();
    answers({ response_url: [refused('invalid_blocks')] });
    expect(await shows()(accepted())).toEqual({ state: 'given' });
    expect(slack.responses[1]?.body).not.toHaveProperty('blocks');
  });

  const REFUSED = { state: 'refused', reason: 'messages_tab_disabled' };
  test('but not after thirty minutes', async () => {
    closed();
    await clock.advance(30 * 60_000);
    expect(await shows()(accepted())).toEqual(REFUSED);
    expect(slack.responses).toEqual([]);
  });

  test.each([
    ['somebody else', () => ({ ...command(), user_id: 'U0RAVI' })],
    ['another host', () => command('https://hooks.slack.com.evil.example/x')],
  ])('and by no response_url of %s', async (_name, payload) => {
    closed(payload());
    expect(await shows()(accepted())).toEqual(REFUSED);
    expect(slack.responses).toEqual([]);
  });

  test('nor more often than Slack takes it', async () => {
    closed();
    slack.answers.set('response_url', Array(2).fill({ status: 404, body: 'used_url' }));
    expect(await shows()(accepted())).toEqual(REFUSED);
  });
});

test('nowhere to say it is refused, with Slack’s reason', async () => {
  answers({ 'chat.postMessage': [refused('is_archived'), refused('user_disabled')] });
  expect(await shows()(accepted())).toEqual({ state: 'refused', reason: 'user_disabled' });
});

test.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
  'a message that cannot be updated (%s) is posted anew',
  async (code) => {
    answers({ 'chat.update': [refused(code)], 'chat.postMessage': [POSTED] });
    const result = await shows()(known());
    expect(result).toEqual(stands());
  },
);

test('blocks that Slack does not take are left out', async () => {
  answers({ 'chat.postMessage': [refused('invalid_blocks'), POSTED] });
  expect(await shows()(accepted())).toEqual(stands());
  expect(slack.calls.map((call) => call.arguments.blocks === '[]')).toEqual([false, true]);
  expect(logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([
    { code: 'invalid_blocks' },
  ]);
});

test.each([
  ['429', { status: 429, headers: { 'retry-after': '17' } }, 17_000],
  ['rate limited in words', refused('ratelimited'), 30_000],
  ['trouble at Slack', refused('internal_error'), 5_000],
  ['503', { status: 503 }, 5_000],
  ['a page instead of JSON', { status: 200, body: '<html>proxy</html>' }, 5_000],
  ['a reset', 'reset', 5_000],
  ['silence', 'hang', 5_000],
  ['a token that was revoked', refused('token_revoked'), 30_000],
] as [string, FakeAnswer, number][])(
  '%s is tried later, once asked and not again here',
  async (name, answer, retryAfterMs) => {
    answers({ 'chat.postMessage': [answer], 'chat.update': [answer] });
    const lost = !/429|rate limited|revoked/.test(name);
    expect(await shows()(accepted())).toEqual(later(retryAfterMs, lost ? { lost } : {}));
    expect(await shows()(known())).toEqual(later(retryAfterMs));
    expect(methods()).toEqual(['chat.postMessage C0TEAM', 'chat.update C0TEAM']);
  },
);

test('Slack out of reach is tried later, and counts as not posted', async () => {
  const show = shows();
  await slack.close();
  for (let time = 0; time < 4; time += 1) {
    expect(await show(accepted())).toEqual(later());
  }
});

test('a post whose answer was lost is found in the history and updated there', async () => {
  const mine = { ts: '55.5', bot_id: 'B0HERALD', text: 'SMS: sending… Reference S-7K2M9QX4TB.' };
  answers({
    'chat.postMessage': ['reset'],
    'conversations.history': [{ ok: true, messages: [{ ...mine, ts: '56.0', bot_id: 'B0OTHER' }, mine] }],
    'chat.update': [POSTED],
  });
  const show = shows();
  await show(sending());
  expect(await show(accepted())).toEqual(stands('55.5'));
  expect(methods()).toEqual([
    'chat.postMessage C0TEAM',
    'conversations.history C0TEAM',
    'chat.update C0TEAM',
  ]);
});

test('a post whose answer was lost and that is not in the history is posted', async () => {
  answers({
    'chat.postMessage': ['reset', POSTED],
    'conversations.history': [{ ok: true, messages: [] }],
  });
  const show = shows();
  await show(sending());
  expect(await show(accepted())).toEqual(stands());
});

test('without leave to read, one more post is made, and never a third', async () => {
  answers({ 'chat.postMessage': ['reset'], 'conversations.history': [refused('missing_scope')] });
  const show = shows();
  const results = [];
  for (let time = 0; time < 4; time += 1) results.push(await show(accepted()));
  const reason = 'Slack confirmed none of two posts; the channel may show the result';
  const [lost, never] = [later(5_000, { lost: true }), { state: 'refused', reason }];
  expect(results).toEqual([lost, lost, never, never]);
  expect(methods().filter((one) => one.startsWith('chat.postMessage'))).toHaveLength(2);
});

test('a deleted message whose new post is never confirmed is not posted a third time either', async () => {
  answers({
    'chat.update': [refused('message_not_found')],
    'chat.postMessage': ['reset'],
    'conversations.history': [refused('missing_scope')],
  });
  const show = shows();
  const states = [];
  for (let time = 0; time < 3; time += 1) states.push((await show(known())).state);
  expect(states).toEqual(['later', 'later', 'refused']);
  expect(methods().filter((one) => one.startsWith('chat.postMessage'))).toHaveLength(2);
});

test('nothing more is posted while Slack does not answer at all', async () => {
  answers({
    'chat.postMessage': ['reset', POSTED],
    'conversations.history': ['reset', refused('missing_scope')],
  });
  const show = shows();
  await show(accepted());
  expect(await show(accepted())).toEqual(later());
  expect(await show(accepted())).toEqual(stands());
  expect(methods()).toEqual([
    'chat.postMessage C0TEAM',
    'conversations.history C0TEAM',
    'conversations.history C0TEAM',
    'chat.postMessage C0TEAM',
  ]);
});

test('what a process that died may have posted is looked for first', async () => {
  const early = { createdAt: NOW() - 60_000 };
  answers({
    'conversations.history': [
      { ok: true, messages: [{ ts: '9.9', bot_id: 'B0HERALD', blocks: [{ text: 'S-7K2M9QX4TB' }] }] },
    ],
    'chat.update': [POSTED],
  });
  expect(await shows()(accepted(early), { attempts: 1 })).toEqual(stands('9.9'));
  expect(slack.calls[0]?.arguments.oldest).toBe(String(Math.floor(NOW() / 1000) - 180));
});

test('nothing of a message or a number is logged', async () => {
  answers({ 'chat.postMessage': [refused('invalid_blocks'), refused('is_archived'), 'reset'] });
  await shows()(accepted());
  expect(JSON.stringify(logger.lines)).not.toMatch(/table is ready|5678/);
});
