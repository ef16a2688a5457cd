import { describe, expect, test } from 'vitest';
import { HOLDERS, type Role } from '../../scripts/rights-matrix.ts';
import { systemRandom } from '../../src/core/random.ts';
import { MESSAGE_KINDS } from '../../src/messages/kinds.ts';
import type { Audience } from '../../src/sends/audience.ts';
import type { Send } from '../../src/sends/send.ts';
import { createEntrances } from '../../src/slack/ask-at-entrance.ts';
import type { Payload } from '../../src/slack/connection/payload.ts';
import { ENTRANCES } from '../../src/slack/features.ts';
import { entranceName, SECTIONS } from '../../src/slack/kit/feature/feature.ts';
import { type AddFeature, createAddFeature } from '../../src/slack/kit/feature/register.ts';
import { type EntranceSources, type Need, OPEN } from '../../src/slack/kit/feature/rights.ts';
import { createAccess } from '../../src/slack/kit/people/access.ts';
import type { SlackServices } from '../../src/slack/kit/services.ts';
import { registerHandlers } from '../../src/wiring/handlers.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { only } from '../fakes/only.ts';
import { createTestApp } from './test-app.ts';

/** Stands for whatever the registering asks for but never uses. */
const anything: never = new Proxy(
  Object.assign(() => undefined, {}),
  {
    get: (_nothing, name) => (name === Symbol.iterator ? () => [][Symbol.iterator]() : anything),
  },
) as never;

/** Registers all that Herald does, with handlers that only say that they were reached. */
function registered() {
  const names: string[] = [];
  const reached: string[] = [];
  const { bolt } = createTestApp({
    mode: { kind: 'http', signingSecrets: [] },
    botToken: 'xoxb-test',
    slackApiUrl: 'http://127.0.0.1:1/api/',
    logger: createRecordingLogger(),
    clock: createManualClock(),
    random: systemRandom,
    register: () => {},
  });
  const addToBolt = createAddFeature(bolt, ENTRANCES, anything);
  const add: AddFeature = (feature, dependencies) => {
    const rows = Object.entries(SECTIONS).map(([section, kind]) => [
      section,
      Object.fromEntries(
        Object.entries(feature[section as keyof typeof SECTIONS] ?? {}).map(([id, row]) => {
          const name = entranceName(kind, id);
          names.push(name);
          const handle = async () => void reached.push(name);
          const subcommands: object = ('subcommands' in row && row.subcommands) || {};
          const answered = Object.entries(subcommands).map(([words, sub]) => [words, { ...sub, handle }]);
          return [id, { ...row, handle, subcommands: Object.fromEntries(answered) }];
        }),
      ),
    ]);
    addToBolt({ ...feature, ...Object.fromEntries(rows) }, dependencies);
  };
  registerHandlers(add, only<SlackServices>({ clock: createManualClock() }), anything);
  const deliver = async (body: Payload) => {
    reached.length = 0;
    await bolt.processEvent({ body, ack: async () => {} });
    return [...reached];
  };
  return { names, deliver };
}

test('a handler without a row, and two for one, end the start', () => {
  const app = anything;
  const feature = { actions: { brand_new: { ...OPEN, handle: async () => {} } } };
  expect(() => createAddFeature(app, ENTRANCES, anything)(feature, undefined)).toThrow(
    'action:brand_new is no entrance',
  );
  const add = createAddFeature(app, { 'action:brand_new': OPEN }, anything);
  add(feature, undefined);
  expect(() => add(feature, undefined)).toThrow('action:brand_new was added twice');
});

test('every handler has its row, and every row its handler', () => {
  expect(registered().names.toSorted()).toEqual(Object.keys(ENTRANCES).toSorted());
});

test('what is delivered at an entrance reaches the handler of its row', async () => {
  const { deliver } = registered();
  for (const name of Object.keys(ENTRANCES))
    expect(await deliver(payloadOf(name, ROLES.owner))).toEqual([name]);
  for (const kind of Object.values(SECTIONS))
    expect(await deliver(payloadOf(`${kind}:brand_new`, ROLES.owner))).toEqual([]);
});

/** Asha asked for the send and made the list; Ravi approves; Sam is in the group that sends SMS, Mei is not. */
const ROLES: Readonly<Record<Role, string>> = {
  owner: 'U0ASHA',
  colleague: 'U0SAM',
  approver: 'U0RAVI',
  excluded: 'U0MEI',
  guest: 'U0GIL',
  stranger: 'U0ZOE',
};
const send = { id: 'S-1', kind: 'sms', origin: { userId: ROLES.owner } } as Send;
const list = { id: 'A-1', createdBy: ROLES.owner } as Audience;
const SOURCES: EntranceSources = {
  store: only({ find: async (id: string) => (id === send.id ? send : undefined) }),
  audiences: only({ find: async () => list }),
};

