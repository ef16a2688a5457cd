import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxMessage } from '../../../sandbox/protocol.ts';
import { validateMessage } from '../../../sandbox/slack/block-kit/index.ts';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { ASKED_AT, move, numberOf, prepare } from '../bulk-sends.ts';
import { SendsWorkspace } from '../sends-workspace.ts';
import { ACCEPTED, FAILURE, REJECTED, storeSent } from './sent.ts';

/* What /sends finds, in a workspace that holds messages as Slack does. */

let slack: SendsWorkspace;
beforeAll(async () => {
  slack = await SendsWorkspace.start();
});
afterAll(() => slack?.stop());
beforeEach(() => slack.reset());

const BILL: Message = {
  kind: 'chatapp',
  variant: 'text',
  params: [],
  from: numberOf('+6591230000'),
  templateName: 'bill',
};

const sent = (id: string, outcome: Outcome, over?: Parameters<typeof storeSent>[3]) =>
  storeSent(slack.store, id, outcome, over);

/** The next message after this one. */
const nextTo = ({ ts }: SandboxMessage) =>
  slack.until('another message', () => {
    const last = slack.last('C0TEAM');
    return last.ts !== ts && last;
  });

const idsIn = (message: SandboxMessage) => [...new Set(slack.words(message).match(/S-[0-9A-Z]{10}/g) ?? [])];

test('a line narrows down by outcome, person, template and day', async () => {
  await sent('S-0000000001', ACCEPTED);
  await sent('S-0000000002', REJECTED, { at: ASKED_AT + 1 });
  await sent('S-0000000003', { state: 'unknown', failure: FAILURE }, { userId: 'U0MEI', at: ASKED_AT + 2 });
  // Half past midnight in Kolkata: the next day there.
  await sent('S-0000000004', ACCEPTED, { message: BILL, at: Date.UTC(2026, 0, 5, 19) });
  const found = async (line: string) => idsIn(await slack.answer('U0ASHA', line)).toSorted();
  expect(await found('/sends failed')).toEqual(['S-0000000002']);
  expect(await found('/sends all failed unknown')).toEqual(['S-0000000002', 'S-0000000003']);
  expect(await found('/sends @mei')).toEqual(['S-0000000003']);
  expect(await found('/sends bill')).toEqual(['S-0000000004']);
  expect(await found('/sends 2026-01-06')).toEqual(['S-0000000004']);
  expect(await found('/sends all 2026-01-05 rejected')).toEqual(['S-0000000002']);
  const mine = await slack.answer('U0ASHA', '/sends paused');
  expect(mine.text).toBe('You have no sends (paused). `/sends all` lists everyone’s.');
  const none = await slack.answer('U0ASHA', '/sends @mei failed');
  expect(none.text).toBe('There are no sends of <@U0MEI> (failed).');
});

test('the menus below a list narrow it down in its place', async () => {
  await sent('S-0000000001', ACCEPTED);
  await sent('S-0000000002', REJECTED, { at: ASKED_AT + 1 });
  await sent('S-0000000003', REJECTED, { userId: 'U0MEI', at: ASKED_AT + 2 });
  const list = await slack.answer('U0ASHA', '/sends');
  const shows = (text: string) =>
    slack.until(text, () => slack.fresh(list).text === text && slack.fresh(list));
  await slack.choose(list, 'sends_narrow:filter', 'U0ASHA', { selected_option: { value: 'failed' } });
  expect(idsIn(await shows('Your sends (failed), newest first:'))).toEqual(['S-0000000002']);
  await slack.choose(list, 'sends_narrow:person', 'U0ASHA', { selected_user: 'U0MEI' });
  expect(idsIn(await shows('Sends of <@U0MEI> (failed), newest first:'))).toEqual(['S-0000000003']);
  await slack.choose(list, 'sends_narrow:day', 'U0ASHA', { selected_date: '2026-01-04' });
  const none = await shows('There are no sends of <@U0MEI> (failed, 2026-01-04).');
  expect(JSON.stringify(none.blocks)).toContain('"initial_user":"U0MEI"');
  expect(validateMessage(none)).toEqual([]);
  await slack.choose(list, 'sends_template', 'U0ASHA', { selected_option: { value: 'bill' } });
  await shows('There are no sends of <@U0MEI> (failed, template bill, 2026-01-04).');
});

test('whoever may not see what others send is told so by the menu, too', async () => {
  slack.refused.add('U0ASHA');
  const list = await slack.answer('U0ASHA', '/sends');
  await slack.choose(list, 'sends_narrow:person', 'U0ASHA', { selected_user: 'U0MEI' });
  const told = await nextTo(list);
  expect(told.text).toBe('Only members may.');
  expect(slack.fresh(list).text).toMatch(/^You have no sends/);
});

