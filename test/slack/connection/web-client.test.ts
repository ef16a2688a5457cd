import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiFailure, classifyApiError, remedyOf } from '../../../src/slack/connection/api-error.ts';
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
  ['https://slack-gov.com/x', false],
  ['https://hooks.slack.com@evil.example/', false],
  ['https://user@hooks.slack.com/x', false],
  ['http://hooks.slack.com/x', false],
  ['file:///etc/passwd', false],
  ['hooks.slack.com/x', false],
  ['', false],
])('%s is a place to respond: %s', (url, isOne) => {
  expect(isResponseUrl(url, SLACK_RESPONSE_ORIGINS)).toBe(isOne);
});

/* The codes that chat.postMessage and chat.update are documented to answer, and what nobody has documented yet. */
const REMEDIES = {
  plain_text: `block_mismatch invalid_arguments invalid_attachments invalid_blocks invalid_blocks_format
    msg_blocks_too_long msg_too_long`,
  operator: `account_inactive invalid_auth missing_scope not_allowed_token_type not_authed team_access_not_granted
    token_expired token_revoked`,
  elsewhere: `cannot_reply_to_message cant_update_message channel_not_found edit_window_closed is_archived is_inactive
    message_not_found messages_tab_disabled not_in_channel posting_to_channel_denied restricted_action
    restricted_action_non_threadable_channel restricted_action_read_only_channel restricted_action_thread_locked
    restricted_action_thread_only_channel slack_connect_canvas_sharing_blocked
    slack_connect_file_link_sharing_blocked slack_connect_lists_sharing_blocked streaming_state_conflict
    thread_not_found user_disabled user_not_found`,
  later: `access_denied accesslimited as_user_not_supported attachment_payload_limit_exceeded deprecated_endpoint
    duplicate_message_not_found ekm_access_denied enterprise_is_restricted external_channel_migrating
    invalid_arg_name invalid_array_arg invalid_charset invalid_form_data invalid_metadata_format invalid_post_type
    messaging_processing_failed method_deprecated missing_post_type no_permission no_text org_login_required
    team_added_to_org team_not_found two_factor_setup_required update_failed a_word_of_tomorrow constructor`,
};

test.each(Object.entries(REMEDIES))('%s is the remedy for its codes', (remedy, codes) => {
  for (const code of codes.split(/\s+/)) expect([code, remedyOf(code)]).toEqual([code, remedy]);
});
