import { expect, test } from 'vitest';
import { validateMessage } from '../../../../sandbox/slack/block-kit/index.ts';
import type { SendState } from '../../../../src/sends/send.ts';
import { barsOf, courseBlocks, spanOf } from '../../../../src/slack/results/progress/ended-card.ts';
import { found, openStore, prepare, SEND_ID } from '../../bulk-sends.ts';

const NONE = { pending: 0, attempting: 0, accepted: 0, rejected: 0, not_sent: 0, unknown: 0, skipped: 0 };

async function ended(ms: number, counts: object, state: SendState = 'done') {
  const store = openStore();
  await prepare(store);
  const send = { ...(await found(store)), state, counts: { ...NONE, ...counts } };
  const event = (action: string, at: number) => ({ sendId: SEND_ID, actor: 'herald', action, at });
  return { send, events: [event('sending', 5_000), event('sending', 9_000), event(state, 5_000 + ms)] };
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
  expect(spanOf(await ended(ms, counts))).toBe(span);
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
  const one = await ended(3_700_000, { accepted: 2_990, rejected: 10 });
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
