import { beforeEach, expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { Failure } from '../../../../src/sends/outcome.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import type { AnswerSummary } from '../../../../src/sends/replies/ports.ts';
import type { Send } from '../../../../src/sends/send.ts';
import {
  barsOf,
  courseBlocks,
  endedCard,
  spanOf,
} from '../../../../src/slack/results/progress/ended-card.ts';
import { gatherEnded } from '../../../../src/slack/results/standing.ts';
import { NO_ANSWERS } from '../../../fakes/answers.ts';
import { ASKED_AT, DIGEST, finish, found, move, openStore, prepare, SEND_ID } from '../../bulk-sends.ts';
import { outlineOfCard } from '../../outline.ts';
import { sourcesOf } from '../sources.ts';

let store: SendStore;
beforeEach(() => {
  store = openStore();
});

const MINUTE = 60_000;
/** As Slack shows it to each reader in their own time. */
const at = (ms: number) =>
  `<!date^${ms / 1000}^{date_short_pretty} {time}|${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC>`;

/** The last message of a send as it stands now. */
async function cardOf(change: Partial<Send> = {}, answers?: AnswerSummary) {
  const given = { ...NO_ANSWERS, summary: async () => answers };
  const ended = await gatherEnded(await found(store), sourcesOf(store, { answers: given }));
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
  await expect(outlineOfCard(card)).toMatchFileSnapshot('golden/ended.txt');
});

test('the ways on stand in one row, and what a new send can take over behind three dots', async () => {
  await approved();
  await finish(store);
  const pressed = async (change: Partial<Send> = {}) => {
    const row = (await cardOf(change)).blocks.find(({ type }) => type === 'actions');
    return (row as { elements: { action_id: string }[] }).elements.map(({ action_id }) => action_id);
  };
  const { counts } = await found(store);
  const waysOn = ['send_retry_failed', 'send_retry_unknown', 'sends_report', 'more'];
  expect(await pressed()).toEqual(waysOn);
  const stopped = { state: 'stopped', counts: { ...counts, pending: 21 } } as const;
  expect(await pressed(stopped)).toEqual(['send_to_rest', ...waysOn]);
  // Until what is on its way has ended nobody knows whom it did not reach.
  expect(await pressed({ counts: { ...counts, attempting: 1, unknown: 0 } })).toEqual(['more']);
});

test('whoever is tried again by another send is offered there, and not here, unless it comes to nothing', async () => {
  await approved();
  await store.claim(SEND_ID, 1, ASKED_AT);
  const outcome = { state: 'rejected', failure: HELD } as const;
  await store.settle([{ sendId: SEND_ID, row: 3, outcome, settledAt: ASKED_AT }]);
  await move(store, 'stopped');
  const offered = async () => {
    const words = JSON.stringify((await cardOf()).blocks);
    const parts = ['Send to the remaining 2', 'Retry failed (1)', 'who were not tried: S-0000000002.'];
    return parts.map((part) => words.includes(part));
  };
  expect(await offered()).toEqual([true, true, false]);
  const retry = { retryOf: SEND_ID, retryGroup: 'untried' } as const;
  const { id } = await prepare(store, { id: 'S-0000000002', retry });
  expect(await offered()).toEqual([false, true, true]);
  await move(store, 'rejected', { id });
  expect(await offered()).toEqual([true, true, false]);
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
    ).slice(0, -1),
  );
  expect(words).toContain(`${at(ASKED_AT + MINUTE)}, 1 h · by`);
});

test('the headline follows the message once phones have reported, and says why it did not arrive', async () => {
  await approved();
  await finish(store);
  const failure = { what: 'The phone was off.', next: 'Try later.', scope: 'recipient' } as const;
  const answers = { tally: [], delivered: 2_950, read: 812, failed: 12, failures: [{ failure, count: 12 }] };
  const words = JSON.stringify((await cardOf({}, answers)).blocks);
  expect(words).toContain('1 of 3 accepted · 📬 2,950 delivered · 812 read · 📪 12 not delivered · 1 failed');
  expect(words).toContain('📪 12');
  expect(words).toContain('The phone was off.');
});