test('templates are suggested by name, of both channels', async () => {
  const list = await slack.answer('U0ASHA', '/sends');
  const offered = await slack.suggest(list, 'sends_template', 'U0ASHA', 'bi');
  expect(offered).toMatchObject({ ok: true, options: [{ value: 'bill' }] });
});

test('a number finds what was sent to it and what it answered', async () => {
  await sent('S-0000000001', REJECTED);
  await sent('S-0000000002', ACCEPTED, { userId: 'U0MEI', at: ASKED_AT + 1 });
  await sent('S-0000000003', ACCEPTED, { number: '+6591234567' });
  await prepare(slack.store, {
    id: 'S-0000000004',
    at: ASKED_AT + 2,
    people: [{ number: '+919812345678', values: ['Asha'] }],
  });
  slack.customerAnswers = [
    { at: ASKED_AT + 3, text: 'Call *me* on +919812300000', sendId: 'S-0000000002', userId: 'U0MEI' },
  ];
  const ravis = await slack.answer('U0RAVI', '/sends 098123 45678');
  const words = slack.words(ravis);
  expect(ravis.ephemeralFor).toBe('U0RAVI');
  expect(ravis.text).toBe('What was sent to +919812345678 and what it answered, newest first:');
  expect(idsIn(ravis)).toEqual(['S-0000000002', 'S-0000000004', 'S-0000000001']);
  expect(words).toContain('🔔 waits for approval');
  expect(words).toContain('Call *me* on [number …0000]');
  expect(validateMessage(slack.fresh(ravis))).toEqual([]);
  const ashas = await slack.answer('U0ASHA', '/sends +919812345678');
  expect(ashas.text).toBe(
    'What was sent to +91 ••••• •5678 and what it answered in your sends, newest first:',
  );
  expect(idsIn(ashas)).toEqual(['S-0000000004', 'S-0000000001']);
  expect(slack.words(ashas)).not.toMatch(/9812345678|Call/);
  const none = await slack.answer('U0ASHA', '/sends mine +91 98123 45670');
  expect(none.text).toBe('There is nothing to or from +91 ••••• •5670 in your sends.');
  const wrong = await slack.answer('U0ASHA', '/sends 12345678');
  expect(wrong.text).toMatch(/number/);
});

test('whoever a send has not come to yet is on the way as soon as it has begun', async () => {
  await prepare(slack.store, { to: 'approved', people: [{ number: '+919812345678', values: ['Asha'] }] });
  await move(slack.store, 'sending');
  expect(slack.words(await slack.answer('U0RAVI', '/sends +919812345678'))).toContain('⏳ sending…');
});

describe('a list', () => {
  const many = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      await sent(`S-${String(n).padStart(10, '0')}`, n === 0 ? REJECTED : ACCEPTED, {
        at: ASKED_AT + n * 60_000,
      });
  };
  const typesIn = (message: SandboxMessage) => (message.blocks as { type: string }[]).map(({ type }) => type);

  test('is a table that Slack sorts, with a menu to look at one of them', async () => {
    await many(12);
    const list = slack.fresh(await slack.answer('U0ASHA', '/sends'));
    expect(typesIn(list)).toEqual(['section', 'data_table', 'actions', 'actions']);
    expect(validateMessage(list)).toEqual([]);
    expect(idsIn(list)).toHaveLength(12);
    const cells = JSON.stringify(list.blocks?.[1]);
    expect(cells).toContain('"text":"2026-01-05 13:41"');
    expect(cells).toContain('"text":"⛔ rejected, nothing was sent"');
    expect(cells).toContain('SMS to +91 ••••• •5678');
    expect(cells).not.toContain('9812345678');
    await slack.choose(list, 'sends_look', 'U0ASHA', { selected_option: { value: 'S-0000000000' } });
    const shown = await nextTo(list);
    expect(slack.words(shown)).toContain('It was lost.');
  });

  test('is a table within Slack’s limits however many and long they are', async () => {
    await many(45);
    const list = slack.fresh(await slack.answer('U0ASHA', '/sends'));
    expect(validateMessage(list)).toEqual([]);
    expect(idsIn(list)).toHaveLength(40);
    await slack.press(list, 'sends_show:older', 'U0ASHA');
    expect(idsIn(await nextTo(list))).toEqual([4, 3, 2, 1, 0].map((n) => `S-000000000${n}`));
  });

  // Last: what Slack refuses is remembered for a day.
  test('is told in lines where Slack knows no such table', async () => {
    await many(45);
    slack.workspace.setFaults({
      faults: [{ on: 'api', method: 'response_url', times: 1, do: 'error', error: 'invalid_blocks' }],
    });
    const list = slack.fresh(await slack.answer('U0ASHA', '/sends'));
    expect(typesIn(list)).toEqual(['section', 'rich_text', 'actions', 'actions']);
    expect(validateMessage(list)).toEqual([]);
    expect(idsIn(list)).toHaveLength(40);
  });
});
