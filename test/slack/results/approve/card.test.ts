import { beforeEach, describe, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import { approvalCard } from '../../../../src/slack/results/approve/card.ts';
import { gatherFacts } from '../../../../src/slack/results/approve/facts.ts';
import { reminderCard } from '../../../../src/slack/results/approve/reminder.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { ASKED_AT, AUDIENCE, DIGEST, found, move, openStore, prepare, SEND_ID } from '../../bulk-sends.ts';

const PRICES = { currency: 'INR', sms: { IN: 0.12 } };

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

async function facts() {
  const gathered = await gatherFacts(SEND_ID, {
    store,
    audiences: { find: async () => AUDIENCE },
    catalogue: { find: async () => undefined, search: async () => [] },
    prices: PRICES,
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

test('what waits for approval is told whole', async () => {
  await prepare(store);
  const card = approvalCard(await facts());
  expect(validateMessage(card)).toEqual([]);
  expect(card).toEqual({
    text: `🔔 SMS to 3 recipients: waits for approval. Asked for by <@U0ASHA> in <#C0TEAM>, ${MOMENT}. Reference ${SEND_ID}.`,
    blocks: [
      {
        type: 'section',
        block_id: `approval:${SEND_ID}`,
        text: mrkdwn(
          `*🔔 SMS to 3 recipients: waits for approval*\nAsked for by <@U0ASHA> in <#C0TEAM>, ${MOMENT}.`,
        ),
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
        type: 'section',
        fields: [
          mrkdwn('*Recipients*\n3'),
          mrkdwn('*List*\nNewsletter'),
          mrkdwn('*Left out*\n2 duplicates\n2 opted out\n1 invalid\n1: This number has opted out since.'),
          mrkdwn('*Sender*\nACMEIN'),
          mrkdwn('*Type*\nPROMO'),
          mrkdwn('*Campaign*\nSpring'),
          mrkdwn('*SMS parts*\n1 a recipient, 3 in all'),
          mrkdwn('*Cost*\nINR 0.24, without SG (no price is set)'),
          mrkdwn('*Start*\nAs soon as it is approved'),
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
      { type: 'section', text: mrkdwn('*Approvals:* 0 of 1') },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: 'approval_approve',
            text: plain('Approve'),
            value: VALUE,
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
          { type: 'button', action_id: 'approval_test', text: plain('Send a test to me'), value: VALUE },
          { type: 'button', action_id: 'approval_recipients', text: plain('View recipients'), value: VALUE },
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

test('approvals so far are named, and a schedule shown', async () => {
  await prepare(store, { needed: 2, startAt: ASKED_AT + 3_600_000 });
  await store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT });
  const card = approvalCard(await facts(), { missing: 'C0APPROVALS' });
  expect(validateMessage(card)).toEqual([]);
  expect(words(card)).toContain(`*Approvals:* 1 of 2 – <@U0RAVI>, ${MOMENT}`);
  expect(words(card)).toContain('*Start*\\n<!date^1767603600^');
  expect(words(card)).toContain('It starts once 2 people have approved.');
  expect(words(card)).toContain('Herald could not post this in <#C0APPROVALS>');
  const approvers = ['S0MANAGERS', 'U0RAVI', 'U0MEI', 'U0ASHA'];
  expect(reminderCard(await found(store), await store.approvals(SEND_ID), approvers).text).toContain(
    '⏰ <!subteam^S0MANAGERS> <@U0MEI> SMS to 3 recipients still waits: 1 of 2 approvals. It expires <!date^1767686400^',
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
