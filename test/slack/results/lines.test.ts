import { beforeEach, expect, test } from 'vitest';
import type { SendStore } from '../../../src/sends/ports.ts';
import { withLinks } from '../../../src/slack/kit/posting/links.ts';
import { approvalCard } from '../../../src/slack/results/approve/card.ts';
import { endedCard } from '../../../src/slack/results/progress/ended-card.ts';
import { gatherEnded } from '../../../src/slack/results/standing.ts';
import { ASKED_AT, CARD_SETTINGS, DIGEST, found, openStore, prepare, SEND_ID } from '../bulk-sends.ts';
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

const prices = { currency: 'INR', chatapp: { IN: 0.35 } };
const SOURCES = { cardSettings: { ...CARD_SETTINGS, prices, approvers: ['U0RAVI', 'S0MANAGERS'] } };

/** Ids of people and groups as their names, and a moment as Slack writes it. */
function asShown(blocks: readonly unknown[]): readonly unknown[] {
  const shown = JSON.stringify(blocks)
    .replaceAll(/<!date[^>]+>/g, 'tomorrow 06:39')
    .replaceAll('<@U0ASHA>', '@Asha Nair')
    .replaceAll('<@U0RAVI>', '@Ravi Menon')
    .replaceAll('<@U0MEI>', '@Mei Tan')
    .replaceAll('<!subteam^S0MANAGERS>', '@managers');
  return JSON.parse(shown);
}

test('the card that 3,000 people wait for has eleven lines, on a phone eighteen', async () => {
  for (const userId of [undefined, 'U0RAVI']) {
    if (userId) await store.approve({ sendId: SEND_ID, userId, digest: DIGEST, at: ASKED_AT });
    const facts = await factsIn(store, SOURCES);
    const got = { sendId: 'S-7K2M9QX4TA', userId: 'U0ASHA', at: ASKED_AT, reading: '', others: 0, which: '' };
    const repeats = { ...got, count: 1_240, recipients: PEOPLE, exact: true };
    const without = { what: '“customer” is empty.', short: 'without “customer”' };
    const failure = { ...without, next: 'Correct it.', scope: 'recipient' } as const;
    const failures = [{ state: 'skipped', count: 1, failure }] as const;
    const counts = { read: 3_004, valid: PEOPLE, duplicate: 1, opted_out: 0, invalid: 3 };
    const audience = facts.audience && { ...facts.audience, counts };
    const { blocks } = approvalCard({ ...facts, repeats, failures, audience });
    expect(JSON.stringify(blocks)).toContain('3 wrong numbers, 1 twice, 1 without “customer”');
    expect(linesOf(asShown(blocks), 'desk')).toBeLessThanOrEqual(11);
    expect(linesOf(asShown(blocks), 'phone')).toBeLessThanOrEqual(18);
  }
});

test('the card of the end has twelve lines with three causes', async () => {
  for (const userId of ['U0RAVI', 'U0MEI'])
    await store.approve({ sendId: SEND_ID, userId, digest: DIGEST, at: ASKED_AT });
  const ended = await gatherEnded(await found(store), sourcesOf(store, SOURCES));
  const cause = (what: string, count: number, state: 'rejected' | 'unknown' = 'rejected') => ({
    ...{ state, count },
    failure: { what, next: 'Check the values.', scope: 'recipient' } as const,
  });
  const failures = [
    cause('The service refused a parameter.', 12),
    cause('This number is not on the chat app.', 7),
    cause('The connection broke off.', 3, 'unknown'),
    { ...cause('Opted out.', 5), state: 'skipped' as const },
  ];
  const counts = { ...ended.send.counts, pending: 0, accepted: 2_978, rejected: 19, unknown: 3 };
  const send = { ...ended.send, state: 'done', counts } as never;
  const answers = { tally: [], delivered: 2_950, read: 812, failed: 0, failures: [] };
  const began = { sendId: SEND_ID, at: ASKED_AT, action: 'sending', actor: 'herald' } as const;
  const events = [began, { ...began, at: ASKED_AT + 60_000, action: 'done' } as const];
  const { blocks } = withLinks(endedCard({ ...ended, send, failures, answers, events }), {
    Approval: 'https://acme.slack.example/1',
  });
  expect(linesOf(asShown(blocks), 'desk')).toBeLessThanOrEqual(12);
});
