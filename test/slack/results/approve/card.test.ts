import { beforeEach, describe, expect, test } from 'vitest';
import { validateMessage, validateView } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import { createQuietHours } from '../../../../src/sends/quiet-hours.ts';
import type { CardSettings } from '../../../../src/slack/kit/services.ts';
import { approvalCard, reminderCard } from '../../../../src/slack/results/approve/card.ts';
import { detailsView } from '../../../../src/slack/results/approve/details-view.ts';
import { recordText } from '../../../../src/slack/results/standing.ts';
import {
  ASKED_AT,
  CARD_SETTINGS,
  DIGEST,
  found,
  move,
  numberOf,
  openStore,
  prepare,
  SEND_ID,
} from '../../bulk-sends.ts';
import { outlineOfCard } from '../../outline.ts';
import { factsIn } from '../sources.ts';

/** The test is asked at half past one in the afternoon. */
const INDIA = { country: 'IN', types: ['PROMO'], from: '12:00', to: '17:00', timezone: 'Asia/Kolkata' };
const PRICES = { currency: 'INR', sms: { IN: 0.12 } };

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

const facts = (over: Partial<CardSettings> = {}) =>
  factsIn(store, { cardSettings: { ...CARD_SETTINGS, prices: PRICES, ...over } });

const words = (card: { blocks: unknown[] }) => JSON.stringify(card.blocks);
const buttonsOf = (card: { blocks: unknown[] }) =>
  (card.blocks as { type: string; elements?: { action_id: string }[] }[])
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => elements?.map(({ action_id }) => action_id));

const MOMENT = '<!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';
const VALUE = `${SEND_ID}.${DIGEST}`;

const LEFT_OUT = '6 rows left out: 1 wrong number, 2 twice, 2 opted out, 1 (This number has opted out since)';

test.each([
  ['INR', '₹0.24'],
  ['USD', 'US$0.24'],
  ['SGD', 'SGD\u00a00.24'],
  ['AUD', 'A$0.24'],
  ['CAD', 'CA$0.24'],
  ['HKD', 'HK$0.24'],
  ['EUR', '€0.24'],
  ['KWD', 'KWD\u00a00.240'],
])('a cost in %s cannot be taken for another currency', async (currency, expected) => {
  await prepare(store, {});
  const card = approvalCard(await facts({ prices: { ...PRICES, currency } }));
  expect(words(card)).toContain(` · ${expected} without Singapore (no price) · `);
});

test('what waits for approval is told in a few lines, with what was found', async () => {
  await prepare(store, { note: '*weekly* <!channel>\ndispatch' });
  const card = approvalCard(await facts({ approvers: ['U0ASHA', 'U0RAVI', 'S0MANAGERS'] }));
  await expect(outlineOfCard(card)).toMatchFileSnapshot('golden/waits.txt');
});

test('an edit says what it replaces and what is another, and Details show both', async () => {
  await prepare(store, { id: 'S-0000000001' });
  await prepare(store, {
    replaces: 'S-0000000001',
    startAt: ASKED_AT + 3_600_000,
    message: { ...(await found(store, 'S-0000000001')).message, text: '<b>Bye</b>' } as Message,
  });
  const known = await facts();
  expect(words(approvalCard(known))).toContain('✏️ Replaces S-0000000001; changed: text, start');
  const view = detailsView(known);
  expect(validateView(view)).toEqual([]);
  const all = JSON.stringify(view);
  expect(all).toContain('*Text, before*\\nHello {{name}}, we &lt;open&gt; at 8');
  expect(all).toContain('*Text, now*\\n&lt;b&gt;Bye&lt;/b&gt;');
  expect(all).toContain('*Start, before*\\nat once');
  expect(all).toMatch(/\*Start, now\*\\n[-0-9]+ [:0-9]+ UTC/);
});

test('while quiet hours hold some of them, card and confirmation say who waits and until when', async () => {
  await prepare(store);
  const card = approvalCard(await facts({ quietHours: createQuietHours([INDIA]) }));
  expect(validateMessage(card)).toEqual([]);
  const held = 'Quiet hours hold 2 of 3 people until 17:00 (Asia/Kolkata): India.';
  expect(words(card)).toContain(`"⚠️ ${held}"`);
  expect(words(card)).toContain('starts once approved and quiet hours let it');
  expect(words(card)).toContain('“Spring”: 1 goes out at once; 2 wait until 17:00 (Asia/Kolkata).');
  expect(words(card)).toContain(`"value":"${VALUE}..${held} · ${LEFT_OUT}"`);
});

test('a retry says for whom it is', async () => {
  await prepare(store, { retry: { retryOf: 'S-0000000003', retryGroup: 'untried' } });
  expect(words(approvalCard(await facts()))).toContain('goes to those who were not tried by S-0000000003');
});

test('warnings of any length fit the button that carries them, and the card', async () => {
  await prepare(store, { columns: ['*<!channel>*'.repeat(200)] });
  const known = await facts();
  const warnings = Array.from({ length: 8 }, () => 'x'.repeat(900));
  expect(validateMessage(approvalCard({ ...known, warnings }))).toEqual([]);
  expect(words(approvalCard({ ...known, warnings: ['<!channel>'] }))).toContain('⚠️ &lt;!channel&gt;');
});

