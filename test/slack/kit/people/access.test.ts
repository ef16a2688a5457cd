import { describe, expect, test } from 'vitest';
import type { MessageKind } from '../../../../src/messages/kinds.ts';
import type { AccessSettings } from '../../../../src/sends/settings.ts';
import { type Asking, createAccess, type Right } from '../../../../src/slack/kit/people/access.ts';
import type { Members, Standings } from '../../../../src/slack/kit/people/people.ts';

const NAMES: Readonly<Record<string, string>> = { U0RAVI: '@ravi', S0MANAGERS: '@managers', C0TEAM: '#team' };
const names = { nameOf: async (id: string) => NAMES[id] ?? id };
/** Asha is a manager, and so would be two outsiders; of nobody does Slack say whether they are in S0SILENT. */
const MANAGERS = ['U0ASHA', 'U0GUEST', 'U0OTHER'];
const members: Members = {
  includes: async (list, userId) => {
    if (list.includes(userId) || (MANAGERS.includes(userId) && list.includes('S0MANAGERS'))) return 'member';
    return list.includes('S0SILENT') ? 'unknown' : 'stranger';
  },
};
const STANDINGS: Readonly<Record<string, Awaited<ReturnType<Standings['of']>>>> = {
  U0GUEST: 'guest',
  U0OTHER: 'other_workspace',
  U0GONE: 'gone',
  U0ZOE: 'unknown',
};
const standings: Standings = { of: async (userId) => STANDINGS[userId] ?? 'member' };
/** Ravi approves. */
const directory = {
  whyNot: async (userId: string) => (userId === 'U0RAVI' ? undefined : ('not_listed' as const)),
};
/** Mei is in the team’s channel, and of the secret one Slack says nothing. */
const channelMembers: Parameters<typeof createAccess>[1]['channelMembers'] = {
  includes: async (channelId, userId) => {
    if (channelId === 'G0SECRET') return 'unknown';
    return userId === 'U0MEI' ? 'member' : 'stranger';
  },
};

function access(settings: Partial<AccessSettings>, approvers: readonly string[] = ['U0RAVI']) {
  const lookups = { members, channelMembers, standings, names, directory, approvers };
  return createAccess({ send: {}, reports: [], audit: [], ...settings }, lookups);
}
const sms: Right = { to: 'send', kind: 'sms' };
const UNSURE = 'Slack did not say whether you may; try again in a minute.';
const outsider = (may: string) =>
  `Guests and people of other workspaces may not ${may}, unless herald.yml names them: ask a member of this workspace.`;

const OUTSIDER = outsider('send this kind of message');
const only = (who: string) => `Only ${who} may send this kind of message; ask one of them.`;
const sentFrom = (where: string) =>
  `This kind of message is sent from ${where} only; do it there, or ask whoever runs Herald.`;

