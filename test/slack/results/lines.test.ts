import { beforeEach, expect, test } from 'vitest';
import type { SendStore } from '../../../src/sends/ports.ts';
import { approvalCard } from '../../../src/slack/results/approve/card.ts';
import { endedCard } from '../../../src/slack/results/progress/ended-card.ts';
import { gatherEnded } from '../../../src/slack/results/standing.ts';
import { ASKED_AT, CARD_SETTINGS, DIGEST, move, openStore, prepare, SEND_ID } from '../bulk-sends.ts';
import { ORDER, ORDER_TEMPLATE } from '../kit/cards/reports.ts';
import { linesOf } from '../lines.ts';
import { factsIn, sourcesOf } from './sources.ts';

/* What people decide by is short, at both widths. */

const PEOPLE = 3_000;
const MESSAGE = { ...ORDER, params: ['{{customer}}', '{{order}}'], campaignName: 'Monday orders' };

let store: SendStore;
beforeEach(async () => {
  store = openStore();
  await prepare(store, {
    message: MESSAGE,
    template: ORDER_TEMPLATE,
    note: 'weekly dispatch, agreed with the warehouse',
    needed: 2,
    columns: ['customer', 'order'],
    people: Array.from({ length: PEOPLE }, (_none, n) => ({
      number: `+9198123${10_000 + n}`,
      values: [`Person ${n}`, `A-${n}`],
    })),
    survey: {
      recipients: PEOPLE,
      countries: { IN: PEOPLE },
      texts: { count: PEOPLE, more: false },
      rows: [{ row: 2, why: 'shortest' }, { row: 1_500 }, { row: 3_001, why: 'longest' }],
    },
  });
});

const SOURCES = () => {
  const prices = { currency: 'INR', chatapp: { IN: 0.35 } };
  return { cardSettings: { ...CARD_SETTINGS, prices, approvers: ['U0RAVI', 'S0MANAGERS'] } };
};

test('the card that 3,000 people wait for has eleven lines, on a phone eighteen', async () => {
  const facts = await factsIn(store, SOURCES());
  const warned = { ...facts, warnings: ['1,240 of them got this message today at 07:02.'] };
  const { blocks } = approvalCard(warned);
  expect(linesOf(blocks, 'desk')).toBeLessThanOrEqual(11);
  expect(linesOf(blocks, 'phone')).toBeLessThanOrEqual(18);
});

test('the card of the end has twelve lines with three causes', async () => {
  for (const userId of ['U0RAVI', 'U0MEI'])
    await store.approve({ sendId: SEND_ID, userId, digest: DIGEST, at: ASKED_AT });
  await move(store, 'sending', { actor: 'herald' });
  const ended = await gatherEnded(
    await move(store, 'stopped', { actor: 'herald' }),
    sourcesOf(store, SOURCES()),
  );
  const cause = (what: string, count: number, state: 'rejected' | 'unknown' = 'rejected') => ({
    ...{ state, count },
    failure: { what, next: 'Check the values.', scope: 'recipient' } as const,
  });
  const failures = [
    cause('The service refused a parameter.', 12),
    cause('This number is not on the chat app.', 7),
    cause('The connection broke off.', 3, 'unknown'),
  ];
  const counts = { ...ended.send.counts, pending: 0, accepted: 2_978, rejected: 19, unknown: 3 };
  const send = { ...ended.send, state: 'done', counts, reason: undefined } as never;
  const answers = { tally: [], delivered: 2_950, read: 812, failed: 0, failures: [] };
  const { blocks } = endedCard({ ...ended, send, failures, answers, events: [] });
  expect(linesOf(blocks, 'desk')).toBeLessThanOrEqual(12);
});
