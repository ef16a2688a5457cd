import { beforeEach, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { SmsMessage } from '../../../../src/messages/kinds/sms.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import type { RecipientCounts, Send } from '../../../../src/sends/send.ts';
import { olderBlocks } from '../../../../src/slack/connection/new-blocks.ts';
import { duration } from '../../../../src/slack/kit/cards/words.ts';
import {
  causeBlocks,
  heldCard,
  progressCard,
  unknownCard,
} from '../../../../src/slack/results/progress/card.ts';
import { reportFile } from '../../../../src/slack/results/progress/report.ts';
import { NO_ANSWERS } from '../../../fakes/answers.ts';
import { ASKED_AT, finish, found, move, openStore, prepare, progressOf, SEND_ID } from '../../bulk-sends.ts';
import { outlineOfCard } from '../../outline.ts';

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

const FAILED = { what: 'Every one of the first failed.', next: 'Look at <why>.', scope: 'send' } as const;
const NIGHT = { what: 'It is night.', next: 'It goes on at 10:00.', scope: 'send' } as const;
const COUNTS: RecipientCounts = {
  pending: 21_000,
  attempting: 100,
  accepted: 18_000,
  rejected: 700,
  not_sent: 0,
  unknown: 200,
  skipped: 12,
};

async function sending(): Promise<Send> {
  await prepare(store, { to: 'approved' });
  await move(store, 'sending', { actor: 'herald' });
  const send = await found(store);
  return { ...send, recipientCount: 40_012, counts: COUNTS };
}

/** The words of the table among blocks, row by row. */
function rowsOf(blocks: readonly { type: string }[]): string[][] {
  const table = blocks.find(({ type }) => type === 'data_table') as unknown as {
    rows: { text: string }[][];
  };
  return table.rows.slice(1).map((row) => row.map(({ text }) => text));
}

test.each<[string, (send: Send) => ReturnType<typeof heldCard>]>([
  ['on-its-way', (send) => progressCard({ send, perSecond: 80.4, remainingMs: 262_500 })],
  ['restart', (send) => progressCard({ send, perSecond: 80.4, remainingMs: 262_500, restarting: true })],
  ['stalled', (send) => progressCard({ send, perSecond: 0, stalled: true })],
  // What is left is said in one approximation, not in two.
  ['nearly-done', (send) => progressCard({ send, perSecond: 80, remainingMs: 10_000 })],
  ['paused', (send) => progressCard({ send: { ...send, state: 'paused', reason: FAILED }, perSecond: 3 })],
  ['held', (send) => heldCard({ ...send, state: 'paused', reason: NIGHT, resumeAt: ASKED_AT })],
])('the card of a send, whole: %s', async (name, cardOf) => {
  const card = cardOf(await sending());
  await expect(card && outlineOfCard(card)).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('what waits for a person, and not for a time, is asked of nobody', async () => {
  expect(heldCard({ ...(await sending()), state: 'paused', reason: NIGHT })).toBeUndefined();
});

test('the bar is full only when nothing is left, and begun with the first', async () => {
  const send = await sending();
  const barAt = (accepted: number, pending: number) => {
    const counts = { ...COUNTS, rejected: 0, unknown: 0, attempting: 0, skipped: 0, accepted, pending };
    const { blocks } = progressCard({ send: { ...send, counts }, perSecond: 0 });
    return (blocks[0] as { text: { text: string } }).text.text.split('\n')[2];
  };
  expect(barAt(0, 1000)).toBe(`${'░'.repeat(20)}  0 % · 0 of 1,000`);
  expect(barAt(1, 999)).toBe(`█${'░'.repeat(19)}  0 % · 1 of 1,000`);
  expect(barAt(999, 1)).toBe(`${'█'.repeat(19)}░  99 % · 999 of 1,000`);
  expect(barAt(1000, 0)).toBe(`${'█'.repeat(20)}  100 % · 1,000 of 1,000`);
  expect(barAt(0, 0)).toBe(`${'█'.repeat(20)}  100 % · 0 of 0`);
});

test('failures stand by cause, with the next step; those of whom nobody knows are asked about', async () => {
  await prepare(store, { to: 'approved' });
  await move(store, 'sending', { actor: 'herald' });
  await finish(store);
  const progress = await progressOf(store);
  const sending = { ...progress.send, state: 'sending' } as const;
  const card = progressCard({ ...progress, send: sending });
  const question = unknownCard(progress.send);
  if (question === undefined) throw new Error('Nothing is asked.');
  expect([validateMessage(card), validateMessage(question)]).toEqual([[], []]);
  // Who was left out before the start stands on the approval card.
  expect(rowsOf(card.blocks)).toEqual([
    ['⛔ 1', 'The service refused a parameter.', 'Check the values.', '131009'],
    ['❓ 1', 'The connection broke off.', 'Ask the recipient.', '–'],
  ]);
  expect(question.text).toBe(
    '❓ 1 person may or may not have received this. Herald does not send to them again by itself; those whom a delivery report names are no longer among them.',
  );
  expect(JSON.stringify(question.blocks)).toContain('this may reach people twice');
  const clean = { ...progress.send, counts: { ...progress.send.counts, unknown: 0 } };
  expect([causeBlocks([]), unknownCard(clean)]).toEqual([[], undefined]);
});

test('the service’s own words stand in the causes and where it paused a send, as letters only', async () => {
  await prepare(store, { to: 'approved' });
  const explanation = 'Param *1* is <!here> `odd`';
  const failure = { what: 'It was refused.', explanation, next: 'Look.', scope: 'recipient' } as const;
  const progress = await progressOf(store);
  const causes = causeBlocks([{ state: 'rejected', failure, count: 2 }]);
  const said = 'It was refused. The service says: `Param *1* is &lt;!here&gt; ’odd’`. Look.';
  expect(rowsOf(causes)[0]?.[1]).toBe('It was refused. The service says: “Param *1* is <!here> `odd`”.');
  const paused = { ...progress.send, state: 'paused', reason: failure } as const;
  expect(JSON.stringify(progressCard({ ...progress, send: paused }))).toContain(said);
});

test('of many causes the most frequent are shown, and all that can be said of them fits into one message', async () => {
  const send = await sending();
  const long = { explanation: '&'.repeat(300), next: '&'.repeat(400), scope: 'recipient' } as const;
  const failures = Array.from({ length: 15 }, (_, at) => {
    const failure = { ...long, what: `${at} ${'&'.repeat(300)}` };
    return { state: 'rejected' as const, failure, count: 1 };
  });
  const card = progressCard({ send, perSecond: 1, failures });
  for (const blocks of [card.blocks, olderBlocks(card.blocks)])
    expect(validateMessage({ ...card, blocks })).toEqual([]);
  expect(JSON.stringify(card.blocks)).toContain('… and 3 more causes, in the report.');
});

test('the report has every recipient, whole numbers, and nothing that a spreadsheet would run', async () => {
  await prepare(store, { to: 'approved' });
  await move(store, 'sending', { actor: 'herald' });
  await store.claim(SEND_ID, 10, ASKED_AT);
  const odd = (code: string, what: string, explanation: string, next: string) =>
    ({ code, what, explanation, next, scope: 'recipient' }) as const;
  const accepted = { state: 'accepted', status: 200, messageId: '@m' } as const;
  const failure = odd('=1+1', '=cmd, "quoted"', '@sum, "odd"', 'x');
  await store.settle([
    { sendId: SEND_ID, row: 3, outcome: accepted, settledAt: ASKED_AT },
    { sendId: SEND_ID, row: 4, outcome: { state: 'rejected', failure }, settledAt: ASKED_AT },
  ]);
  const unreachable = odd('131009', 'x', '-gone', 'y');
  const answers = {
    deliveries: async () => [
      { row: 3, status: 'read' as const, at: ASKED_AT },
      { row: 5, status: 'failed' as const, at: ASKED_AT, failure: unreachable },
    ],
  };
  const file = reportFile(await found(store), { store, answers });
  const lines = (await Array.fromAsync(file.content)).join('').split('\r\n');
  expect(lines).toHaveLength(6);
  await expect(lines.join('\n')).toMatchFileSnapshot('golden/report.csv');
});

test('a report is named after the campaign, the template or the kind, and the day', async () => {
  const { campaignName: _none, ...plain } = (await prepare(store)).message as SmsMessage;
  const send = await found(store);
  const order = { kind: 'chatapp', templateName: 'order_update' } as Send['message'];
  const withCampaign = (campaignName: string) => ({ ...send, message: { ...plain, campaignName } });
  const named: readonly [Send, string][] = [
    [withCampaign('Diwali / “offers” 2026'), 'Diwali-offers-2026-2026-01-05'],
    [withCampaign('दीवाली 🪔'), 'दीवाली-2026-01-05'],
    [withCampaign('../..'), 'SMS-2026-01-05'],
    [{ ...send, message: plain }, 'SMS-2026-01-05'],
    [{ ...withCampaign('x'.repeat(300)), activeAt: ASKED_AT + 86_400_000 }, `${'x'.repeat(60)}-2026-01-06`],
    [{ ...send, kind: 'chatapp', message: order }, 'order-update-2026-01-05'],
  ];
  for (const [one, name] of named)
    expect(reportFile(one, { store, answers: NO_ANSWERS }).name).toBe(`${name}-${SEND_ID}.csv`);
});

test.each([
  [10_000, 'less than a minute'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
  [7_500_000, '2 h 5 min'],
])('%i ms are %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});