describe('a right of herald.yml', () => {
  test.each([
    ['absent: every member, everywhere', undefined, 'U0MEI', 'C0X', undefined],
    ['absent: no guest', undefined, 'U0GUEST', 'C0X', OUTSIDER],
    ['absent: nobody of elsewhere', undefined, 'U0OTHER', 'C0X', OUTSIDER],
    ['absent: nobody who has left', undefined, 'U0GONE', 'C0X', OUTSIDER],
    ['absent: nobody of whom Slack says nothing', undefined, 'U0ZOE', 'C0X', UNSURE],
    ['a listed person', ['U0RAVI'], 'U0RAVI', 'C0X', undefined],
    ['a listed person of whom Slack says nothing more', ['U0ZOE'], 'U0ZOE', 'C0X', undefined],
    ['a listed guest', ['U0GUEST'], 'U0GUEST', 'C0X', undefined],
    ['a listed person of elsewhere', ['U0OTHER'], 'U0OTHER', 'C0X', undefined],
    ['a guest in a listed group', ['S0MANAGERS'], 'U0GUEST', 'C0X', OUTSIDER],
    ['a guest in a listed channel', ['C0TEAM'], 'U0GUEST', 'C0TEAM', OUTSIDER],
    ['somebody of a listed group', ['S0MANAGERS'], 'U0ASHA', 'C0X', undefined],
    ['anybody else', ['U0RAVI', 'S0MANAGERS'], 'U0MEI', 'C0X', only('@ravi, @managers')],
    [
      'nobody',
      [],
      'U0MEI',
      'C0X',
      'Nobody may send this kind of message: whoever runs Herald can change that in herald.yml.',
    ],
    ['everybody in a listed channel', ['C0TEAM'], 'U0MEI', 'C0TEAM', undefined],
    ['everybody where the channel is not known yet', ['C0TEAM'], 'U0MEI', undefined, undefined],
    ['elsewhere', ['C0TEAM', 'G0SECRET'], 'U0MEI', 'D0DIRECT', sentFrom('#team, G0SECRET')],
    ['a listed person elsewhere', ['U0RAVI', 'C0TEAM'], 'U0RAVI', 'C0X', sentFrom('#team')],
    ['somebody else in a listed channel', ['U0RAVI', 'C0TEAM'], 'U0MEI', 'C0TEAM', only('@ravi')],
    ['somebody of whom it is not known', ['S0SILENT'], 'U0MEI', 'C0X', UNSURE],
  ] as const)('%s', async (_what, allowed, userId, channelId, refusal) => {
    const rights = access({ send: allowed === undefined ? {} : { sms: allowed } });
    expect(await rights.whyNot(sms, { userId, channelId })).toBe(refusal);
    if ((STANDINGS[userId] ?? 'member') === 'member')
      expect(await rights.whyNot({ to: 'send', kind: 'flash' }, { userId, channelId })).toBeUndefined();
  });

  test.each([
    ['who is in it', 'C0TEAM', 'U0MEI', undefined],
    ['who is not', 'C0TEAM', 'U0SAM', sentFrom('#team, G0SECRET')],
    ['of whom Slack does not say', 'G0SECRET', 'U0MEI', UNSURE],
  ] as const)(
    'a channel that was chosen in a form counts for somebody %s',
    async (_who, channelId, userId, refusal) => {
      const rights = access({ send: { sms: ['C0TEAM', 'G0SECRET'] } });
      expect(await rights.whyNot(sms, { userId, channelId, chosen: true })).toBe(refusal);
      expect(await rights.whyNot(sms, { userId, channelId })).toBeUndefined();
    },
  );

  test('approvers may decide how a send of others goes on, wherever they are; guests among them may not', async () => {
    const rights = access({ send: { sms: ['U0ASHA', 'C0TEAM'] } });
    const goOn: Right = { ...sms, orApprover: true };
    const may = async (right: Right, userId: string) =>
      (await rights.whyNot(right, { userId, teamId: 'T0', channelId: 'C0X' })) === undefined;
    expect([await may(goOn, 'U0RAVI'), await may(sms, 'U0RAVI')]).toEqual([true, false]);
    expect(await may(goOn, 'U0MEI')).toBe(false);
  });

  test('to change templates', async () => {
    const rights = access({ templates: ['U0RAVI'] });
    const whyNot = (userId: string) => rights.whyNot({ to: 'templates' }, { userId, channelId: 'C0X' });
    expect(await whyNot('U0MEI')).toBe('Only @ravi may change templates; ask one of them.');
    expect(await whyNot('U0RAVI')).toBeUndefined();
  });
});

test('interactive and address messages follow the chat app’s right, unless they have their own', async () => {
  const rights = access({ send: { chatapp: ['U0RAVI'], address: ['U0MEI'] } });
  const may = async (kind: MessageKind, userId: string) =>
    (await rights.whyNot({ to: 'send', kind }, { userId, channelId: 'C0TEAM' })) === undefined;
  expect([await may('interactive', 'U0RAVI'), await may('interactive', 'U0MEI')]).toEqual([true, false]);
  expect([await may('address', 'U0RAVI'), await may('address', 'U0MEI')]).toEqual([false, true]);
  expect(await may('sms', 'U0MEI')).toBe(true);
});

describe.each([
  ['audit', 'see the record of everybody’s sends'],
  ['reports', 'see the full numbers of other people’s sends'],
] as const)('what approvers have besides who is listed (%s)', (to, may) => {
  test.each([
    ['an approver', [], 'U0RAVI', undefined],
    ['somebody of a listed group', ['S0MANAGERS'], 'U0ASHA', undefined],
    ['a guest who is listed', ['U0GUEST'], 'U0GUEST', undefined],
    ['any other guest', [], 'U0GUEST', outsider(may)],
    ['anybody else', [], 'U0ASHA', `Only @ravi may ${may}; ask one of them.`],
    ['somebody of whom Slack says nothing', [], 'U0ZOE', UNSURE],
  ] as const)('for %s', async (_who, listed, userId, expected) => {
    expect(await access({ [to]: listed }).whyNot({ to }, { userId, teamId: 'T0' })).toBe(expected);
  });

  test('names everybody who can help', async () => {
    const asking: Asking = { userId: 'U0SAM', teamId: 'T0' };
    expect(await access({ [to]: ['S0MANAGERS', 'U0RAVI'] }).whyNot({ to }, asking)).toBe(
      `Only @ravi, @managers may ${may}; ask one of them.`,
    );
    expect(await access({}, []).whyNot({ to }, asking)).toBe(
      `Nobody may ${may}: whoever runs Herald can change that in herald.yml.`,
    );
  });
});

test('what others send is seen by members, and by guests who may have their numbers anyway', async () => {
  const rights = access({ reports: ['U0GUEST'] });
  const may = async (userId: string) => (await rights.whyNot({ to: 'sends' }, { userId })) === undefined;
  expect([await may('U0MEI'), await may('U0GUEST'), await may('U0OTHER')]).toEqual([true, true, false]);
});
