import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ASKED_AT, DIGEST, finish, found, move, prepare, progressOf, SEND_ID } from '../../bulk-sends.ts';
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
  await slack.announcer.showApproval(await prepare(slack.store));
  await slack.store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  await slack.announcer.notifyRequester(SEND_ID);
  await move(slack.store, 'sending', { actor: 'herald' });
  await slack.announcer.showProgress(await progressOf(slack.store));
}

/** What stands in the thread of the progress message. */
const replies = () => slack.messages('C0TEAM').filter(({ thread_ts }) => thread_ts !== undefined);

test('a pause by Herald says why, what the buttons do, and where they are; it is told once', async () => {
  await begun();
  expect(slack.direct('U0ASHA').map(({ text }) => text)).toEqual([
    expect.stringMatching(/^✅ <@U0ASHA> \*SMS to 3 recipients\*: approved by <@U0RAVI>, .* It starts now\./),
  ]);
  await move(slack.store, 'paused', { actor: 'herald', reason: REASON });
  for (let times = 0; times < 3; times += 1) await slack.announcer.notifyRequester(SEND_ID);
  expect(replies()).toHaveLength(1);
  const words = slack.words(slack.last('C0TEAM'));
  expect(words).toMatch(
    /⏸️ <@U0ASHA> \*SMS to 3 recipients\*: paused by Herald itself.*3 recipients not tried yet/,
  );
  expect(words).toContain(
    'The key was refused. Renew it.\\n*Resume* goes on with those who were not tried yet',
  );
  expect(words).toContain('Both buttons are on its progress message.');
});

test('nobody is told of what they did themselves, nor of a pause that is over', async () => {
  await begun();
  await move(slack.store, 'paused', { actor: 'U0ASHA' });
  await slack.announcer.notifyRequester(SEND_ID);
  await move(slack.store, 'sending', { actor: 'U0ASHA' });
  await move(slack.store, 'paused', { actor: 'U0RAVI' });
  await move(slack.store, 'sending', { actor: 'U0MEI' });
  await slack.announcer.notifyRequester(SEND_ID);
  expect(replies()).toEqual([]);
  expect(await slack.store.untold(9)).toEqual([]);
  await move(slack.store, 'stopped', { actor: 'U0ASHA' });
  await slack.announcer.showEnd(await progressOf(slack.store));
  expect(replies().map(({ text }) => text)).toEqual([
    expect.stringMatching(/^The report, with every number/),
  ]);
});

test('an answer of Slack’s that is lost makes no second message', async () => {
  await begun();
  await move(slack.store, 'paused', { actor: 'U0RAVI' });
  slack.workspace.setFaults({
    faults: [{ on: 'api', method: 'chat.postMessage', times: 1, do: 'drop_answer' }],
  });
  await slack.announcer.notifyRequester(SEND_ID);
  expect(replies()).toHaveLength(1);
  expect(await slack.store.untold(9)).toEqual([]);
});

test('where a thread may not be written to, it is told directly', async () => {
  await begun();
  await move(slack.store, 'paused', { actor: 'U0RAVI' });
  slack.workspace.setFaults({
    faults: [{ on: 'api', method: 'chat.postMessage', times: 1, do: 'error', error: 'is_archived' }],
  });
  await slack.announcer.notifyRequester(SEND_ID);
  expect(slack.direct('U0ASHA').at(-1)?.text).toContain('paused by <@U0RAVI>');
  expect(slack.direct('U0ASHA').at(-1)?.thread_ts).toBeUndefined();
});

test('the end is told with the report, and the messages link to each other', async () => {
  await begun();
  await finish(slack.store);
  await slack.announcer.showEnd(await progressOf(slack.store));
  await slack.announcer.showProgress(await progressOf(slack.store));
  await slack.announcer.showApproval(await found(slack.store));
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
