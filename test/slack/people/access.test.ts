import { describe, expect, test } from 'vitest';
import {
  createAuditAccess,
  createSendAccess,
  createTemplateAccess,
} from '../../../src/slack/people/access.ts';
import type { Members } from '../../../src/slack/people/membership.ts';
import { createNames } from '../../../src/slack/people/names.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';

const NAMES: Readonly<Record<string, string>> = { U0RAVI: '@ravi', S0MANAGERS: '@managers', C0TEAM: '#team' };
const names = { nameOf: async (id: string) => NAMES[id] ?? id };
/** Asha is a manager; of nobody does Slack say whether they are in S0SILENT. */
const members: Members = {
  includes: async (list, userId) => {
    if (list.includes(userId) || (userId === 'U0ASHA' && list.includes('S0MANAGERS'))) return 'member';
    return list.includes('S0SILENT') ? 'unknown' : 'stranger';
  },
};

describe('a right of herald.yml', () => {
  test.each([
    ['absent: everyone, everywhere', undefined, 'U0MEI', 'C0X', undefined],
    ['a listed person', ['U0RAVI'], 'U0RAVI', 'C0X', undefined],
    ['somebody of a listed group', ['S0MANAGERS'], 'U0ASHA', 'C0X', undefined],
    [
      'anybody else',
      ['U0RAVI', 'S0MANAGERS'],
      'U0MEI',
      'C0X',
      'Only @ravi, @managers may send this kind of message; ask one of them.',
    ],
    [
      'nobody',
      [],
      'U0MEI',
      'C0X',
      'Nobody may send this kind of message: whoever runs Herald can change that in herald.yml.',
    ],
    ['everybody in a listed channel', ['C0TEAM'], 'U0MEI', 'C0TEAM', undefined],
    ['everybody where the channel is not known yet', ['C0TEAM'], 'U0MEI', undefined, undefined],
    [
      'elsewhere',
      ['C0TEAM', 'G0SECRET'],
      'U0MEI',
      'D0DIRECT',
      'This kind of message is sent from #team, G0SECRET only; do it there, or ask whoever runs Herald.',
    ],
    [
      'a listed person elsewhere',
      ['U0RAVI', 'C0TEAM'],
      'U0RAVI',
      'C0X',
      'This kind of message is sent from #team only; do it there, or ask whoever runs Herald.',
    ],
    [
      'somebody else in a listed channel',
      ['U0RAVI', 'C0TEAM'],
      'U0MEI',
      'C0TEAM',
      'Only @ravi may send this kind of message; ask one of them.',
    ],
    [
      'somebody of whom it is not known',
      ['S0SILENT'],
      'U0MEI',
      'C0X',
      'Slack did not say whether you may; try again in a minute.',
    ],
  ] as const)('%s', async (_what, allowed, userId, channelId, refusal) => {
    const access = createSendAccess(allowed === undefined ? {} : { sms: allowed }, { members, names });
    expect(await access.whyNot('sms', userId, channelId)).toBe(refusal);
    expect(await access.whyNot('flash', userId, channelId)).toBeUndefined();
  });

  test('to change templates', async () => {
    const access = createTemplateAccess(['U0RAVI'], { members, names });
    expect(await access.whyNot('U0MEI', 'C0X')).toBe('Only @ravi may change templates; ask one of them.');
    expect(await access.whyNot('U0RAVI', 'C0X')).toBeUndefined();
  });
});

test('names are asked for once an hour, and are ids where Slack does not say', async () => {
  const asked: string[] = [];
  const clock = createManualClock();
  const client = {
    users: {
      info: async ({ user }: { user: string }) => {
        asked.push(user);
        return { user: { profile: { display_name: '', real_name: 'Asha Rao' } } };
      },
    },
    usergroups: { list: async () => ({ usergroups: [{ id: 'S0MANAGERS', handle: 'managers' }] }) },
    conversations: {
      info: async () => {
        throw new Error('missing_scope');
      },
    },
  } as unknown as Parameters<typeof createNames>[0]['client'];
  const real = createNames({ client, clock, logger: createRecordingLogger() });
  expect(await Promise.all(['U0ASHA', 'S0MANAGERS', 'S0GONE', 'C0TEAM'].map(real.nameOf))).toEqual([
    '@Asha Rao',
    '@managers',
    'S0GONE',
    'C0TEAM',
  ]);
  await real.nameOf('U0ASHA');
  await clock.advance(60 * 60_000 + 1);
  await real.nameOf('U0ASHA');
  expect(asked).toEqual(['U0ASHA', 'U0ASHA']);
});

test('interactive and address messages follow the chat app’s right, unless they have their own', async () => {
  const access = createSendAccess({ chatapp: ['U0RAVI'], address: ['U0MEI'] }, { members, names });
  const may = async (kind: 'interactive' | 'address' | 'sms', userId: string) =>
    (await access.whyNot(kind, userId, 'C0TEAM')) === undefined;
  expect(await may('interactive', 'U0RAVI')).toBe(true);
  expect(await may('interactive', 'U0MEI')).toBe(false);
  expect(await may('address', 'U0MEI')).toBe(true);
  expect(await may('address', 'U0RAVI')).toBe(false);
  expect(await may('sms', 'U0MEI')).toBe(true);
});

describe('the record of everybody’s sends', () => {
  /** Ravi approves, Mei is a guest; of Zoe Slack says nothing. */
  const directory = {
    whyNot: async (userId: string) => {
      if (userId === 'U0RAVI') return undefined;
      return ({ U0MEI: 'guest', U0ZOE: 'unknown' } as const)[userId] ?? 'not_listed';
    },
  };
  const access = (listed: readonly string[], approvers: readonly string[] = ['U0RAVI']) =>
    createAuditAccess(listed, { approvers, directory, members, names });
  const ONLY_RAVI = 'Only @ravi may have the record of everybody’s sends; ask one of them.';

  test.each([
    ['an approver', [], 'U0RAVI', undefined],
    ['somebody of a listed group', ['S0MANAGERS'], 'U0ASHA', undefined],
    ['a guest who is listed', ['U0MEI'], 'U0MEI', undefined],
    ['somebody listed of whom Slack says nothing more', ['U0ZOE'], 'U0ZOE', undefined],
    [
      'a guest who would be an approver',
      [],
      'U0MEI',
      'Nobody may have the record of everybody’s sends: whoever runs Herald can change that in herald.yml.',
    ],
    ['anybody else', [], 'U0ASHA', ONLY_RAVI],
    [
      'somebody of whom Slack says nothing',
      [],
      'U0ZOE',
      'Slack did not say whether you may; try again in a minute.',
    ],
  ] as const)('for %s', async (_who, listed, userId, expected) => {
    expect(await access(listed).whyNot(userId, 'T0')).toBe(expected);
  });

  test('names everybody who can help', async () => {
    expect(await access(['S0MANAGERS', 'U0RAVI']).whyNot('U0SAM', 'T0')).toBe(
      'Only @ravi, @managers may have the record of everybody’s sends; ask one of them.',
    );
  });
});
