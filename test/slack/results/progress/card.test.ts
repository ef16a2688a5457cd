import { beforeEach, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { SmsMessage } from '../../../../src/messages/kinds/sms.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import type { RecipientCounts, Send } from '../../../../src/sends/send.ts';
import { duration } from '../../../../src/slack/kit/cards/words.ts';
import {
  causeBlocks,
  heldCard,
  progressCard,
  unknownCard,
} from '../../../../src/slack/results/progress/card.ts';
import { reportFile } from '../../../../src/slack/results/progress/report.ts';
import { ASKED_AT, finish, found, move, openStore, prepare, progressOf, SEND_ID } from '../../bulk-sends.ts';

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
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

const buttonsOf = (card: { blocks: unknown[] }) =>
  (card.blocks as { type: string; elements?: { action_id: string }[] }[])
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => elements?.map(({ action_id }) => action_id));

test('a send on its way is told whole', async () => {
  const send = await sending();
  const card = progressCard({ send, perSecond: 80.4, remainingMs: 262_500 }, undefined, 'C0TEAM');
  expect(validateMessage(card)).toEqual([]);
  expect(card).toEqual({
    text: `▶️ SMS to 40,000 recipients: sending, 18,900 of 40,000. Reference ${SEND_ID}.`,
    blocks: [
      {
        type: 'section',
        block_id: `progress:${SEND_ID}`,
        text: mrkdwn(
          '▶️ *SMS to 40,000 recipients*: sending\nHello {{name}}, we &lt;open&gt; at 8 &amp; you are invited.',
        ),
      },
      { type: 'section', text: mrkdwn('█████████░░░░░░░░░░░  47 % · 18,900 of 40,000') },
      {
        type: 'section',
        text: mrkdwn(
          [
            '✅ *18,000* accepted by the service',
            '⛔ *700* rejected, nothing was sent',
            '❓ *200* may have been sent',
            '➖ *12* left out',
            '📤 *100* on the way',
            '⏳ *21,000* not tried yet',
          ].join('\n'),
        ),
      },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'send_pause', text: plain('Pause'), value: SEND_ID },
          {
            type: 'button',
            action_id: 'send_stop',
            text: plain('Stop'),
            value: SEND_ID,
            style: 'danger',
            confirm: {
              title: plain('Stop this send for good?'),
              text: plain(
                '21,000 recipients not tried yet will get nothing. What is on its way arrives. This cannot be undone.',
              ),
              confirm: plain('Stop'),
              deny: plain('Cancel'),
              style: 'danger',
            },
          },
        ],
      },
      {
        type: 'context',
        elements: [mrkdwn(`80 a second · 4 min left · By <@U0ASHA> · Reference ${SEND_ID}`)],
      },
      {
        type: 'context',
        elements: [
          mrkdwn(
            'Herald could not post this in <#C0TEAM>, where it was asked for. To see it there, invite Herald to it.',
          ),
        ],
      },
    ],
  });
});

test('every state is a message that Slack takes, with the buttons that fit it', async () => {
  const send = await sending();
  const reason = { what: 'Every one of the first failed.', next: 'Look at <why>.', scope: 'send' } as const;
  const shown = (state: Send['state'], counts = COUNTS) => {
    const card = progressCard({ send: { ...send, state, reason, counts }, perSecond: 3 }, undefined);
    expect(validateMessage(card)).toEqual([]);
    return { buttons: buttonsOf(card), words: JSON.stringify(card.blocks) };
  };
  expect(shown('paused').buttons).toEqual(['send_resume', 'send_stop']);
  expect(shown('paused').words).toContain(
    'Every one of the first failed. Look at &lt;why&gt;.\\n*Resume* goes on with those who were not tried yet',
  );
  expect(shown('paused').words).not.toContain('a second');
  // Until what is on its way has ended nobody knows whom it did not reach.
  const more = ['send_like_this', 'send_to_audience'];
  expect(shown('stopped').buttons).toEqual(more);
  const ended = { ...COUNTS, attempting: 0 };
  expect(shown('stopped', ended).buttons).toEqual(['send_to_rest', 'send_retry_failed', ...more]);
  expect(shown('stopped', ended).words).toContain('Send to the remaining 21,000');
  expect(shown('done', { ...ended, pending: 0 }).buttons).toEqual(['send_retry_failed', ...more]);
  expect(shown('done', { ...ended, pending: 0, rejected: 0 }).buttons).toEqual(more);
  expect(shown('scheduled').buttons).toEqual(['send_cancel']);
  expect(shown('cancelled').buttons).toEqual([]);
});

