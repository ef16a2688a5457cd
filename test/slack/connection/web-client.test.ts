import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiFailure, classifyApiError } from '../../../src/slack/connection/api-error.ts';
import {
  createBoltLogger,
  createSlackFetch,
  webClientOptions,
} from '../../../src/slack/connection/client.ts';
import { isResponseUrl, SLACK_RESPONSE_ORIGINS } from '../../../src/slack/connection/notify-person.ts';
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
  const fetch = createSlackFetch(slackApiUrl, [slack.origin], metrics, clock);
  return webClientOptions({ slackApiUrl, logger: createBoltLogger(logger), fetch });
}

const post = () => client.chat.postMessage({ channel: 'C0TEAM', text: 'private words for +6591234567' });

const no = (error: string) => ({ ok: false, error });
const refused = (code: string): ApiFailure => ({ kind: 'refused', code });
const limited = (retryAfterMs: number): ApiFailure => ({ kind: 'rate_limited', retryAfterMs });
const unsure = (cause: string): ApiFailure => ({ kind: 'ambiguous', cause });
const OWN_WORD = 'private_words_for_6591234567';
test.each<[string, FakeAnswer, ApiFailure | undefined, string]>([
  ['ok', { ok: true, ts: '1.1' }, undefined, 'ok'],
  ['refused', no('not_in_channel'), refused('not_in_channel'), 'not_in_channel'],
  ['refused in a word of its own, which is no label', no(OWN_WORD), refused(OWN_WORD), 'other'],
  ['429', { status: 429, headers: { 'retry-after': '7' } }, limited(7_000), 'http_429'],
  ['429 without a time', { status: 429 }, limited(30_000), 'http_429'],
  ['limited in words', no('rate_limited'), limited(30_000), 'rate_limited'],
  ['fatal_error', no('fatal_error'), unsure('fatal_error'), 'fatal_error'],
  ['500', { status: 500 }, unsure('http_500'), 'http_500'],
  ['a page', { status: 200, body: '<html>' }, unsure('unreadable_answer'), 'unreadable_answer'],
  ['a reset', 'reset', unsure('ECONNRESET'), 'network_error'],
  ['silence', 'hang', unsure('timeout'), 'timeout'],
])('%s: asked once, understood, counted', async (_name, answer, failure, result) => {
  slack.answers.set('chat.postMessage', [answer, { ok: true, ts: '2.2' }]);
  const outcome = await post().then(
    () => undefined,
    (error: unknown) => classifyApiError(error),
  );
  expect(outcome).toEqual(failure);
  expect(slack.calls.length).toBe(1);
  expect(counted).toEqual([`chat.postMessage ${result}`]);
  expect(JSON.stringify(logger.lines)).not.toMatch(/private words|91234567|very-secret/);
});

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
  ['https://hooks.slack.com/commands/T/1/x', true],
  // Slack for governments.
  ['https://hooks.slack-gov.com/commands/T/1/x', true],
  ['https://hooks.slack.com.evil.example/x', false],
  ['https://evil.example/hooks.slack.com', false],
  ['https://hooks.slack-gov.com.evil.example/x', false],
  ['https://slack-gov.com/x', false],
  ['https://hooks.slack.com@evil.example/', false],
  ['https://user@hooks.slack.com/x', false],
  ['http://hooks.slack.com/x', false],
  ['http://127.0.0.1:22/', false],
  ['file:///etc/passwd', false],
  ['hooks.slack.com/x', false],
  ['', false],
])('%s is a place to respond: %s', (url, isOne) => {
  expect(isResponseUrl(url, SLACK_RESPONSE_ORIGINS)).toBe(isOne);
});