test('images stand on the card as images, what buttons there are does nothing', async () => {
  const message: Message = {
    kind: 'interactive',
    from: numberOf('+919876543210'),
    header: { type: 'image', media: { link: 'https://acme.test/sale.png' } },
    body: 'Shall we deliver?',
    action: { type: 'button', buttons: [{ id: 'a', proposed: false, title: 'Approve' }] },
  };
  await prepare(store, { message, columns: [] });
  const card = approvalCard(await facts());
  expect(outlineOfCard(card)).toContain('image image_url=https://acme.test/sale.png alt_text=Image');
  expect(words(card)).toContain('{"type":"text","text":"[ Approve ]","style":{"code":true}}');
  expect(buttonsOf(card).filter((id) => id === 'approval_approve')).toHaveLength(1);
  // The same text for everybody: nobody is named as its reader.
  expect(words(card)).not.toContain('row 3');
});

test('approvals so far are named, and a schedule shown', async () => {
  await prepare(store, { needed: 2, startAt: ASKED_AT + 3_600_000 });
  await store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  const approvers = ['S0MANAGERS', 'U0RAVI', 'U0MEI', 'U0ASHA'];
  const card = approvalCard(await facts({ approvers }));
  expect(validateMessage(card)).toEqual([]);
  expect(words(card)).toContain('Approved by <@U0RAVI> · 1 more needed');
  expect(words(card)).toMatch(/starts <!date\^1767603600\^[^>]*>, once two have approved/);
  expect(words(card)).toContain('<!subteam^S0MANAGERS> <@U0MEI>, please decide');
  expect(words(card)).toContain(
    '“Spring” goes out at the time shown; approved later, it waits until somebody resumes it.',
  );
  expect(reminderCard(await found(store), await store.approvals(SEND_ID), approvers).text).toContain(
    '⏰ <!subteam^S0MANAGERS> <@U0MEI> Spring · SMS to 3 people still waits: 1 of 2 approvals. It expires <!date^1767686400^',
  );
});

describe('once it is over it says how, by whom and when, and has no buttons', () => {
  const BY = '<@U0RAVI>, <!date^1767600060^{date_short_pretty} {time}|2026-01-05 08:01 UTC>';
  const REASON = { what: 'Too many <exclamation> marks', next: 'Change it.', scope: 'send' } as const;

  test.each([
    [
      'rejected',
      { reason: REASON },
      `Rejected by ${BY}. Nothing was sent.\\n*Reason:* Too many &lt;exclamation&gt; marks`,
    ],
    ['cancelled', { actor: 'U0ASHA' }, 'Withdrawn by <@U0ASHA>, '],
    ['cancelled', { reason: REASON }, `Cancelled by ${BY}. Too many &lt;exclamation&gt; marks`],
    [
      'expired',
      { actor: 'herald' },
      'Expired, <!date^1767600060^{date_short_pretty} {time}|2026-01-05 08:01 UTC>, with 0 of 1 approvals. Nothing was sent; it can be asked for again.',
    ],
  ] as const)('%s', async (state, how, sentence) => {
    await prepare(store);
    await move(store, state, how);
    const card = approvalCard(await facts());
    expect(validateMessage(card)).toEqual([]);
    expect(words(card)).toContain(sentence);
    expect(buttonsOf(card)).toEqual([]);
  });

  test.each([
    [[]],
    [['scheduled']],
    [['sending']],
    [['sending', 'paused']],
    [['sending', 'stopped']],
  ] as const)('approved, then %s', async (states) => {
    await prepare(store, { startAt: ASKED_AT + 3_600_000 });
    await store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
    for (const state of states) await move(store, state, { actor: 'herald' });
    const card = approvalCard(await facts());
    expect(validateMessage(card)).toEqual([]);
    expect(words(card)).toContain(`Approved by <@U0RAVI>, ${MOMENT}.`);
    expect(words(card)).not.toContain('under Details');
    expect(buttonsOf(card)).toEqual([]);
  });
});

test('what was stopped before enough people had approved does not look approved', async () => {
  await prepare(store);
  const known = await facts();
  const reason = { what: 'The database was restored.', next: 'Look.', scope: 'send' } as const;
  const card = approvalCard({ ...known, send: { ...known.send, state: 'stopped', reason } });
  expect(validateMessage(card)).toEqual([]);
  expect(card.text).toContain('⏹️ Spring · SMS to 3 people: stopped.');
  expect(words(card)).toContain('Stopped, with 0 of 1 approvals.\\n*Reason:* The database was restored.');
  expect(buttonsOf(card)).toEqual([]);
});

test('who asked is not told of as somebody whose approval is waited for', () => {
  const at = 1_767_600_000_000;
  const by = '<@U0ASHA>, <!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';
  const record = recordText([
    { sendId: 'S-1', action: 'requested', actor: 'U0ASHA', at },
    { sendId: 'S-1', action: 'awaiting_approval', actor: 'U0ASHA', at },
  ]);
  expect(record).toBe(`*Record*\nasked for by ${by}\nhanded to the approvers by ${by}`);
});