test.each([
  ['a send that nobody had to approve', {}, /no approval needed ·/],
  [
    'a page to a group',
    { approvalOver: 10_000 },
    /, a page to [\d,]+ on call\*.*no approval needed for a page/,
  ],
])('%s says so', async (_which, prepared, words) => {
  await prepare(store, { to: 'approved', ...prepared });
  await move(store, 'sending', { actor: 'herald' });
  await finish(store);
  expect(JSON.stringify((await cardOf()).blocks)).toMatch(words);
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

const NONE = { pending: 0, attempting: 0, accepted: 0, rejected: 0, not_sent: 0, unknown: 0, skipped: 0 };

async function lasting(ms: number, counts: object) {
  const send = { ...(await prepare(store)), state: 'done' as const, counts: { ...NONE, ...counts } };
  const event = (action: string, at: number) => ({ sendId: SEND_ID, actor: 'herald', action, at });
  return { send, events: [event('sending', 5_000), event('sending', 9_000), event('done', 5_000 + ms)] };
}

test.each([
  [59_999, { accepted: 5_000 }, undefined],
  [60_000, { accepted: 99, skipped: 900, pending: 400 }, undefined],
  [60_000, { accepted: 90, rejected: 5, not_sent: 3, unknown: 2 }, 5_000],
  [120_000, { accepted: 100 }, 10_000],
  [200_001, { accepted: 100 }, 15_000],
  [3_600_000, { accepted: 100 }, 300_000],
  [90 * 86_400_000, { accepted: 100 }, 388_800_000],
])('a send of %i ms with %o has bars of %s ms, or no chart', async (ms, counts, span) => {
  expect(spanOf(await lasting(ms, counts))).toBe(span);
  if (span !== undefined) expect(barsOf([], ms, span).length).toBeLessThanOrEqual(20);
});

test('bars hold every outcome once, pauses stay empty, and what came in after the end is in the last', () => {
  const bars = barsOf(
    [
      { span: 0, state: 'accepted', count: 5 },
      { span: 0, state: 'rejected', count: 1 },
      { span: 0, state: 'not_sent', count: 2 },
      { span: 2, state: 'unknown', count: 4 },
      { span: 9, state: 'accepted', count: 3 },
    ],
    50_000,
    10_000,
  );
  const none = { accepted: 0, unknown: 0, failed: 0 };
  expect(bars).toEqual([
    { accepted: 5, unknown: 0, failed: 3 },
    none,
    { accepted: 0, unknown: 4, failed: 0 },
    none,
    { accepted: 3, unknown: 0, failed: 0 },
  ]);
});

test('a chart shows the outcomes that somebody had, from the start in equal steps, within Slack’s limits', async () => {
  const bar = (accepted: number, failed: number) => ({ accepted, unknown: 0, failed });
  const one = await lasting(3_700_000, { accepted: 2_990, rejected: 10 });
  const course = [bar(2_990, 0), ...Array.from({ length: 11 }, () => bar(0, 0)), bar(0, 10)];
  const [chart, ...others] = courseBlocks({ ...one, send: { ...one.send, thread: { course } } });
  expect(others).toEqual([]);
  expect(validateMessage({ text: 'It is done.', blocks: [chart] })).toEqual([]);
  expect(chart).toMatchObject({
    type: 'data_visualization',
    chart: {
      type: 'bar',
      series: [{ name: 'Accepted' }, { name: 'Rejected, not sent' }],
      axis_config: { categories: expect.arrayContaining(['00:00:00', '00:05:00', '01:00:00']) },
    },
  });
  expect(courseBlocks(one)).toEqual([]);
  // A clock that was put back has left no outcome after the start, and Slack takes no chart without a bar.
  const empty = course.map(() => bar(0, 0));
  expect(courseBlocks({ ...one, send: { ...one.send, thread: { course: empty } } })).toEqual([]);
});