function entrances() {
  const logger = createRecordingLogger();
  const outsiders: Readonly<Record<string, 'guest' | 'other_workspace'>> = {
    [ROLES.guest]: 'guest',
    [ROLES.stranger]: 'other_workspace',
  };
  const access = createAccess(
    {
      send: { sms: ['S0SUPPORT', 'C0TEAM'] },
      ...{ templates: ['S0SUPPORT'], lists: ['S0SUPPORT'], reports: [], audit: [] },
    },
    {
      members: {
        includes: async (listed, userId) => {
          const inGroup = [ROLES.owner, ROLES.colleague, ROLES.guest, ROLES.stranger].includes(userId);
          return inGroup && listed.includes('S0SUPPORT') ? 'member' : 'stranger';
        },
      },
      channelMembers: anything,
      standings: { of: async (userId) => outsiders[userId] ?? 'member' },
      names: { nameOf: async (id) => id },
      directory: { whyNot: async (userId) => (userId === ROLES.approver ? undefined : 'not_listed') },
      approvers: [ROLES.approver],
    },
  );
  return { ...createEntrances(access, SOURCES, { clock: createManualClock(), logger }), logger };
}

/** What is typed to get at something by right. */
const TYPED: Readonly<Record<string, string>> = {
  '/templates': 'export',
  '/sends': 'audit',
  '/herald': 'alerts try critical',
  '/optout': 'remove +6591234567',
  '/audiences': 'delete VIP',
};
/** Buttons that carry something else than a send and its digest. */
const CARRIED: Readonly<Record<string, string>> = { sends_show: '{"whose":"all"}', exclusions: 'A-1' };

const pressing = (action: object) => ({ type: 'block_actions', actions: [action] });

/** What Slack delivers when somebody comes in by this entrance. */
function payloadOf(name: string, userId: string, channelId = 'C0TEAM'): Payload {
  const [kind, id = ''] = name.split(':', 2);
  const person = { team: { id: 'T0' }, user: { id: userId } };
  const channel = { channel: { id: channelId } };
  switch (kind) {
    case 'command':
      return { command: id, text: TYPED[id] ?? '', user_id: userId, team_id: 'T0', channel_id: channelId };
    case 'action':
      return { ...person, ...channel, ...pressing({ action_id: id, value: CARRIED[id] ?? 'S-1.abc' }) };
    case 'options':
      return { type: 'block_suggestion', ...person, action_id: id };
    case 'shortcut':
      return { type: 'shortcut', ...person, callback_id: id };
    case 'view': {
      const private_metadata = JSON.stringify({ sendId: 'S-1', channelId });
      return { type: 'view_submission', ...person, view: { callback_id: id, private_metadata } };
    }
    case 'function':
      return {
        team_id: 'T0',
        event: { type: 'function_executed', function_execution_id: 'Fx1', function: { callback_id: id } },
      };
    default:
      return { team_id: 'T0', event: { type: id, user: userId } };
  }
}

describe('at each entrance that asks by itself', () => {
  const asking = Object.entries(ENTRANCES).filter(([, { right }]) => right !== undefined);

  test.each(asking.map(([name, { needs }]) => [name, needs] as const))('%s (%s)', async (name, needs) => {
    const { whyNot } = entrances();
    const passed: string[] = [];
    for (const [role, userId] of Object.entries(ROLES))
      if ((await whyNot(payloadOf(name, userId))) === undefined) passed.push(role);
    expect(passed).toEqual(Object.keys(ROLES).filter((role) => HOLDERS[needs].includes(role as Role)));
  });

  test.each(asking.filter(([, { needs }]) => needs === 'send').map(([name]) => [name]))(
    '%s: a right of a channel is met there alone',
    async (name) => {
      const { whyNot } = entrances();
      expect(await whyNot(payloadOf(name, ROLES.owner, 'C0OTHER'))).toMatch(
        /^This kind of message is sent from C0TEAM only/,
      );
      expect(await whyNot({ ...payloadOf(name, ROLES.owner), channel: undefined })).toMatch(/C0TEAM only/);
    },
  );
});

test.each([
  ['/herald', 'alerts', 'sends'],
  ['/herald', 'Alerts  MUTE critical 2h', 'sends'],
  ['/herald', 'alerts numbers', undefined],
  ['/herald', 'alerts numbersx', 'sends'],
  ['/herald', 'status', undefined],
  ['/sends', 'audit', 'audit'],
  ['/sends', 'AUDIT of today', 'audit'],
  ['/sends', 'auditors', undefined],
])('%s %s asks for the right of what is typed', async (command, text, to) => {
  const act = { userId: ROLES.excluded, text, value: '', metadata: '{}' };
  const right = await ENTRANCES[`command:${command}`]?.right?.(act, anything);
  expect(right?.to).toBe(to);
});