test('the bar is full only when nothing is left, and begun with the first', async () => {
  const send = await sending();
  const barAt = (accepted: number, pending: number) => {
    const counts = { ...COUNTS, rejected: 0, unknown: 0, attempting: 0, skipped: 0, accepted, pending };
    const { blocks } = progressCard({ send: { ...send, counts }, perSecond: 0 }, undefined);
    return (blocks[1] as { text: { text: string } }).text.text;
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
  const card = progressCard({ ...progress, send: sending }, undefined);
  const question = unknownCard(progress.send);
  if (question === undefined) throw new Error('Nothing is asked.');
  expect([validateMessage(card), validateMessage(question)]).toEqual([[], []]);
  // Who was left out before the start stands on the approval card.
  expect(card.blocks.slice(3, 6).map((block) => (block as { text: { text: string } }).text.text)).toEqual([
    '*Who got nothing, or may have, by cause*',
    '⛔ *1* rejected, nothing was sent (code 131009). The service refused a parameter. Check the values.',
    '❓ *1* may have been sent. The connection broke off. Ask the recipient.',
  ]);
  expect(question.text).toBe(
    '❓ 1 recipient may or may not have received this. Herald does not send to them again by itself; those of whom a delivery report tells are no longer among them.',
  );
  expect(JSON.stringify(question.blocks)).toContain('this may reach people twice');
  const clean = { ...progress.send, counts: { ...progress.send.counts, unknown: 0 } };
  expect([causeBlocks([], 3), unknownCard(clean)]).toEqual([[], undefined]);
});

test('the service’s own words stand in the causes and where it stopped a send, as letters only', async () => {
  await prepare(store, { to: 'approved' });
  const explanation = 'Param *1* is <!here> `odd`';
  const failure = { what: 'It was refused.', explanation, next: 'Look.', scope: 'recipient' } as const;
  const progress = await progressOf(store);
  const causes = causeBlocks([{ state: 'rejected', failure, count: 2 }], 3);
  const said = 'It was refused. The service says: `Param *1* is &lt;!here&gt; ’odd’`. Look.';
  expect(causes.at(-1)).toMatchObject({
    text: { text: `⛔ *2* rejected, nothing was sent. ${said}` },
  });
  const stopped = { ...progress.send, state: 'stopped', reason: failure } as const;
  expect(JSON.stringify(progressCard({ ...progress, send: stopped }, undefined))).toContain(said);
});

test('of many causes the most frequent are shown, and all that can be said of them fits into one message', async () => {
  const send = await sending();
  const failures = Array.from({ length: 12 }, (_, at) => ({
    state: 'rejected' as const,
    failure: {
      what: `${at} ${'&'.repeat(300)}`,
      explanation: '&'.repeat(300),
      next: '&'.repeat(400),
      scope: 'recipient' as const,
    },
    count: 1,
  }));
  const card = progressCard({ send, perSecond: 1, failures }, undefined);
  expect(validateMessage(card)).toEqual([]);
  expect(JSON.stringify(card.blocks)).toContain('… and 9 more causes.');
});

test('the report has every recipient, whole numbers, and nothing that a spreadsheet would run', async () => {
  await prepare(store, { to: 'approved' });
  await move(store, 'sending', { actor: 'herald' });
  await store.claim(SEND_ID, 10, ASKED_AT);
  const failure = {
    code: '=1+1',
    what: '=cmd, "quoted"',
    explanation: '@sum, "odd"',
    next: 'x',
    scope: 'recipient',
  } as const;
  await store.settle([
    {
      sendId: SEND_ID,
      row: 3,
      outcome: { state: 'accepted', status: 200, messageId: '@m' },
      settledAt: ASKED_AT,
    },
    { sendId: SEND_ID, row: 4, outcome: { state: 'rejected', failure }, settledAt: ASKED_AT },
  ]);
  const unreachable = {
    code: '131009',
    what: 'x',
    explanation: '-gone',
    next: 'y',
    scope: 'recipient',
  } as const;
  const answers = {
    deliveries: async () => [
      { row: 3, status: 'read' as const, at: ASKED_AT },
      { row: 5, status: 'failed' as const, at: ASKED_AT, failure: unreachable },
    ],
  };
  const file = reportFile(await found(store), store, answers);
  const read = async () => (await Array.fromAsync(file.content())).join('');
  expect(await read()).toBe(
    [
      '\uFEFFHerald number,name,Herald row,Herald state,Herald code,Herald cause,Herald next step,Herald message id,Herald time,Herald delivery,Herald delivery code,Herald delivery time,Herald explanation,Herald delivery explanation',
      '+91 9812345670,Gone,2,skipped,,This number has opted out since. Left out. Nothing was sent.,There is nothing to do.,,,,,,,',
      "+91 9812345671,Asha,3,accepted,,It was accepted by the service.,,'@m,2026-01-05T08:00:00.000Z,read,,2026-01-05T08:00:00.000Z,,",
      `+91 9812345672,"'=HYPERLINK(""x"")",4,rejected,'=1+1,"'=cmd, ""quoted"" Nothing was sent.",x,,2026-01-05T08:00:00.000Z,,,,"'@sum, ""odd""",`,
      "+65 91234567,Mei,5,attempting,,It is on its way. x,y,,2026-01-05T08:00:00.000Z,failed,131009,2026-01-05T08:00:00.000Z,,'-gone",
      '',
    ].join('\r\n'),
  );
});

test('a report is named after the campaign, the template or the kind, and the day', async () => {
  const { campaignName: _none, ...plain } = (await prepare(store)).message as SmsMessage;
  const named = (send: Send) => reportFile(send, store, { deliveries: async () => [] }).name;
  const send = await found(store);
  const withCampaign = (campaignName: string) => ({ ...send, message: { ...plain, campaignName } });
  expect(named(withCampaign('Diwali / “offers” 2026'))).toBe(`Diwali-offers-2026-2026-01-05-${SEND_ID}.csv`);
  expect(named(withCampaign('दीवाली 🪔'))).toBe(`दीवाली-2026-01-05-${SEND_ID}.csv`);
  expect(named(withCampaign('../..'))).toBe(`SMS-2026-01-05-${SEND_ID}.csv`);
  expect(named({ ...send, message: plain })).toBe(`SMS-2026-01-05-${SEND_ID}.csv`);
  expect(named({ ...withCampaign('x'.repeat(300)), activeAt: ASKED_AT + 86_400_000 })).toBe(
    `${'x'.repeat(60)}-2026-01-06-${SEND_ID}.csv`,
  );
  const order = { kind: 'chatapp', templateName: 'order_update' } as Send['message'];
  expect(named({ ...send, kind: 'chatapp', message: order })).toBe(`order-update-2026-01-05-${SEND_ID}.csv`);
});

test.each([
  [10_000, 'less than a minute'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
  [7_500_000, '2 h 5 min'],
])('%i ms are %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test('what is left is told in one approximation, not in two', async () => {
  const send = await sending();
  const card = progressCard({ send, perSecond: 80, remainingMs: 10_000 }, undefined);
  expect(JSON.stringify(card.blocks.at(-1))).toContain('80 a second · less than a minute left · By');
});

test('a restart in the middle says how many are left, and that nobody need do anything', async () => {
  const send = await sending();
  const card = progressCard({ send, perSecond: 80.4, remainingMs: 262_500, restarting: true }, undefined);
  expect(validateMessage(card)).toEqual([]);
  expect(card.blocks[3]).toEqual({
    type: 'section',
    text: mrkdwn(
      '🔄 Herald is being restarted: *21,100* left. It goes on by itself as soon as Herald runs again. If that takes long, it asks before it goes on.',
    ),
  });
  expect(card.blocks.at(-1)).toEqual({
    type: 'context',
    elements: [mrkdwn(`By <@U0ASHA> · Reference ${SEND_ID}`)],
  });
});

test('what quiet hours hold asks what to do with the rest', async () => {
  const send = await sending();
  const reason = { what: 'It is night.', next: 'It goes on at 10:00.', scope: 'send' } as const;
  const card = heldCard({ ...send, state: 'paused', reason, resumeAt: ASKED_AT });
  const sentence = `It is night. What should happen to the remaining 21,000 recipients of ${SEND_ID}?`;
  expect(card && validateMessage(card)).toEqual([]);
  expect(card?.text).toBe(`${sentence} It goes on at 10:00.`);
  expect(card?.blocks.slice(0, 2)).toEqual([
    { type: 'section', block_id: `held:${SEND_ID}`, text: mrkdwn(`⏸️ <@U0ASHA> ${sentence}`) },
    {
      type: 'section',
      text: mrkdwn(
        'If nobody chooses, it goes on by itself <!date^1767600000^{date_short_pretty} {time}|2026-01-05 08:00 UTC>.',
      ),
    },
  ]);
  expect(card && buttonsOf(card)).toEqual(['send_wait', 'send_stop']);
  expect(heldCard({ ...send, state: 'paused', reason })).toBeUndefined();
});

test('a database that takes no writes is said to be what holds it up', async () => {
  const send = await sending();
  const progress = { send, perSecond: 0, stalled: true };
  const card = progressCard(progress, undefined);
  expect(validateMessage(card)).toEqual([]);
  expect(card.blocks[3]).toEqual({
    type: 'section',
    text: mrkdwn(
      '⚠️ Herald cannot write to its database, so it sends to nobody until it can. ' +
        'Tell whoever runs Herald to look at the database and its disk; it goes on by itself then.',
    ),
  });
});
