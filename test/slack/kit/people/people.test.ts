import { webApi } from '@slack/bolt';
import { describe, expect, it, test } from 'vitest';
import type { Identity } from '../../../../src/slack/connection/identity.ts';
import { createApproverDirectory } from '../../../../src/slack/kit/people/access.ts';
import {
  createChannelMembers,
  createMembers,
  createPeople,
} from '../../../../src/slack/kit/people/people.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { slackError } from '../../compose/setting.ts';
import { IDENTITY } from '../posting/fake-slack.ts';

/** People as a client shows them, of which the test answers what it needs. */
function setting(answering: object, identity: () => Identity | undefined = () => undefined) {
  const client = answering as webApi.WebClient;
  const [clock, logger] = [createManualClock(), createRecordingLogger()];
  const asking = { client, clock, logger, identity };
  const members = createMembers(asking);
  return { ...createPeople(asking), ...members, members, clock, logger };
}

test('the names of several user groups are one question: Slack takes twenty a minute', async () => {
  let asked = 0;
  let isRefused = true;
  const list = async () => {
    asked += 1;
    if (isRefused) throw slackError('team_added_to_org');
    return { ok: true, usergroups: ['A', 'B'].map((id) => ({ id: `S0${id}`, handle: id })) };
  };
  const { names } = setting({ usergroups: { list } });
  expect(await names.nameOf('S0A')).toBe('S0A');
  isRefused = false;
  expect(await Promise.all(['S0A', 'S0B', 'S0GONE'].map(names.nameOf))).toEqual(['@A', '@B', 'S0GONE']);
  expect(asked).toBe(2);
});

test('name, standing and time zone of a person are one question; all but the name are asked again after a minute', async () => {
  let asked = 0;
  const info = async ({ user: id }: { user: string }) => {
    asked += 1;
    const profile = { display_name: '', real_name: asked > 2 ? 'Asha Rao' : '' };
    return { ok: true, user: { id, name: 'asha', profile, tz: 'Asia/Kolkata', is_restricted: asked > 1 } };
  };
  const conversations = { info: () => Promise.reject(slackError('missing_scope')) };
  const { names, standings, timeZoneOf, clock } = setting({ users: { info }, conversations });
  const all = () => Promise.all([names.nameOf('U1'), standings.of('U1'), timeZoneOf('U1')]);
  expect(await all()).toEqual(['@asha', 'member', 'Asia/Kolkata']);
  expect(await all()).toEqual(['@asha', 'member', 'Asia/Kolkata']);
  expect(asked).toBe(1);
  await clock.advance(61_000);
  expect(await all()).toEqual(['@asha', 'guest', 'Asia/Kolkata']);
  expect(asked).toBe(2);
  await clock.advance(60 * 60_000);
  expect(await names.nameOf('U1')).toBe('@Asha Rao');
  expect(await names.nameOf('C0TEAM')).toBe('C0TEAM');
});

type Answer = readonly string[] | 'plan_upgrade_required' | 'internal_error' | 'no_such_subteam' | 'too_many';

function members(answers: Record<string, Answer>) {
  const asked: string[] = [];
  const list = async ({ usergroup }: { usergroup: string }) => {
    asked.push(usergroup);
    const answer = answers[usergroup] ?? 'no_such_subteam';
    if (typeof answer !== 'string') return { ok: true, users: [...answer] };
    throw answer === 'too_many' ? new webApi.WebAPIRateLimitedError(30) : slackError(answer);
  };
  return { ...setting({ usergroups: { users: { list } } }), asked, answers };
}

