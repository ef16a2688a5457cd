import { beforeEach, describe, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Message } from '../../../../src/messages/kinds.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import { createQuietHours } from '../../../../src/sends/quiet-hours.ts';
import type { CardSettings } from '../../../../src/slack/kit/services.ts';
import { approvalCard } from '../../../../src/slack/results/approve/card.ts';
import { gatherFacts } from '../../../../src/slack/results/approve/facts.ts';
import { reminderCard } from '../../../../src/slack/results/approve/reminder.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import {
  ASKED_AT,
  AUDIENCE,
  CARD_SETTINGS,
  DIGEST,
  found,
  move,
  numberOf,
  openStore,
  prepare,
  SEND_ID,
} from '../../bulk-sends.ts';

/** The test is asked at half past one in the afternoon. */
const INDIA = { country: 'IN', types: ['PROMO'], from: '12:00', to: '17:00', timezone: 'Asia/Kolkata' };
const PRICES = { currency: 'INR', sms: { IN: 0.12 } };

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

async function facts(over: Partial<CardSettings> = {}) {
  const gathered = await gatherFacts(SEND_ID, {
    store,
    audiences: { find: async () => AUDIENCE },
    catalogue: { find: async () => undefined, search: async () => [] },
    cardSettings: { ...CARD_SETTINGS, prices: PRICES, ...over },
    clock: { now: () => ASKED_AT },
    logger: createRecordingLogger(),
  });
  if (gathered === undefined) throw new Error('There is no send.');
  return gathered;
}

const words = (card: { blocks: unknown[] }) => JSON.stringify(card.blocks);
const buttonsOf = (card: { blocks: unknown[] }) =>
  (card.blocks as { type: string; elements?: { action_id: string }[] }[])
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => elements?.map(({ action_id }) => action_id));

const MOMENT = '<!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>';
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
const recipient = (line: string) => ({
  type: 'rich_text_section',
  elements: [{ type: 'text', text: line }],
});
const VALUE = `${SEND_ID}.${DIGEST}`;

const LEFT_OUT =
  '6 rows are left out: 2 duplicates, 2 opted out, 1 invalid, 1 (This number has opted out since).';

test('what waits for approval is told in five lines, with what was found', async () => {
  await prepare(store);
  const card = approvalCard(await facts({ approvers: ['U0ASHA', 'U0RAVI', 'S0MANAGERS'] }));
  expect(validateMessage(card)).toEqual([]);
  expect(card).toEqual({
    text: `🔔 SMS to 3 recipients: waits for approval. Asked for by <@U0ASHA> in <#C0TEAM>, ${MOMENT}. Reference ${SEND_ID}. Please approve or reject: <@U0RAVI> <!subteam^S0MANAGERS>`,
    blocks: [
      {
        type: 'section',
        block_id: `approval:${SEND_ID}`,
        text: mrkdwn('*🔔 SMS to 3 recipients: waits for approval*'),
      },
      { type: 'context', elements: [mrkdwn('What row 3, +91 ••••• •5671, will read:')] },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_quote',
            elements: [{ type: 'text', text: 'Hello Asha, we <open> at 8 & you are invited.' }],
          },
        ],
      },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'Other recipients', style: { bold: true } },
              { type: 'text', text: ':' },
            ],
          },
          recipient('Row 4, +91 ••••• •5672 – name: =HYPERLINK("x")'),
          recipient('Row 5, +65 •••• 4567 – name: Mei'),
        ],
      },
      {
        type: 'section',
        text: mrkdwn(
          [
            '*To:* 2 in India · 1 in Singapore',
            '*Cost:* INR 0.24, without SG (no price is set) · *Time to send:* less than a minute',
            `Asked for by <@U0ASHA> in <#C0TEAM>, ${MOMENT}. *Starts* as soon as it is approved.`,
          ].join('\n'),
        ),
      },
      { type: 'section', text: mrkdwn(`⚠️ ${LEFT_OUT}`) },
      {
        type: 'section',
        text: mrkdwn('*Approvals:* 0 of 1\nPlease approve or reject: <@U0RAVI> <!subteam^S0MANAGERS>'),
      },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: 'approval_approve',
            text: plain('Approve'),
            value: `${VALUE}.${LEFT_OUT}`,
            style: 'primary',
            confirm: {
              title: plain('Send to 3 recipients?'),
              text: plain('It starts at once. Hello {{name}}, we <open> at 8 & you are invited.'),
              confirm: plain('Approve 3'),
              deny: plain('Cancel'),
              style: 'primary',
            },
          },
          {
            type: 'button',
            action_id: 'approval_reject',
            text: plain('Reject'),
            value: VALUE,
            style: 'danger',
          },
          { type: 'button', action_id: 'approval_details', text: plain('Details'), value: VALUE },
          { type: 'button', action_id: 'approval_test', text: plain('Send a test to me'), value: VALUE },
          {
            type: 'button',
            action_id: 'approval_edit',
            text: plain('Edit'),
            value: VALUE,
            confirm: {
              title: plain('Take it back to change it?'),
              text: plain(
                'Only the person who asked can. Approvals given so far are void, and it has to be approved again.',
              ),
              confirm: plain('Edit'),
              deny: plain('Cancel'),
            },
          },
        ],
      },
      {
        type: 'context',
        elements: [
          mrkdwn(
            `Expires <!date^1767686400^{date_short_pretty} {time}|2026-01-06 08:00 UTC> · Reference ${SEND_ID} · \`/sends ${SEND_ID}\` shows its record`,
          ),
        ],
      },
    ],
  });
});

