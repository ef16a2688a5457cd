import { expect, it } from 'vitest';
import { withStory } from '../../src/sends/story.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { NO_RECIPIENTS } from '../fakes/sends.ts';

/** Stores of which only the methods in `methods` are there, behind a proxy, as SQLite's are. */
function told(methods: Record<string, Record<string, unknown>>) {
  const logger = createRecordingLogger();
  const store = (name: string) =>
    new Proxy(Object.create(null), { get: (_, method) => methods[name]?.[String(method)] });
  const names = ['sends', 'alerts', 'audiences', 'templates'];
  const stores = Object.fromEntries(names.map((name) => [name, store(name)]));
  const settled: string[] = [];
  const metrics = { recipientsSettled: (...of: [string, string, number]) => settled.push(of.join(' ')) };
  const lines = () => logger.lines.map(({ message, fields }) => ({ message, ...fields }));
  const told = withStory(stores as never as Parameters<typeof withStory>[0], { logger, metrics });
  return { ...told, lines, settled };
}

const ALERT = { id: 'L-1', rule: 'critical', state: 'acknowledged' } as const;

it('tells that an alert fired and who acknowledged it, once, and only of what was written', async () => {
  let wins = false;
  const { alerts, lines } = told({ alerts: { commit: async () => wins } });
  const events = [{ id: 1, decisions: [{ rule: 'critical', what: 'sent', alertId: 'L-1' } as const] }];
  await alerts.commit(1, { events }, 5);
  wins = true;
  await alerts.commit(1, { events }, 6);
  const acknowledged = { ...ALERT, ended: { at: 7, by: 'U0ASHA' } } as never;
  await alerts.commit(2, { alerts: [acknowledged] }, 7);
  await alerts.commit(3, { alerts: [acknowledged] }, 8);
  expect(lines()).toStrictEqual([
    { message: 'alert fired', alertId: 'L-1', rule: 'critical' },
    { message: 'alert acknowledged', alertId: 'L-1', rule: 'critical', by: 'U0ASHA' },
  ]);
});

const SEND = { id: 'S-1', kind: 'sms', origin: { userId: 'U0ASHA', channelId: 'C0TEAM' }, recipientCount: 0 };
const WHY = { what: 'It is night.', next: 'Wait.', scope: 'send' } as const;

it('tells who asked for a send, and of what it is another try, once', async () => {
  const alert = { id: 'L-1', threadTs: '1.0', urgent: false };
  const origin = { ...SEND.origin, alert };
  const single = { ...SEND, id: 'S-2', origin, recipientCount: 1, retryOf: 'S-1' };
  const { sends, lines } = told({
    sends: {
      begin: async (created: boolean) => ({ send: SEND, created }),
      create: async () => ({ send: single, created: true }),
    },
  });
  expect(await sends.begin(true as never)).toStrictEqual({ send: SEND, created: true });
  expect(await sends.begin(false as never)).toStrictEqual({ send: SEND, created: false });
  expect(await sends.create({} as never)).toStrictEqual({ send: single, created: true });
  const asked = { message: 'send asked for', kind: 'sms', by: 'U0ASHA', channel: 'C0TEAM' };
  expect(lines()).toStrictEqual([
    { ...asked, sendId: 'S-1' },
    { ...asked, sendId: 'S-2', recipients: 1, alertId: 'L-1', retryOf: 'S-1' },
  ]);
});

