import { afterEach, beforeEach, expect, test } from 'vitest';
import { given } from '../../../../src/core/given.ts';
import { createApproverDirectory } from '../../../../src/slack/kit/people/access.ts';
import { createMembers, createPeople } from '../../../../src/slack/kit/people/people.ts';
import { createManualClock, type ManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { type FakeAnswer, type FakeSlack, startFakeSlack } from '../../fake-slack.ts';
import { clientOf } from '../../test-app.ts';
import { IDENTITY } from '../posting/fake-slack.ts';

let slack: FakeSlack;
let clock: ManualClock;
beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
});
afterEach(() => slack.close());

function directory(approvers: readonly string[], enterpriseId?: string, isForAll?: true) {
  const logger = createRecordingLogger();
  const { client } = clientOf(slack, clock, logger);
  const identity = () => ({ ...IDENTITY, teamId: 'T0ACME', ...given({ enterpriseId, isForAll }) });
  const members = createMembers({ client, clock, logger });
  const { standings } = createPeople({ client, identity, clock, logger });
  return createApproverDirectory({ identity, members, standings, approvers });
}

function answer(method: string, ...answers: FakeAnswer[]): void {
  slack.answers.set(method, answers);
}
const user = (more: object = {}): FakeAnswer => ({
  ok: true,
  user: { id: 'U0RAVI', team_id: 'T0ACME', ...more },
});
const calls = () => slack.calls.map(({ method }) => method);

test.each([
  ['a member who is listed', {}, undefined],
  ['a multi-channel guest', { is_restricted: true }, 'guest'],
  ['a single-channel guest', { is_restricted: true, is_ultra_restricted: true }, 'guest'],
  ['a stranger of a shared channel', { is_stranger: true }, 'other_workspace'],
  ['somebody of another workspace', { team_id: 'T0OTHER' }, 'other_workspace'],
  ['somebody who left', { deleted: true }, 'not_listed'],
] as const)('%s', async (_who, more, problem) => {
  answer('users.info', user(more));
  expect(await directory(['U0RAVI']).whyNot('U0RAVI', 'T0ACME')).toBe(problem);
});

test('a click from another workspace is refused before anything is asked', async () => {
  expect(await directory(['U0RAVI']).whyNot('U0RAVI', 'T0OTHER')).toBe('other_workspace');
  expect(calls()).toEqual([]);
});

test('in an Enterprise Grid people of the same organisation are at home', async () => {
  answer('users.info', user({ team_id: 'T0OTHER', enterprise_user: { enterprise_id: 'E0ACME' } }));
  expect(await directory(['U0RAVI'], 'E0ACME').whyNot('U0RAVI', 'T0OTHER')).toBeUndefined();
  answer('users.info', user({ team_id: 'T0OTHER', enterprise_user: { enterprise_id: 'E0ELSE' } }));
  expect(await directory(['U0RAVI'], 'E0ACME').whyNot('U0RAVI', 'T0OTHER')).toBe('other_workspace');
});

// The object's fields: https://docs.slack.dev/reference/objects/user-object
test.each([
  ['of the home workspace, too, whichever Slack names first', ['T0OTHER', 'T0ACME'], undefined],
  ['of other workspaces alone', ['T0OTHER'], 'other_workspace'],
  ['of no workspace', undefined, 'other_workspace'],
])('where the app is installed for the whole organisation, somebody %s', async (_who, teams, problem) => {
  const enterprise_user = { enterprise_id: 'E0ACME', ...given({ teams }) };
  answer('users.info', user({ team_id: 'T0OTHER', enterprise_user }));
  expect(await directory(['U0RAVI'], 'E0ACME', true).whyNot('U0RAVI', 'T0OTHER')).toBe(problem);
});

test.each<[string, FakeAnswer, string]>([
  ['Slack is down', { status: 503 }, 'unknown'],
  ['Slack is busy', { status: 429, headers: { 'Retry-After': '1' } }, 'unknown'],
  ['the scope is missing', { ok: false, error: 'missing_scope' }, 'unknown'],
  ['nobody like that can be seen', { ok: false, error: 'user_not_visible' }, 'other_workspace'],
])('%s', async (_what, given, problem) => {
  answer('users.info', given);
  expect(await directory(['U0RAVI']).whyNot('U0RAVI', 'T0ACME')).toBe(problem);
});

test('an answer is kept for a minute, asked anew on demand, and "unknown" is never kept', async () => {
  answer('users.info', { status: 503 }, user());
  answer('usergroups.users.list', { ok: true, users: ['U0RAVI'] });
  const approvers = directory(['S0MANAGERS']);
  const ask = (fresh = false) => approvers.whyNot('U0RAVI', 'T0ACME', { fresh });
  expect(await ask()).toBe('unknown');
  expect(await ask()).toBeUndefined();
  await clock.advance(59_000);
  expect(await ask()).toBeUndefined();
  expect(calls()).toEqual(['users.info', 'users.info', 'usergroups.users.list']);
  answer('usergroups.users.list', { ok: true, users: [] });
  expect(await ask()).toBeUndefined();
  expect(await ask(true)).toBe('not_listed');
  expect(await ask()).toBe('not_listed');
  await clock.advance(61_000);
  await ask();
  const asked = ['users.info', 'usergroups.users.list'];
  expect(calls().slice(3)).toEqual([...asked, ...asked]);
});

test('fifty questions within a moment are one, also when an answer must be fresh', async () => {
  answer('users.info', user());
  answer('usergroups.users.list', { ok: true, users: ['U0RAVI'] });
  const approvers = directory(['S0MANAGERS']);
  const ask = () => approvers.whyNot('U0RAVI', 'T0ACME', { fresh: true });
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  expect(new Set(answers)).toEqual(new Set([undefined]));
  expect(calls()).toEqual(['users.info', 'usergroups.users.list']);
  await clock.advance(1_001);
  answer('usergroups.users.list', { ok: true, users: [] });
  expect(await ask()).toBe('not_listed');
});