test('while quiet hours hold some of them, card and confirmation say who waits and until when', async () => {
  await prepare(store);
  const card = approvalCard(await facts({ quietHours: createQuietHours([INDIA]) }));
  expect(validateMessage(card)).toEqual([]);
  const held = 'Quiet hours hold 2 of 3 recipients until 17:00 (Asia/Kolkata): India.';
  expect(words(card)).toContain(`⚠️ ${held}\\n⚠️ ${LEFT_OUT}`);
  expect(words(card)).toContain('*Starts* as soon as it is approved and quiet hours let it.');
  expect(words(card)).toContain('1 go out at once; 2 wait until 17:00 (Asia/Kolkata). Hello {{name}}');
  expect(words(card)).toContain(`"value":"${VALUE}.${held} · ${LEFT_OUT}"`);
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
  expect(validateMessage(card)).toEqual([]);
  expect(card.blocks[2]).toEqual({
    type: 'image',
    image_url: 'https://acme.test/sale.png',
    alt_text: 'Image',
  });
  expect(JSON.stringify(card.blocks[3])).toContain(
    '{"type":"text","text":"[ Approve ]","style":{"code":true}}',
  );
  expect(buttonsOf(card).filter((id) => id === 'approval_approve')).toHaveLength(1);
  // The same text for everybody: who else gets it stands behind Details.
  expect(words(card)).not.toContain('Other recipients');
});

test('approvals so far are named, and a schedule shown', async () => {
  await prepare(store, { needed: 2, startAt: ASKED_AT + 3_600_000 });
  await store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  const card = approvalCard(await facts(), { missing: 'C0APPROVALS' });
  expect(validateMessage(card)).toEqual([]);
  expect(words(card)).toContain(`*Approvals:* 1 of 2 – <@U0RAVI>, ${MOMENT}`);
  expect(words(card)).toContain('*Starts* <!date^1767603600^');
  expect(words(card)).toContain(
    'It starts at the time shown; approved later, it waits until somebody resumes it.',
  );
  expect(words(card)).toContain('Herald could not post this in <#C0APPROVALS>');
  const approvers = ['S0MANAGERS', 'U0RAVI', 'U0MEI', 'U0ASHA'];
  expect(reminderCard(await found(store), await store.approvals(SEND_ID), approvers).text).toContain(
    '⏰ <!subteam^S0MANAGERS> <@U0MEI> SMS to 3 recipients still waits: 1 of 2 approvals. It expires <!date^1767686400^',
  );
});

test.each([
  ['rejected', 'was to read'],
  ['awaiting_approval', 'will read'],
] as const)('a card of what is %s says what a recipient %s', async (state, reads) => {
  await prepare(store);
  if (state === 'rejected') await move(store, 'rejected', { actor: 'U0RAVI' });
  expect(words(approvalCard(await facts()))).toContain(`What row 3, +91 ••••• •5671, ${reads}:`);
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
    expect(buttonsOf(card)).toEqual([]);
  });
});

test('what was stopped before enough people had approved does not look approved', async () => {
  await prepare(store);
  const known = await facts();
  const reason = { what: 'The database was restored.', next: 'Look.', scope: 'send' } as const;
  const card = approvalCard({ ...known, send: { ...known.send, state: 'stopped', reason } });
  expect(validateMessage(card)).toEqual([]);
  expect(card.text).toContain('⏹️ SMS to 3 recipients: stopped.');
  expect(card.blocks[1]).toEqual({
    type: 'section',
    text: mrkdwn('Stopped, with 0 of 1 approvals.\n*Reason:* The database was restored.'),
  });
  expect(buttonsOf(card)).toEqual([]);
});