it('tells of each step to the start: who took it, why, and for how many', async () => {
  const won = async (asked: { actor: string }) => asked.actor !== 'U0LATE';
  const { sends, lines } = told({ sends: { seal: won, askForMore: won, moveSend: won, recordOnce: won } });
  const at = { sendId: 'S-1', at: 1 } as const;
  const survey = { recipients: 7, rows: [] };
  const sealed = { ...at, digest: 'd', to: 'awaiting_approval', survey } as const;
  for (const actor of ['U0ASHA', 'U0LATE']) {
    await sends.seal({ ...sealed, actor, approval: { needed: 2, expiresAt: 9 }, reason: WHY });
    await sends.askForMore({ ...at, actor, from: 'scheduled', needed: 3, expiresAt: 9, reason: WHY });
    await sends.recordOnce({ ...at, actor, action: 'approval_refused', reason: { ...WHY, code: '7' } });
  }
  await sends.seal({ ...at, digest: 'd', to: 'approved', actor: 'herald' });
  await sends.moveSend({ ...at, from: 'approved', to: 'sending', actor: 'herald' });
  const paused = { ...at, from: 'sending', to: 'paused', actor: 'herald', reason: WHY } as const;
  await sends.moveSend({ ...paused, resumeAt: Date.UTC(2026, 0, 6, 4, 30) });
  for (const action of ['reminded', 'left_unknown', 'chose_to_wait'] as const)
    await sends.recordOnce({ ...at, action, actor: 'herald' });
  const why = { why: 'It is night.', code: undefined };
  const waits = { message: 'send waits for approval', sendId: 'S-1', by: 'U0ASHA' };
  expect(lines()).toStrictEqual([
    { ...waits, recipients: 7, needed: 2, ...why },
    { ...waits, needed: 3, ...why },
    { message: 'approval refused', sendId: 'S-1', by: 'U0ASHA', why: 'It is night.', code: '7' },
    { message: 'send approved', sendId: 'S-1', recipients: undefined, needed: undefined },
    { message: 'send started', sendId: 'S-1' },
    { message: 'send paused', sendId: 'S-1', ...why, until: '2026-01-06T04:30:00.000Z' },
    { message: 'approvers reminded', sendId: 'S-1' },
    { message: 'unknown recipients left as they are', sendId: 'S-1' },
    { message: 'send waits for the end of quiet hours', sendId: 'S-1' },
  ]);
});

it('tells who approved, and whether others must', async () => {
  const given = { at: 1, userId: 'U0RAVI' };
  const results = [
    { state: 'recorded', approvals: [given], complete: false },
    { state: 'repeated', approvals: [given] },
    { state: 'recorded', approvals: [given, given], complete: true },
  ];
  const { sends, lines } = told({ sends: { approve: async () => results.shift() } });
  const approval = { sendId: 'S-1', userId: 'U0RAVI', digest: 'd', at: 1 };
  for (const state of ['recorded', 'repeated', 'recorded'])
    expect(await sends.approve(approval)).toMatchObject({ state });
  expect(lines()).toStrictEqual([
    { message: 'send approved by one of several', sendId: 'S-1', by: 'U0RAVI', approvals: 1 },
    { message: 'send approved', sendId: 'S-1', by: 'U0RAVI', approvals: 2 },
  ]);
});

it('tells how a send ended, with the causes summed up, wherever its last outcome is written', async () => {
  const done = { ...SEND, state: 'done', recipientCount: 6 };
  const failures = [
    { state: 'rejected', failure: { ...WHY, code: '100' }, count: 1 },
    { state: 'rejected', failure: { ...WHY, code: '100', status: 400 }, count: 2 },
    { state: 'not_sent', failure: { ...WHY, status: 429 }, count: 1 },
    { state: 'skipped', failure: WHY, count: 1 },
  ];
  const found: Record<string, object> = {
    'S-1': { ...done, counts: { ...NO_RECIPIENTS, accepted: 1, rejected: 3, not_sent: 1, skipped: 1 } },
    'S-2': { ...done, recipientCount: 2, counts: { ...NO_RECIPIENTS, accepted: 2 } },
    'S-3': { ...done, state: 'sending' },
  };
  const { sends, lines } = told({
    sends: {
      find: async (id: string) => found[id],
      failures: async () => failures,
      settle: async () => ({ written: 0, done: ['S-1', 'S-2', 'S-3', 'S-4'] }),
      skipOverCap: async ({ recipients }: { recipients: unknown[] }) => recipients.map(() => 1),
      skipTaken: async () => [1],
      recoverInterrupted: async () => ['S-2'],
      moveSend: async () => true,
    },
  });
  await sends.settle([]);
  const whole = { message: 'send done', sendId: 'S-2', accepted: 2 };
  const codes = { 'rejected 100': 3, 'not_sent http_429': 1, 'skipped none': 1 };
  expect(lines()).toStrictEqual([
    { message: 'send done', sendId: 'S-1', accepted: 1, rejected: 3, not_sent: 1, skipped: 1, codes },
    whole,
  ]);
  const cap = { sendId: 'S-2', most: 1, since: 0, failure: WHY, at: 1 } as const;
  expect(await sends.skipOverCap({ ...cap, recipients: [{ row: 1 } as never] })).toStrictEqual([1]);
  expect(await sends.skipOverCap({ ...cap, recipients: [] })).toStrictEqual([]);
  expect(await sends.skipTaken({ ...cap, recipients: [], state: 'rejected' })).toStrictEqual([1]);
  expect(await sends.recoverInterrupted(WHY, 1)).toStrictEqual(['S-2']);
  const move = { sendId: 'S-2', at: 1, actor: 'U0RAVI', from: 'paused' } as const;
  await sends.moveSend({ ...move, to: 'sending' });
  await sends.moveSend({ ...move, to: 'stopped' });
  expect(lines().slice(2)).toStrictEqual([
    ...Array(3).fill(whole),
    { message: 'send resumed', sendId: 'S-2', by: 'U0RAVI' },
    whole,
    { message: 'send stopped', sendId: 'S-2', by: 'U0RAVI' },
  ]);
});

