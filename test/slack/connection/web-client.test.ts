import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiFailure, classifyApiError } from '../../../src/slack/connection/api-error.ts';
import { createResponseUrls, SLACK_RESPONSE_ORIGINS } from '../../../src/slack/connection/response-url.ts';
import {
  createBoltLogger,
  createSlackFetch,
  webClientOptions,
} from '../../../src/slack/connection/web-client.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';
import { type FakeAnswer, type FakeSlack, startFakeSlack } from '../fake-slack.ts';
import { NO_METRICS } from '../test-app.ts';

let slack: FakeSlack;
let clock: ManualClock;
let logger: RecordingLogger;
let counted: string[];
let client: webApi.WebClient;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  logger = createRecordingLogger();
  counted = [];
  client = new webApi.WebClient('xoxb-very-secret', { ...options(), timeout: 2_000 });
});

afterEach(() => slack.close());

function options(slackApiUrl = slack.apiUrl): webApi.WebClientOptions {
  const metrics = {
    ...NO_METRICS,
    apiCalled: (method: string, result: string) => void counted.push(`${method} ${result}`),
  };
  const fetch = createSlackFetch(slackApiUrl, createResponseUrls([slack.origin], clock), metrics, clock);
  return webClientOptions({ slackApiUrl, logger: createBoltLogger(logger), fetch });
}

const post = () => client.chat.postMessage({ channel: 'C0TEAM', text: 'private words for +6591234567' });

test.each([
  ['ok', { ok: true, ts: '1.1' }, undefined, 'ok'],
  [
    'refused',
    { ok: false, error: 'not_in_channel' },
    { kind: 'refused', code: 'not_in_channel' },
    'not_in_channel',
  ],
  [
    'refused in a word of its own, which is no label',
    { ok: false, error: 'private_words_for_6591234567' },
    { kind: 'refused', code: 'private_words_for_6591234567' },
    'other',
  ],
  [
    '429',
    { status: 429, headers: { 'retry-after': '7' } },
    { kind: 'rate_limited', retryAfterMs: 7_000 },
    'http_429',
  ],
  ['429 without a time', { status: 429 }, { kind: 'rate_limited', retryAfterMs: 30_000 }, 'http_429'],
  [
    'limited in words',
    { ok: false, error: 'rate_limited' },
    { kind: 'rate_limited', retryAfterMs: 30_000 },
    'rate_limited',
  ],
  [
    'fatal_error',
    { ok: false, error: 'fatal_error' },
    { kind: 'ambiguous', cause: 'fatal_error' },
    'fatal_error',
  ],
  ['500', { status: 500 }, { kind: 'ambiguous', cause: 'http_500' }, 'http_500'],
  [
    'a page',
    { status: 200, body: '<html>' },
    { kind: 'ambiguous', cause: 'unreadable_answer' },
    'unreadable_answer',
  ],
  ['a reset', 'reset', { kind: 'ambiguous', cause: 'ECONNRESET' }, 'network_error'],
  ['silence', 'hang', { kind: 'ambiguous', cause: 'timeout' }, 'timeout'],
] as [string, FakeAnswer, ApiFailure | undefined, string][])(
  '%s: asked once, understood, counted',
  async (_name, answer, failure, result) => {
    slack.answers.set('chat.postMessage', [answer, { ok: true, ts: '2.2' }]);
    const outcome = await post().then(
      () => undefined,
      (error: unknown) => classifyApiError(error),
    );
    expect(outcome).toEqual(failure);
    expect(slack.calls.length).toBe(1);
    expect(counted).toEqual([`chat.postMessage ${result}`]);
    expect(JSON.stringify(logger.lines)).not.toMatch(/private words|91234567|very-secret/);
  },
);

test('Slack out of reach proves that nothing was done', async () => {
  await slack.close();
  expect(await post().catch(classifyApiError)).toEqual({ kind: 'not_reached', cause: 'ECONNREFUSED' });
  client = new webApi.WebClient('xoxb-1', options('http://nowhere.invalid/api/'));
  expect(await post().catch(classifyApiError)).toEqual({
    kind: 'not_reached',
    cause: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
  });
});

test('one call that is limited does not hold up the others', async () => {
  slack.answers.set('chat.postMessage', [{ status: 429, headers: { 'retry-after': '60' } }]);
  await expect(post()).rejects.toThrow('rate-limit');
  expect((await client.auth.test()).ok).toBe(true);
});

test('each client gets options of its own', () => {
  const [one, other] = [options(), options()];
  one.retryConfig = { retries: 100 };
  expect(other.retryConfig).toEqual({ retries: 0 });
});

test.each<[string, FakeAnswer[], number]>([
  ['ok', [], 200],
  ['a refusal that comes as success', [{ ok: false, error: 'invalid_blocks' }], 400],
  ['a refusal', [{ status: 400, body: 'invalid_blocks' }], 400],
  ['one that is out of date', [{ status: 404, body: 'expired_url' }], 404],
])('what a response_url answers: %s', async (_name, answers, status) => {
  slack.answers.set('response_url', answers);
  const response = await options().fetch?.(`${slack.origin}/response/1`, { method: 'POST', body: '{}' });
  expect(response?.status).toBe(status);
});

test.each([
  'https://hooks.slack.com/commands/T/1/x',
  // Slack for governments.
  'https://hooks.slack-gov.com/commands/T/1/x',
])('%s is a place to respond', (url) => {
  expect(createResponseUrls(SLACK_RESPONSE_ORIGINS, clock).use(url).ok).toBe(true);
});

test('a response_url works five times, within thirty minutes, on allowed hosts', async () => {
  const urls = createResponseUrls(['https://hooks.slack.com', 'http://127.0.0.1:8080'], clock);
  const url = 'https://hooks.slack.com/commands/T/1/x';
  const uses = Array.from({ length: 6 }, () => urls.use(url).ok);
  expect(uses).toEqual([true, true, true, true, true, false]);
  const old = 'https://hooks.slack.com/commands/T/2/y';
  expect(urls.use(old).ok).toBe(true);
  await clock.advance(30 * 60_000 + 1);
  expect(urls.use(old)).toEqual({ ok: false, error: 'The response_url is older than 30 minutes.' });
  expect(urls.use('http://127.0.0.1:8080/response/1').ok).toBe(true);
});

test.each([
  'https://hooks.slack.com.evil.example/x',
  'https://evil.example/hooks.slack.com',
  'https://hooks.slack-gov.com.evil.example/x',
  'https://slack-gov.com/x',
  'https://hooks.slack.com@evil.example/',
  'https://user@hooks.slack.com/x',
  'http://hooks.slack.com/x',
  'http://127.0.0.1:22/',
  'file:///etc/passwd',
  'hooks.slack.com/x',
  '',
])('%s is no place to respond', (url) => {
  const urls = createResponseUrls(SLACK_RESPONSE_ORIGINS, clock);
  expect(urls.use(url)).toEqual({ ok: false, error: 'The response_url is not on Slack’s host.' });
});
