import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TemplateCatalogue } from '../../../src/sends/ports.ts';
import type { Post } from '../../../src/sends/posts.ts';
import type { SendReport } from '../../../src/sends/send.ts';
import { createPace } from '../../../src/slack/kit/posting/pace.ts';
import { placePost } from '../../../src/slack/kit/posting/place-post.ts';
import { renderResultOfOne } from '../../../src/slack/results/posts.ts';
import type { SendSources } from '../../../src/slack/results/standing.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { type FakeAnswer, type FakeSlack, startFakeSlack } from '../fake-slack.ts';
import { ORDER, ORDER_TEMPLATE, report, SMS } from '../kit/cards/reports.ts';
import { IDENTITY } from '../kit/posting/fake-slack.ts';
import { clientOf } from '../test-app.ts';

let slack: FakeSlack;
let clock: ManualClock;
let logger: RecordingLogger;
let catalogue: TemplateCatalogue;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  logger = createRecordingLogger();
  catalogue = { find: async () => ORDER_TEMPLATE, search: async () => [], mark: async () => undefined };
  client = clientOf(slack, clock, logger);
});
afterEach(() => slack.close());

/** Shows results of one person as the outbox does, and remembers as it does what was lost. */
function shows() {
  // Turns to post are waited for; here nobody but who posts moves the clock.
  const passing = { ...clock, sleep: (ms: number) => clock.advance(ms) };
  const pace = createPace(passing);
  const surroundings = { ...client, identity: () => IDENTITY, clock: passing, logger, pace };
  let lost = 0;
  return async ({ send, recipient }: SendReport, known: Partial<Post> = {}) => {
    const { id, createdAt: since, announcement } = send;
    const place = announcement && { place: announcement };
    const wanted = { mark: `send:${id}`, subject: id, wanted: 1, since, tries: 0 };
    const post: Post = { ...wanted, attempts: 0, lost, ...place, ...known };
    const store = only<SendSources['store']>({
      find: async () => send,
      recipients: async () => [recipient],
      retriesOf: async () => [],
    });
    const toShow = await renderResultOfOne({ store, catalogue, answers: NO_ANSWERS, logger })(post);
    if (toShow === 'nothing' || !('render' in toShow)) throw new Error('There is nothing to show.');
    const placed = await placePost(post, toShow, surroundings);
    if (placed.state === 'later' && placed.lost) lost += 1;
    return placed;
  };
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
const postings = () => methods().filter((one) => one.startsWith('chat.postMessage'));

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
  const [{ blocks = '', text, ...others } = {}] = slack.calls.map((call) => call.arguments);
  expect(others).toEqual({ channel: 'C0TEAM', unfurl_links: 'false', unfurl_media: 'false' });
  expect(text).toMatch(/^✅ SMS: accepted by the service, to .* Reference S-7K2M9QX4TB\.$/);
  expect(JSON.parse(blocks)).toHaveLength(3);
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

const MISSING = 'Herald could not post this in <#C0TEAM>';

test('a later result updates the same message in place, a direct one where it is', async () => {
  answers({ 'chat.update': [POSTED] });
  expect(await shows()(known())).toEqual(stands('99.1'));
  expect(await shows()(known('7.1', 'D0ASHA'))).toEqual(stands('7.1', 'D0ASHA'));
  expect(methods()).toEqual(['chat.update C0TEAM', 'chat.update D0ASHA']);
  expect(slack.calls.map((call) => call.arguments.blocks?.includes(MISSING))).toEqual([false, true]);
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

test('in a channel that refuses it the person is told directly', async () => {
  answers({ 'chat.postMessage': [refused('not_in_channel'), { ok: true, channel: 'D0ASHA', ts: '7.1' }] });
  expect(await shows()(accepted())).toEqual(stands('7.1', 'D0ASHA'));
  expect(methods()).toEqual(['chat.postMessage C0TEAM', 'chat.postMessage U0ASHA']);
  expect(slack.calls[1]?.arguments.blocks).toContain(MISSING);
});

test('what Slack refuses in a word that names no place is tried again in its channel, not elsewhere', async () => {
  const code = 'a_word_of_tomorrow';
  answers({ 'chat.postMessage': [refused(code), POSTED], 'chat.update': [refused(code), POSTED] });
  const show = shows();
  const refusal = later(5_000, { refusal: code });
  const results = [await show(accepted()), await show(accepted()), await show(known()), await show(known())];
  expect(results).toEqual([refusal, stands(), refusal, stands('99.1')]);
  const twice = (method: string) => [`${method} C0TEAM`, `${method} C0TEAM`];
  expect(methods()).toEqual([...twice('chat.postMessage'), ...twice('chat.update')]);
});

test.each([
  [refused('msg_too_long'), later(5_000, { refusal: 'msg_too_long' })],
  [POSTED, stands()],
])('blocks that Slack does not take are left out; then it answers %j', async (second, placed) => {
  answers({ 'chat.postMessage': [refused('msg_too_long'), second] });
  expect(await shows()(accepted())).toEqual(placed);
  expect(slack.calls.map((call) => call.arguments.blocks === '[]')).toEqual([false, true]);
  const warned = logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
  expect(warned).toEqual([{ code: 'msg_too_long' }]);
});

describe('where neither the channel nor the person’s messages are open', () => {
  const command = (response_url = `${slack.origin}/response/1`) => ({ user_id: 'U0ASHA', response_url });
  const REFUSED = { state: 'refused', reason: 'messages_tab_disabled' };
  beforeEach(() => {
    const closed = [refused('not_in_channel'), refused('messages_tab_disabled')];
    answers({ 'chat.postMessage': [...closed, ...closed] });
  });

  test('each result is said to the person alone, by their response_url', async () => {
    client.latestUrls.note(command());
    const show = shows();
    await show(sending());
    expect(await show(accepted())).toEqual({ state: 'given' });
    const text = expect.stringContaining('accepted by the service');
    const said = { response_type: 'ephemeral', replace_original: false, text, blocks: expect.any(Array) };
    expect(slack.responses.slice(1)).toEqual([{ path: '/response/1', body: said }]);
    expect(JSON.stringify(slack.responses)).toContain('could not post this in <#C0TEAM>');
  });

  test('in plain words where Slack does not take the blocks', async () => {
    client.latestUrls.note(command());
    answers({ response_url: [refused('invalid_blocks')] });
    expect(await shows()(accepted())).toEqual({ state: 'given' });
    expect(slack.responses[1]?.body).not.toHaveProperty('blocks');
  });

  test.each<[string, () => object, FakeAnswer[], number]>([
    ['after thirty minutes', command, [], 30 * 60_000],
    ['by that of somebody else', () => ({ ...command(), user_id: 'U0RAVI' }), [], 0],
    ['by one of another host', () => command('https://hooks.slack.com.evil.example/x'), [], 0],
    ['more often than Slack takes it', command, Array(2).fill({ status: 404, body: 'used_url' }), 0],
  ])('but not %s', async (_name, payload, response_url, ms) => {
    client.latestUrls.note({ ...payload() });
    answers({ response_url: [...response_url] });
    await clock.advance(ms);
    expect(await shows()(accepted())).toEqual(REFUSED);
    expect(slack.responses).toHaveLength(response_url.length);
  });
});

test('a message that cannot be updated is posted anew', async () => {
  answers({ 'chat.update': [refused('cant_update_message')], 'chat.postMessage': [POSTED] });
  expect(await shows()(known())).toEqual(stands());
});

test.each<[string, FakeAnswer, number, boolean]>([
  ['429', { status: 429, headers: { 'retry-after': '17' } }, 17_000, false],
  ['trouble at Slack', refused('internal_error'), 5_000, true],
  ['a token that was revoked', refused('token_revoked'), 30_000, false],
])('%s is tried later, once asked and not again here', async (_name, answer, retryAfterMs, lost) => {
  answers({ 'chat.postMessage': [answer], 'chat.update': [answer] });
  expect(await shows()(accepted())).toEqual(later(retryAfterMs, lost ? { lost } : {}));
  expect(await shows()(known())).toEqual(later(retryAfterMs));
  expect(methods()).toEqual(['chat.postMessage C0TEAM', 'chat.update C0TEAM']);
});

test('Slack out of reach is tried later, and counts as not posted', async () => {
  await slack.close();
  const show = shows();
  for (let time = 0; time < 4; time += 1) expect(await show(accepted())).toEqual(later());
});

describe('a post whose answer was lost', () => {
  const UNREADABLE = { 'conversations.history': [refused('missing_scope')] };
  const history = (...messages: object[]) => ({ 'conversations.history': [{ ok: true, messages }] });

  test('is made once more without leave to read, and never a third time', async () => {
    answers({ 'chat.postMessage': ['reset'], ...UNREADABLE });
    const show = shows();
    const results = [];
    for (let time = 0; time < 4; time += 1) results.push(await show(accepted()));
    const reason = 'Slack confirmed none of two posts; the channel may show the result';
    const [lost, never] = [later(5_000, { lost: true }), { state: 'refused', reason }];
    expect(results).toEqual([lost, lost, never, never]);
    expect(postings()).toHaveLength(2);
  });

  test('and stands for one that was deleted is not made a third time either', async () => {
    answers({ 'chat.update': [refused('message_not_found')], 'chat.postMessage': ['reset'], ...UNREADABLE });
    const show = shows();
    const states = [];
    for (let time = 0; time < 3; time += 1) states.push((await show(known())).state);
    expect(states).toEqual(['later', 'later', 'refused']);
    expect(postings()).toHaveLength(2);
  });

  test('is not made again while Slack does not answer at all', async () => {
    const asked = ['reset' as const, refused('missing_scope')];
    answers({ 'chat.postMessage': ['reset', POSTED], 'conversations.history': asked });
    const show = shows();
    await show(accepted());
    expect(await show(accepted())).toEqual(later());
    expect(postings()).toHaveLength(1);
    expect(await show(accepted())).toEqual(stands());
    expect(postings()).toHaveLength(2);
  });

  test('by a process that died is looked for first', async () => {
    const posted = { ts: '9.9', bot_id: 'B0HERALD', blocks: [{ text: 'S-7K2M9QX4TB' }] };
    answers({ ...history(posted), 'chat.update': [POSTED] });
    const early = { createdAt: NOW() - 60_000 };
    expect(await shows()(accepted(early), { attempts: 1 })).toEqual(stands('9.9'));
    expect(slack.calls[0]?.arguments.oldest).toBe(String(Math.floor(NOW() / 1000) - 180));
  });
});

test('nothing of a message or a number is logged', async () => {
  answers({ 'chat.postMessage': [refused('invalid_blocks'), refused('is_archived'), 'reset'] });
  await shows()(accepted());
  expect(JSON.stringify(logger.lines)).not.toMatch(/table is ready|5678/);
});
