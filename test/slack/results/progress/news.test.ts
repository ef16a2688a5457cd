import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxMessage } from '../../../../sandbox/protocol.ts';
import { ASKED_AT, DIGEST, finish, found, move, prepare, SEND_ID } from '../../bulk-sends.ts';
import { SendsWorkspace } from '../../sends-workspace.ts';

/* What who asked for a send is notified of, by new messages in a workspace that holds them as Slack does. */

let slack: SendsWorkspace;
beforeAll(async () => {
  slack = await SendsWorkspace.start();
});
afterAll(() => slack.stop());
beforeEach(() => slack.reset());

const REASON = { what: 'The key was refused.', next: 'Renew it.', scope: 'send' } as const;

/** Approved by Ravi and begun, with a message in the channel. */
async function begun(): Promise<void> {
  await prepare(slack.store);
  await slack.show();
  await slack.store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  await slack.show();
  await move(slack.store, 'sending', { actor: 'herald' });
  slack.clockAt(ASKED_AT + 62_000);
  await slack.show();
}

/** What stands in the thread of the progress message. */
const replies = () => slack.messages('C0TEAM').filter(({ thread_ts }) => thread_ts !== undefined);

test('a pause by Herald says why, what the buttons do, and where they are; it is told once', async () => {
  await begun();
  expect(slack.direct('U0ASHA').map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^✅ <@U0ASHA> \*Spring · SMS to 3 people\*: approved by <@U0RAVI>, .* It starts now\./,
    ),
  ]);
  await move(slack.store, 'paused', { actor: 'herald', reason: REASON });
  await slack.show();
  expect(replies()).toHaveLength(1);
  const words = slack.words(slack.last('C0TEAM'));
  expect(words).toMatch(
    /⏸️ <@U0ASHA> \*Spring · SMS to 3 people\*: paused by Herald itself.*3 people not tried yet/,
  );
  expect(words).toContain(
    'The key was refused. Renew it.\\n*Resume* goes on with those who were not tried yet',
  );
  expect(words).toContain('Both buttons are on its progress message.');
});

test('nobody is told of what they did themselves, nor of a pause that is over', async () => {
  await begun();
  await move(slack.store, 'paused', { actor: 'U0ASHA' });
  await slack.show();
  await move(slack.store, 'sending', { actor: 'U0ASHA' });
  await move(slack.store, 'paused', { actor: 'U0RAVI' });
  await move(slack.store, 'sending', { actor: 'U0MEI' });
  await slack.show();
  expect(replies()).toEqual([]);
  await move(slack.store, 'stopped', { actor: 'U0ASHA' });
  await slack.show();
  expect(replies().map(({ text }) => text)).toEqual([
    expect.stringMatching(/^The report, with every number/),
  ]);
});

test('a pause in the first second is told below the progress message, which is posted before', async () => {
  await prepare(slack.store, { to: 'approved' });
  await move(slack.store, 'sending', { actor: 'herald', at: ASKED_AT });
  await move(slack.store, 'paused', { actor: 'herald', reason: REASON, at: ASKED_AT });
  await slack.show();
  const [progress, news] = slack.messages('C0TEAM');
  expect(news).toMatchObject({ thread_ts: progress?.ts, text: expect.stringContaining('paused by Herald') });
  expect(slack.direct('U0ASHA')).toEqual([]);
});

test('where a thread may not be written to, it is told directly', async () => {
  await begun();
  await move(slack.store, 'paused', { actor: 'U0RAVI' });
  slack.workspace.setFaults({
    faults: [{ on: 'api', method: 'chat.postMessage', times: 1, do: 'error', error: 'is_archived' }],
  });
  await slack.show();
  expect(slack.direct('U0ASHA').at(-1)?.text).toContain('paused by <@U0RAVI>');
  expect(slack.direct('U0ASHA').at(-1)?.thread_ts).toBeUndefined();
});

test('the end is told with the report, and the messages link to each other', async () => {
  await begun();
  await finish(slack.store);
  await slack.show();
  const [progress] = slack.messages('C0TEAM').filter(({ thread_ts }) => thread_ts === undefined);
  const report = replies().find(({ text }) => text.includes('🏁 <@U0ASHA>'));
  const [card] = slack.messages('C0APPROVALS');
  if (!progress || !report || !card) throw new Error('A message is missing.');
  const names = ['Approval', 'Progress', 'Report'];
  const linked = [card, progress, report].map((one) =>
    names.filter((name) => slack.words(one).includes(`|${name}>`)),
  );
  expect(linked).toEqual([
    ['Progress', 'Report'],
    ['Approval', 'Report'],
    ['Approval', 'Progress'],
  ]);
});

const START = ASKED_AT + 60_000;

/** A send to 120 people, one a second; every tenth was refused. */
async function ofMany(): Promise<SandboxMessage> {
  const people = Array.from({ length: 120 }, (_, n) => ({ number: `+9198123${45_000 + n}`, values: ['A'] }));
  await prepare(slack.store, { to: 'approved', people });
  await move(slack.store, 'sending', { actor: 'herald', at: START });
  await slack.show();
  await slack.store.claim(SEND_ID, people.length, START);
  await slack.store.settle(
    people.map((_, n) => ({
      sendId: SEND_ID,
      row: n + 2,
      outcome: n % 10 === 0 ? { state: 'rejected', failure: REASON } : { state: 'accepted', status: 200 },
      settledAt: START + 1_000 * n,
    })),
  );
  await slack.show();
  return slack.last('C0TEAM', ({ thread_ts }) => thread_ts === undefined);
}

const chartsIn = (message: SandboxMessage) =>
  ((message.blocks ?? []) as { type: string }[]).filter(({ type }) => type === 'data_visualization');

test('the chart of a send over time stands in its last message, and survives later changes', async () => {
  const message = await ofMany();
  expect(chartsIn(message)).toMatchObject([
    { chart: { type: 'bar', series: [{ name: 'Accepted' }, { name: 'Rejected, not sent' }] } },
  ]);
  const { thread } = await found(slack.store);
  expect(thread?.course).toHaveLength(12);
  await slack.show();
  expect(chartsIn(slack.fresh(message))).toHaveLength(1);
});