it('counts each outcome that is written, with its code', async () => {
  const answer = { written: 3, done: [] };
  const leaveOut = async ({ recipients }: { recipients: unknown[] }) => recipients;
  const { sends, settled } = told({
    sends: {
      ...{ settle: async () => answer, skipOverCap: leaveOut, skipTaken: leaveOut },
      find: async () => undefined,
    },
  });
  const failed = { state: 'rejected', failure: { ...WHY, status: 400 } } as const;
  const all = [{ state: 'accepted', status: 200 }, failed, { state: 'skipped', failure: WHY }] as const;
  const settlements = all.map((outcome, row) => ({ sendId: 'S-1', row, outcome, settledAt: 1 }));
  expect(await sends.settle(settlements)).toBe(answer);
  expect(settled).toStrictEqual(['accepted none 1', 'rejected http_400 1', 'skipped none 1']);
  // One of them was written before.
  answer.written = 2;
  await sends.settle(settlements);
  expect(settled).toHaveLength(3);
  const left = { sendId: 'S-1', recipients: Array(2), failure: WHY, at: 1 };
  await sends.skipOverCap({ ...left, most: 1, since: 0 });
  await sends.skipTaken({ ...left, state: 'rejected' });
  await sends.skipTaken({ ...left, recipients: [], state: 'rejected' });
  expect(settled.slice(3)).toStrictEqual(['skipped none 2', 'rejected none 2']);
});

it('tells who was put on the opt-out list or taken off it, and which templates were changed', async () => {
  const { templates, audiences, lines } = told({
    templates: { write: async () => [] },
    audiences: { optOut: async (all: unknown[]) => all.length, optIn: async () => true },
  });
  const number = '+6591234567' as never;
  expect(await audiences.optOut([{ number, at: 1, actor: 'U0RAVI', source: 'command' }])).toBe(1);
  expect(await audiences.optOut([])).toBe(0);
  expect(await audiences.optIn(number, { at: 1, actor: 'U0RAVI', number: '' })).toBe(true);
  const template = { channel: 'rcs', name: 'store_open' } as never;
  await templates.write([{ template, action: 'edited' } as never], {
    actor: 'U0RAVI',
    at: 1,
    source: 'form',
  });
  expect(lines()).toStrictEqual([
    { message: 'opted out', number, by: 'U0RAVI', source: 'command' },
    { message: 'taken off the opt-out list', number, by: 'U0RAVI' },
    { message: 'templates changed', by: 'U0RAVI', source: 'form', changes: ['edited rcs/store_open'] },
  ]);
});

it('tells of changes that were made, and of none that somebody else was quicker with', async () => {
  const { sends, templates, audiences, lines } = told({
    sends: { moveSend: async () => false, recordOnce: async () => false },
    templates: { write: async () => [{ channel: 'rcs', name: 'x' }] },
    audiences: { optOut: async (all: unknown[]) => all.length, optIn: async () => false },
  });
  const move = { sendId: 'S-1', from: 'sending', to: 'paused', at: 1, actor: 'U0RAVI' } as const;
  await sends.moveSend(move);
  await sends.recordOnce({ sendId: 'S-1', action: 'reminded', at: 1, actor: 'herald' });
  await templates.write([{} as never], { actor: 'U0RAVI', at: 1, source: 'form' });
  await audiences.optIn('+6591234567' as never, { at: 1, actor: 'U0RAVI', number: '' });
  const optOut = { number: '+6591234567' as never, at: 1, actor: 'herald', source: 'reply' } as const;
  await audiences.optOut([optOut, optOut]);
  expect(lines()).toStrictEqual([{ message: 'opted out', count: 2, source: 'reply' }]);
});

it('does not let what is told change what was done', async () => {
  const gone = async () => Promise.reject(new Error('gone'));
  const settle = async () => ({ written: 1, done: ['S-1'] });
  const { sends, lines } = told({ sends: { settle, find: gone } });
  expect(await sends.settle([])).toStrictEqual({ written: 1, done: ['S-1'] });
  expect(lines()).toStrictEqual([]);
});
