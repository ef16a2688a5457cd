import { describe, expect, test } from 'vitest';
import type { Msisdn } from '../../../../src/messages/numbers/phone-number.ts';
import { composeView } from '../../../../src/slack/compose/form/form-view.ts';
import { readGroupLine } from '../../../../src/slack/compose/form/recipients.ts';
import { textsOf } from '../../texts-of.ts';
import { createLists, FIRST_LIST, listOf, SECOND_LIST } from '../list/bulk-setting.ts';
import {
  createSetting,
  notesOf,
  ORIGIN,
  openView,
  sendFrom,
  submitForm,
  textMessage,
  typeLine,
} from '../setting.ts';

const ONE = '+919812345678' as Msisdn;
const OTHER = '+919812345679' as Msisdn;
const FLASH = textMessage('flash', 'Who is awake?');

/** A team with a group of whom these are on call, and a saved list. */
async function team(onCall: readonly Msisdn[] = [ONE, OTHER]) {
  const setting = createSetting();
  const audiences = createLists();
  const requested: unknown[] = [];
  const bulkSends = {
    request: async (wish: Parameters<typeof sendFrom>[0] & { approvalOver?: number }) => {
      requested.push(wish);
      const state = wish.approvalOver === undefined ? 'awaiting_approval' : 'started';
      return { state, send: { ...sendFrom(wish), recipientCount: 2 } };
    },
  } as never;
  await listOf(audiences, `${ONE},${OTHER}`, 'Night shift');
  const groups = { names: ['oncall-sg'], numbersOf: async () => onCall, approvalOver: 10 };
  const compose = { ...setting.compose, audiences, bulkSends, groups };
  return { setting: { ...setting, compose }, requested };
}

/** Types a line after /flash. */
async function type(text: string, onCall?: readonly Msisdn[]) {
  const { setting, requested } = await team(onCall);
  const { responses } = await typeLine(setting, 'flash', text, 't-1');
  return { setting, requested, responses };
}

test.each([
  ['@oncall-sg Who is awake?', { name: 'oncall-sg', text: 'Who is awake?' }],
  ['@oncall-sg: Who\nis awake?', { name: 'oncall-sg', text: 'Who\nis awake?' }],
  ['  @"Night shift" Hello', { name: 'Night shift', text: 'Hello' }],
  ['@“Night shift”, Hello', { name: 'Night shift', text: 'Hello' }],
  ['<@U0MEI|mei> Hello', { name: 'mei', text: 'Hello' }],
  ['@oncall-sg', { name: 'oncall-sg', text: '' }],
  ['+6591234567 @oncall-sg', undefined],
  ['Hello @oncall-sg', undefined],
  ['', undefined],
])('%j is read as %j', (raw, read) => expect(readGroupLine(raw)).toEqual(read));

describe('a line to a group', () => {
  test('of whom one is on call goes out as to any number', async () => {
    const { setting, requested } = await type('@OnCall-SG Who is awake?', [ONE]);
    expect(setting.sends.started).toEqual([{ message: FLASH, to: ONE, origin: ORIGIN, requestKey: 't-1' }]);
    expect(requested).toEqual([]);
  });

  test('of whom several are on call is one send, under the group’s own limit', async () => {
    const { requested, responses } = await type('@oncall-sg Who is awake?');
    expect(requested).toEqual([
      { message: FLASH, origin: ORIGIN, requestKey: 't-1', audienceId: SECOND_LIST, approvalOver: 10 },
    ]);
    expect(responses).toEqual([]);
  });

  test('that is a saved list waits for approval as ever, and says so', async () => {
    const exact = await type('@"Night shift" Who is awake?');
    expect(exact.requested).toEqual([
      { message: FLASH, origin: ORIGIN, requestKey: 't-1', audienceId: FIRST_LIST },
    ]);
    expect(exact.responses[0]?.text).toMatch(/^Your flash SMS to 2 people waits for approval as S-/);
  });

  test.each([
    ['@nobody Who is awake?', [ONE], /no on-call group and no saved list called “nobody”.*@oncall-sg/],
    ['@oncall-sg', [ONE], /Enter the text of the message/],
    ['@oncall-sg Who is awake?', [], /Nobody in @oncall-sg has a number/],
    ['@oncall-sg Who is awake? :acme-logo:', [ONE], /:acme-logo: is no emoji that phones know/],
  ])('that cannot be sent opens the form with why, and loses nothing: %s', async (line, onCall, why) => {
    const { setting, requested } = await type(line, onCall as Msisdn[]);
    expect([setting.sends.started, requested]).toEqual([[], []]);
    const opened = setting.client.view;
    expect(notesOf(opened)).toMatch(why);
    expect(textsOf(opened)).toContain(line);
  });
});

describe('a form to a group', () => {
  const submit = async (typed: Record<string, string>, onCall?: readonly Msisdn[]) => {
    const made = await team(onCall);
    const view = composeView({ kind: 'flash', channelId: 'C0TEAM' }, made.setting.compose);
    const answers = await submitForm(made.setting, openView(view, { text: 'Who is awake?', ...typed }));
    return { ...made, answers };
  };
  const PAGE = { message: FLASH, origin: ORIGIN, requestKey: 'V1' };

  test.each([[{ to: '@oncall-sg' }], [{ recipients: '@"oncall-sg"' }]])(
    'goes out as a line does: %j',
    async (typed) => {
      const { requested } = await submit(typed);
      expect(requested).toEqual([{ ...PAGE, audienceId: SECOND_LIST, approvalOver: 10 }]);
      expect((await submit(typed, [ONE])).setting.sends.started).toEqual([{ ...PAGE, to: ONE }]);
    },
  );

  test('that nobody is on call of says so at the number', async () => {
    const { answers, requested } = await submit({ to: '@oncall-sg' }, []);
    expect(answers).toMatchObject([
      { errors: { to: expect.stringMatching(/^Nobody in @oncall-sg has a number.* Nothing was sent\./) } },
    ]);
    expect(requested).toEqual([]);
  });
});