test('whoever gets past without being asked here is asked by the handler, or sends and shows nothing', () => {
  const silent = Object.entries(ENTRANCES).filter(([, { right }]) => right === undefined);
  const needs = new Set(silent.map(([, entrance]) => entrance.needs));
  expect(needs).toEqual(
    new Set<Need>(['approve', 'nothing', 'requester', 'requester or approve', 'send', 'sends', 'templates']),
  );
  const views = silent.flatMap(([name, entrance]) => (entrance.needs === 'send' ? [name] : []));
  expect(views).toEqual(expect.arrayContaining(MESSAGE_KINDS.map((kind) => `view:${kind}`)));
});

test('while Slack does not say who somebody is, nobody gets past an entrance that asks', async () => {
  const access = { whyNot: () => new Promise<never>(() => {}) };
  const clock = createManualClock();
  const { whyNot } = createEntrances(access, SOURCES, { clock, logger: createRecordingLogger() });
  const asking = Object.keys(ENTRANCES).filter((name) => ENTRANCES[name]?.right !== undefined);
  const answers = asking.map((name) => whyNot(payloadOf(name, ROLES.approver)));
  await clock.advance(800);
  const [answer, ...others] = new Set(await Promise.all(answers));
  expect(others).toEqual([]);
  expect(answer).toBe(
    'Slack did not say in time whether you may do this. Nothing was sent or changed. Try again in a minute.',
  );
});

const OUTSIDER = /^Guests and people of other workspaces/;
test.each<[string, Role, string, RegExp | undefined]>([
  ['/sends', 'guest', '', undefined],
  ['/sends', 'guest', 's-0000000001', undefined],
  ['/sends', 'guest', 'all', OUTSIDER],
  ['/sends', 'guest', '<@U0SAM> failed', OUTSIDER],
  ['/sends', 'guest', 'all +919812345678', OUTSIDER],
  ['/sends', 'colleague', 'all +919812345678', /^Only .* may see the full numbers/],
  ['/sends', 'guest', '+919812345678', undefined],
  ['/sends', 'guest', 'failed today', undefined],
  ['/herald', 'guest', 'status', undefined],
  ['/herald', 'guest', 'alerts numbers', undefined],
  ...['/optout', '/audiences', '/templates', '/sends', '/herald'].map(
    (command): [string, Role, string, undefined] => [command, 'stranger', 'help', undefined],
  ),
  ['/templates', 'guest', ' Export ', OUTSIDER],
  ['/templates', 'guest', 'IMPORT', OUTSIDER],
])('one’s own and help take no right: %s by a %s, %j', async (command, role, text, refusal) => {
  const { whyNot } = entrances();
  const said = await whyNot({ ...payloadOf(`command:${command}`, ROLES[role]), text });
  if (refusal === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(refusal);
});

test('a send that is chosen from a menu takes the right of a button', async () => {
  const { whyNot } = entrances();
  const chosen = { action_id: 'sends_look', type: 'static_select', selected_option: { value: 'S-1' } };
  const by = (userId: string) => whyNot({ ...payloadOf('action:sends_look', userId), actions: [chosen] });
  expect(await by(ROLES.guest)).toMatch(/^Guests and people of other workspaces/);
  expect(await by(ROLES.owner)).toBeUndefined();
});

test('what has no row is refused, and logged', async () => {
  const { whyNot, logger } = entrances();
  expect(await whyNot(payloadOf('action:brand_new', ROLES.approver))).toBe(
    'Herald does not know this button or form any more. Nothing was sent or changed.',
  );
  // Somebody else's button, or one of an earlier Herald: nothing of this Herald is broken.
  expect(logger.lines).toMatchObject([{ level: 'warn', fields: { name: 'action:brand_new' } }]);
});

test('a form that carries nothing Herald can read is in no channel that has a right', async () => {
  const { whyNot } = entrances();
  const metadata = (private_metadata: string): Payload => ({
    ...{ team: { id: 'T0' }, user: { id: ROLES.colleague }, view: { private_metadata } },
    ...pressing({ action_id: 'send_retry_failed', value: 'S-1' }),
  });
  for (const unreadable of ['', 'S-1', '{"channelId":'])
    expect(await whyNot(metadata(unreadable))).toMatch(/is sent from C0TEAM only/);
  expect(await whyNot(metadata('{"channelId":"C0TEAM"}'))).toBeUndefined();
});

test('knows what is nothing but a look: a database that does not answer has changed nothing then', () => {
  const { isLook } = entrances();
  const asked = [
    'command:/sends',
    'action:sends_look',
    'command:/sms',
    'action:send_pause',
    'action:brand_new',
  ];
  const looks = asked.filter((name) => isLook(payloadOf(name, ROLES.owner)));
  expect(looks).toEqual(['command:/sends', 'action:sends_look']);
});