describe('who belongs to a list', () => {
  it('is somebody named, without asking Slack', async () => {
    const { includes, asked } = members({});
    expect(await includes(['U0RAVI', 'S0MANAGERS'], 'U0RAVI')).toBe('member');
    expect(asked).toEqual([]);
  });

  it('is a member of a group on it, and nobody else; asked again after a minute', async () => {
    const { includes, answers, asked, clock } = members({ S0MANAGERS: ['U0RAVI', 'U0MEI'] });
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    expect(await includes(['S0MANAGERS'], 'U0ASHA')).toBe('stranger');
    expect(await includes([], 'U0ASHA')).toBe('stranger');
    answers.S0MANAGERS = [];
    await clock.advance(59_999);
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    await clock.advance(1);
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('stranger');
    expect(asked).toHaveLength(2);
  });

  it('is unknown while Slack does not say, and asked again at the next try', async () => {
    const { includes, answers } = members({ S0MANAGERS: 'internal_error' });
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('unknown');
    answers.S0MANAGERS = ['U0MEI'];
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
  });

  it('is only who is named on a plan without user groups, said once in the log', async () => {
    const { includes, logger } = members({ S0A: 'plan_upgrade_required', S0B: 'plan_upgrade_required' });
    expect(await includes(['S0A', 'S0B', 'U0RAVI'], 'U0MEI')).toBe('stranger');
    expect(await includes(['S0A', 'U0RAVI'], 'U0RAVI')).toBe('member');
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'this workspace’s plan has no user groups: only listed user ids count',
    ]);
  });

  it('is what Slack said within the last minute while it takes no more questions, and no longer', async () => {
    const { includes, answers, asked, clock } = members({ S0MANAGERS: ['U0MEI'] });
    const decide = () => includes(['S0MANAGERS'], 'U0MEI', { fresh: true });
    expect(await decide()).toBe('member');
    answers.S0MANAGERS = 'too_many';
    await clock.advance(29_000);
    expect(await decide()).toBe('member');
    expect(asked).toHaveLength(2);
    answers.S0MANAGERS = [];
    await clock.advance(29_999);
    expect(await decide()).toBe('member');
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    expect(await decide()).toBe('stranger');
    answers.S0MANAGERS = 'too_many';
    await clock.advance(60_000);
    expect(await decide()).toBe('unknown');
  });

  it('stays known where one question for a decision fails', async () => {
    const { includes, answers, clock } = members({ S0MANAGERS: ['U0MEI'] });
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
    answers.S0MANAGERS = 'internal_error';
    await clock.advance(2_000);
    expect(await includes(['S0MANAGERS'], 'U0MEI', { fresh: true })).toBe('unknown');
    expect(await includes(['S0MANAGERS'], 'U0MEI')).toBe('member');
  });
});

describe('who is in a channel', () => {
  const inChannel = (read: (how: { cursor?: string }) => Promise<unknown>, userId = 'U0MEI') => {
    const client = { conversations: { members: read } } as unknown as webApi.WebClient;
    return createChannelMembers({ client, logger: createRecordingLogger() }).includes('C0TEAM', userId);
  };

  test('is looked up to the last page', async () => {
    const pages = async ({ cursor }: { cursor?: string }) =>
      cursor === undefined
        ? { members: ['U0ASHA'], response_metadata: { next_cursor: 'more' } }
        : { members: ['U0MEI'], response_metadata: { next_cursor: '' } };
    expect([await inChannel(pages), await inChannel(pages, 'U0RAVI')]).toEqual(['member', 'stranger']);
  });

  test.each([
    [slackError('channel_not_found'), 'stranger'],
    [slackError('ekm_access_denied'), 'unknown'],
    [new Error('no answer'), 'unknown'],
  ])('where Slack answers with %j: %s', async (error, membership) => {
    expect(await inChannel(() => Promise.reject(error))).toBe(membership);
  });
});

