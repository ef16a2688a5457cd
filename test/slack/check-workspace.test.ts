import { afterEach, beforeEach, expect, test } from 'vitest';
import { validateMessage, validateView } from '../../sandbox/slack/block-kit/index.ts';
import type { ApprovalPolicy } from '../../src/sends/settings.ts';
import { checkTokens, checkWorkspace } from '../../src/slack/check-workspace.ts';
import { SCOPES } from '../../src/slack/features.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { AUTH_TEST, type FakeSlack, startFakeSlack } from './fake-slack.ts';
import { clientOf } from './test-app.ts';

const HOME = { teamId: 'T0ACME', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };
const clock = createManualClock();
const POLICY: ApprovalPolicy = {
  approvers: ['S0MANAGERS'],
  over: 1,
  tiers: [],
  expireHours: 24,
  lateAfterMinutes: 60,
};

let slack: FakeSlack;
beforeEach(async () => {
  slack = await startFakeSlack();
  slack.answers.set('api.test', [dated(0)]);
  slack.answers.set('blocks.validate', [{ ok: true }]);
  slack.answers.set('usergroups.users.list', [{ ok: true, users: ['U0RAVI', 'U0MEI'] }]);
});
afterEach(() => slack.close());

function dated(aheadMs: number) {
  const headers = { 'content-type': 'application/json', date: new Date(clock.now() + aheadMs).toUTCString() };
  return { status: 200, headers, body: '{"ok":true}' };
}

async function found(ids: readonly string[] = ['S0MANAGERS'], policy = POLICY) {
  const logger = createRecordingLogger();
  const slackClient = clientOf(slack, clock, logger);
  const mentions = ids.map((id) => ({ id, key: 'a.key', mustBeIn: true }));
  const findings = await checkWorkspace(slackClient, mentions, policy, HOME, { clock, logger });
  return findings.map(({ weight, what }) => `${weight}: ${what}`);
}

test('nothing is found where all is well', async () => {
  expect(await found()).toEqual([]);
});

test('a token that Slack tries later, because it was asked often, is not called wrong', async () => {
  slack.answers.set('auth.test', [AUTH_TEST]);
  const later = { status: 429, headers: { 'retry-after': '8' }, body: '' };
  slack.answers.set('apps.connections.open', [later, { ok: false, error: 'invalid_auth' }]);
  const tried = async () => {
    const { findings } = await checkTokens(clientOf(slack, clock, createRecordingLogger()), 'xapp-1');
    return findings.map(({ weight }) => weight);
  };
  expect([await tried(), await tried()]).toEqual([['advice'], ['wrong']]);
});

test('a clock that is more than a minute off is told of, by how much and which way', async () => {
  slack.answers.set('api.test', [dated(58_000), dated(-400_000), dated(90_000)]);
  expect(await found()).toEqual([]);
  expect(await found()).toEqual([
    expect.stringMatching(/^wrong: The clock of this machine is 400 s ahead of Slack’s/),
  ]);
  expect(await found()).toEqual([
    expect.stringMatching(/^wrong: The clock of this machine is 90 s behind Slack’s/),
  ]);
});

test('a permission that Herald starts without is told of, with what it is for', async () => {
  const given = SCOPES.map(({ scope }) => scope).filter((scope) => scope !== 'reactions:write');
  const headers = { 'content-type': 'application/json', 'x-oauth-scopes': given.join(',') };
  slack.answers.set('auth.test', [{ status: 200, headers, body: JSON.stringify(AUTH_TEST) }]);
  expect(await found()).toEqual([
    expect.stringMatching(/^advice: The Slack app lacks reactions:write: to show on an alert’s own message/),
  ]);
});

test('the people of groups count as approvers, once each', async () => {
  const tiers = [{ over: 9, approvals: 3 }];
  const policy = { ...POLICY, approvers: ['S0MANAGERS', 'U0RAVI'], tiers };
  expect(await found(['S0MANAGERS'], policy)).toEqual([
    'wrong: The largest sends need 3 approvals, and 2 may approve.',
  ]);
});

test('channels that are archived or without Herald, and groups that are empty or need another plan', async () => {
  slack.answers.set('conversations.info', [
    { ok: true, channel: { id: 'C1', is_archived: true } },
    { ok: true, channel: { id: 'C2', is_member: false } },
    { ok: true, channel: { id: 'C3', is_member: true } },
  ]);
  slack.answers.set('usergroups.users.list', [
    { ok: true, users: [] },
    { ok: false, error: 'plan_upgrade_required' },
  ]);
  expect(await found(['C1', 'C2', 'C3', 'S1', 'S2'], { ...POLICY, approvers: ['U0RAVI'] })).toEqual([
    'wrong: The channel C1 (a.key) is archived.',
    'wrong: Herald is not in the channel C2 (a.key).',
    'advice: The user group S1 (a.key) has nobody in it.',
    'wrong: This workspace’s plan has no user groups, so nobody has a right by S2 (a.key).',
  ]);
});

test('whether Slack takes the largest of each new block is asked without showing it', async () => {
  const asked = () => slack.calls.filter(({ method }) => method === 'blocks.validate');
  expect(await found()).toEqual([]);
  const problems = asked().flatMap(({ arguments: { message, view } }) =>
    message === undefined ? validateView(JSON.parse(view ?? '')) : validateMessage(JSON.parse(message)),
  );
  expect([asked().length, problems]).toEqual([4, []]);
  const refused = { pointer: '/blocks/0/type', code: 'unsupported_type' };
  slack.answers.set('blocks.validate', [
    ...[{ ok: true }, { ok: false, error: 'invalid_message', errors: [refused] }, { ok: true }],
    ...[{ ok: false, error: 'invalid_view' }, { ok: false, error: 'unknown_method' }, 'reset' as const],
  ]);
  expect([...(await found()), ...(await found()), ...(await found())]).toEqual([
    'advice: Slack does not take Herald’s charts here (invalid_message).',
    'advice: Slack does not take Herald’s warnings here (invalid_view).',
    'advice: Slack has no blocks.validate here, so whether it takes Herald’s tables, charts, carousels and warnings shows when one is posted.',
    'advice: Slack did not say anything about Herald’s tables.',
  ]);
});

test('what Slack does not answer is not guessed', async () => {
  slack.answers.set('api.test', ['reset']);
  slack.answers.set('auth.test', ['reset']);
  slack.answers.set('conversations.info', ['reset']);
  slack.answers.set('users.info', [{ status: 429, headers: { 'retry-after': '20' } }]);
  slack.answers.set('usergroups.users.list', [{ ok: false, error: 'internal_error' }]);
  expect(await found(['C1', 'U1', 'S0MANAGERS'])).toEqual(
    ['C1', 'U1', 'S0MANAGERS'].map((id) => `advice: Slack did not say anything about ${id} (a.key).`),
  );
});
