import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxMessage } from '../../../../sandbox/protocol.ts';
import { ASKED_AT, found, move, prepare, SEND_ID } from '../../bulk-sends.ts';
import { SendsWorkspace } from '../../sends-workspace.ts';

/* The chart of a send over time. */

const PEOPLE = 120;
const START = ASKED_AT + 60_000;
const LASTING = 119_000;

let slack: SendsWorkspace;
beforeAll(async () => {
  slack = await SendsWorkspace.start();
});
afterAll(() => slack.stop());
beforeEach(() => slack.reset());

/** A send to 120 people, one a second; every tenth was refused. */
async function ended(): Promise<SandboxMessage> {
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    number: `+9198123${String(45_000 + n)}`,
    values: [`Person ${n}`],
  }));
  await prepare(slack.store, { to: 'approved', people });
  await move(slack.store, 'sending', { actor: 'herald', at: START });
  await slack.show();
  await slack.store.claim(SEND_ID, PEOPLE, START);
  const failure = { what: 'Refused.', next: 'Look.', scope: 'recipient' } as const;
  await slack.store.settle(
    people.map((_, n) => ({
      sendId: SEND_ID,
      row: n + 2,
      outcome: n % 10 === 0 ? { state: 'rejected', failure } : { state: 'accepted', status: 200 },
      settledAt: START + (LASTING * n) / (PEOPLE - 1),
    })),
  );
  await slack.show();
  const message = slack.messages('C0TEAM')[0];
  if (message === undefined) throw new Error('Nothing was posted.');
  return message;
}

const chartsIn = (message: SandboxMessage) =>
  ((message.blocks ?? []) as { type: string }[]).filter(({ type }) => type === 'data_visualization');

test('stands in the last message, and survives later changes', async () => {
  const message = await ended();
  expect(chartsIn(message)).toMatchObject([
    { chart: { type: 'bar', series: [{ name: 'Accepted' }, { name: 'Rejected, not sent' }] } },
  ]);
  const { thread } = await found(slack.store);
  expect(thread?.course).toHaveLength(12);
  await slack.show();
  expect(chartsIn(slack.fresh(message))).toHaveLength(1);
});

test('is not there for a few', async () => {
  await prepare(slack.store, { to: 'approved' });
  await move(slack.store, 'sending', { actor: 'herald', at: START });
  await slack.show();
  await move(slack.store, 'stopped', { at: START + 3_600_000 });
  await slack.show();
  const [message] = slack.messages('C0TEAM');
  expect(message && chartsIn(message)).toEqual([]);
  expect((await found(slack.store)).thread).toEqual({ file: expect.any(String), report: expect.any(Object) });
});