describe('who may approve', () => {
  const ORGANISATION = { enterpriseId: 'E0ACME' };
  const WHOLE = { ...ORGANISATION, isForAll: true } as const;

  /** Ravi as Slack knows him, and who is in the group of managers; an error is what Slack answers. */
  function directory(approvers: readonly string[], ravi: object | Error, more: Partial<Identity> = {}) {
    const world = { ravi, managers: ['U0RAVI'], asked: [] as string[] };
    const ask = async (method: string, answer: object | Error) => {
      world.asked.push(method);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const info = () => {
      const { ravi: known } = world;
      const user = { id: 'U0RAVI', team_id: 'T0ACME', ...known };
      return ask('users.info', known instanceof Error ? known : { user });
    };
    const list = () => ask('usergroups.users.list', { users: world.managers });
    const client = { users: { info }, usergroups: { users: { list } } };
    const identity = () => ({ ...IDENTITY, teamId: 'T0ACME', ...more });
    const people = setting(client, identity);
    const { whyNot } = createApproverDirectory({ ...people, identity, approvers });
    return { world, clock: people.clock, whyNot };
  }

  const grid = (enterprise_id: string) => ({ team_id: 'T0OTHER', enterprise_user: { enterprise_id } });
  // The object's fields: https://docs.slack.dev/reference/objects/user-object
  const member = (...teams: string[]) => {
    const { enterprise_user, team_id } = grid('E0ACME');
    return { team_id, enterprise_user: { ...enterprise_user, ...(teams.length > 0 && { teams }) } };
  };
  test.each<[string, object | Error, Partial<Identity>, string, string | undefined]>([
    ['a member who is listed', {}, {}, 'T0ACME', undefined],
    ['a multi-channel guest', { is_restricted: true }, {}, 'T0ACME', 'guest'],
    ['a single-channel guest', { is_ultra_restricted: true }, {}, 'T0ACME', 'guest'],
    ['a stranger of a shared channel', { is_stranger: true }, {}, 'T0ACME', 'other_workspace'],
    ['somebody of another workspace', { team_id: 'T0OTHER' }, {}, 'T0ACME', 'other_workspace'],
    ['somebody who left', { deleted: true }, {}, 'T0ACME', 'not_listed'],
    ['somebody whom nobody can see', slackError('user_not_visible'), {}, 'T0ACME', 'other_workspace'],
    ['Slack that lacks the scope', slackError('missing_scope'), {}, 'T0ACME', 'unknown'],
    ['Slack that is busy', new webApi.WebAPIRateLimitedError(1), {}, 'T0ACME', 'unknown'],
    ['a colleague in an Enterprise Grid', grid('E0ACME'), ORGANISATION, 'T0OTHER', undefined],
    ['somebody of another Grid', grid('E0ELSE'), ORGANISATION, 'T0OTHER', 'other_workspace'],
    ['one of several workspaces of it', member('T0OTHER', 'T0ACME'), WHOLE, 'T0OTHER', undefined],
    ['one of other workspaces of it alone', member('T0OTHER'), WHOLE, 'T0OTHER', 'other_workspace'],
    ['one of no workspace of it', member(), WHOLE, 'T0OTHER', 'other_workspace'],
  ])('%s', async (_who, ravi, identity, teamId, problem) => {
    expect(await directory(['U0RAVI'], ravi, identity).whyNot('U0RAVI', teamId)).toBe(problem);
  });

  test('is not asked of anybody who clicks from another workspace', async () => {
    const { whyNot, world } = directory(['U0RAVI'], {});
    expect(await whyNot('U0RAVI', 'T0OTHER')).toBe('other_workspace');
    expect(world.asked).toEqual([]);
  });

  test('is one question for fifty within a moment, also when an answer must be fresh; “unknown” is never kept', async () => {
    const { whyNot, world, clock } = directory(['S0MANAGERS'], new Error('no answer'));
    const ask = () => whyNot('U0RAVI', 'T0ACME', { fresh: true });
    expect(await ask()).toBe('unknown');
    world.ravi = {};
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(new Set(answers)).toEqual(new Set([undefined]));
    const both = ['users.info', 'usergroups.users.list'];
    expect(world.asked).toEqual(['users.info', ...both]);
    await clock.advance(1_001);
    world.managers = [];
    expect(await ask()).toBe('not_listed');
    expect(world.asked).toEqual(['users.info', ...both, ...both]);
  });
});
