import { beforeEach, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import type { AnswerSummary } from '../../../../src/sends/replies/ports.ts';
import type { Send } from '../../../../src/sends/send.ts';
import { endedCard } from '../../../../src/slack/results/progress/ended-card.ts';
import { gatherEnded } from '../../../../src/slack/results/progress/ended-send.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { ASKED_AT, DIGEST, finish, found, move, openStore, prepare, SEND_ID } from '../../bulk-sends.ts';

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

const MINUTE = 60_000;
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
/** As Slack shows it to each reader in their own time. */
const at = (ms: number) =>
  `<!date^${ms / 1000}^{date_short_pretty} {time}|${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC>`;

/** The last message of a send as it stands now. */
async function cardOf(change: Partial<Send> = {}, answers?: AnswerSummary) {
  const sources = {
    store,
    answers: { summary: async () => answers },
    catalogue: { find: async () => undefined, search: async () => [] },
    logger: createRecordingLogger(),
  };
  const ended = await gatherEnded(await found(store), sources);
  const card = endedCard({ ...ended, send: { ...ended.send, ...change } });
  expect(validateMessage(card)).toEqual([]);
  return card;
}

async function approved(): Promise<void> {
  await prepare(store);
  await store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT + 30_000 });
  await move(store, 'sending', { actor: 'herald' });
}

test('tells when, by whom, what, how many, and what to do about each cause', async () => {
  await approved();
  await finish(store);
  const card = await cardOf();
  expect(card.text).toBe(`🏁 SMS to 3 recipients: done, 3 of 3. Reference ${SEND_ID}.`);
  expect(card.blocks.filter(({ type }) => type !== 'actions')).toEqual([
    { ...section('🏁 *SMS to 3 recipients*: done'), block_id: `progress:${SEND_ID}` },
    section(
      '✅ *1* accepted by the service\n⛔ *1* rejected, nothing was sent\n❓ *1* may have been sent\n➖ *1* left out',
    ),
    {
      type: 'section',
      fields: [
        mrkdwn(`*Started*\n${at(ASKED_AT + MINUTE)}`),
        mrkdwn(`*Ended*\n${at(ASKED_AT + 62_000)}, after less than a minute`),
        mrkdwn('*Asked for by*\n<@U0ASHA>'),
        mrkdwn('*Approved by*\n<@U0RAVI>'),
      ],
    },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_quote',
          elements: [{ type: 'text', text: 'Hello {{name}}, we <open> at 8 & you are invited.' }],
        },
      ],
    },
    section('*Who got nothing, or may have, by cause*'),
    section(
      '⛔ *1* rejected, nothing was sent (code 131009). The service refused a parameter. Check the values.',
    ),
    section('➖ *1* left out. This number has opted out since. There is nothing to do.'),
    section('❓ *1* may have been sent. The connection broke off. Ask the recipient.'),
    {
      type: 'context',
      elements: [mrkdwn(`Reference ${SEND_ID} · \`/sends ${SEND_ID}\` shows all of it`)],
    },
  ]);
});

const HELD: Failure = { what: 'The first <all> failed.', next: 'Look why.', scope: 'send' };

test('says who paused, resumed and stopped it, and why; the time is from its first start to its end', async () => {
  await approved();
  await move(store, 'paused', { actor: 'herald', at: ASKED_AT + 2 * MINUTE, reason: HELD });
  await move(store, 'sending', { at: ASKED_AT + 30 * MINUTE });
  await move(store, 'paused', { actor: 'U0MEI', at: ASKED_AT + 31 * MINUTE });
  await move(store, 'stopped', { at: ASKED_AT + 61 * MINUTE });
  const words = JSON.stringify((await cardOf()).blocks);
  expect(words).toContain(
    JSON.stringify(
      [
        `⏸️ Paused by Herald itself, ${at(ASKED_AT + 2 * MINUTE)}. The first &lt;all&gt; failed. Look why.`,
        `▶️ Resumed by <@U0RAVI>, ${at(ASKED_AT + 30 * MINUTE)}.`,
        `⏸️ Paused by <@U0MEI>, ${at(ASKED_AT + 31 * MINUTE)}.`,
        `⏹️ Stopped by <@U0RAVI>, ${at(ASKED_AT + 61 * MINUTE)}.`,
        'Those who were not tried yet get nothing from this send.',
      ].join('\n'),
    ),
  );
  expect(words).toContain(`*Started*\\n${at(ASKED_AT + MINUTE)}`);
  expect(words).toContain(`*Ended*\\n${at(ASKED_AT + 61 * MINUTE)}, after 1 h`);
});

test('what phones report stands before what the service accepted, once it has reported', async () => {
  await approved();
  await finish(store);
  const answers = { tally: [], delivered: 2_950, read: 812, failed: 12, failures: [] };
  const [, first, second] = (await cardOf({}, answers)).blocks;
  expect(first).toMatchObject(
    section('📬 *2,950* delivered (812 read) · 📪 *12* not delivered, as the service reports'),
  );
  expect(JSON.stringify(second)).toContain('accepted by the service');
});

test('a send that nobody had to approve says so', async () => {
  await prepare(store, { to: 'approved' });
  await move(store, 'sending', { actor: 'herald' });
  await finish(store);
  expect(JSON.stringify((await cardOf()).blocks)).toContain('*Approved by*\\nnobody: it needed no approval');
});

test('a page to a group says that it was one', async () => {
  await prepare(store, { to: 'approved', approvalOver: 10_000 });
  await move(store, 'sending', { actor: 'herald' });
  await finish(store);
  const words = JSON.stringify((await cardOf()).blocks);
  expect(words).toMatch(/, a page to [\d,]+ on call\*/);
  expect(words).toContain('*Approved by*\\nnobody: a page needed no approval');
});

test('everything at its longest is still a message that Slack takes', async () => {
  await approved();
  for (const minute of Array.from({ length: 10 }, (_, index) => index)) {
    const reason = { what: '&'.repeat(2_000), next: '&'.repeat(2_000), scope: 'send' } as const;
    await move(store, 'paused', { at: ASKED_AT + (2 + 2 * minute) * MINUTE, reason });
    await move(store, 'sending', { at: ASKED_AT + (3 + 2 * minute) * MINUTE });
  }
  const rows = [3, 4, 5].map((row) => ({
    sendId: SEND_ID,
    row,
    settledAt: ASKED_AT + 30 * MINUTE,
    outcome: {
      state: 'rejected' as const,
      failure: { ...HELD, what: `${row}${'&'.repeat(2_000)}`, explanation: '<'.repeat(300) },
    },
  }));
  await store.claim(SEND_ID, 10, ASKED_AT + 29 * MINUTE);
  await store.settle(rows);
  const { message } = await found(store);
  const words = JSON.stringify(
    (await cardOf({ message: { ...message, text: '🧑‍🚀'.repeat(400) } as Send['message'] })).blocks,
  );
  expect(words).toContain('… it was held up before, too.');
  expect(words).toContain('🧑‍🚀…');
});
