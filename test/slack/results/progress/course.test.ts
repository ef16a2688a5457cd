import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import type { SendState } from '../../../../src/sends/send.ts';
import { altText, type Bar, barsOf, legend, spanOf } from '../../../../src/slack/results/progress/course.ts';
import { draw } from '../../../../src/slack/results/progress/picture.ts';
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
  [60_000, { accepted: 90, rejected: 5, not_sent: 3, unknown: 2 }, 2_000],
  [120_000, { accepted: 100 }, 2_000],
  [120_001, { accepted: 100 }, 5_000],
  [3_600_000, { accepted: 100 }, 60_000],
  [90 * 86_400_000, { accepted: 100 }, 129_600_000],
])('a send of %i ms with %o has bars of %s ms, or no picture', async (ms, counts, span) => {
  expect(spanOf(await ended(ms, counts))).toBe(span);
  if (span !== undefined) expect(barsOf([], ms, span).length).toBeLessThanOrEqual(60);
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

test('words say what is drawn, and name no outcome in the legend that nobody had', async () => {
  const one = await ended(420_000, { accepted: 2_990, rejected: 10, not_sent: 2 });
  expect(legend(one, 10_000, 512)).toBe(
    'A bar is 10 s, the highest 512 recipients · green: accepted · red: rejected or not sent',
  );
  expect(altText(one, 120_000, 512)).toBe(
    'Recipients by outcome over 7 min, a bar for each 2 min: 2,990 accepted, 0 that may have been sent, 12 rejected or not sent. At most 512 in one bar.',
  );
});

/** The colours of a picture from the ground up, in the middle of the place of a bar, each once. */
function coloursOf(bars: readonly Bar[], index: number): string[] {
  const { width, height, data, channels } = decode(draw(bars));
  expect(channels).toBe(3);
  const at = Math.round(12 + ((width - 24) / bars.length) * (index + 0.5));
  const column = Array.from({ length: height }, (_, up) => {
    const from = ((height - 1 - up) * width + at) * 3;
    return data.subarray(from, from + 3).join(' ');
  });
  return [...new Set(column)];
}

const [WHITE, GREY, DARK] = ['255 255 255', '226 228 232', '120 124 132'];
const [GREEN, YELLOW, RED] = ['46 182 125', '236 178 46', '224 30 90'];

test('a picture shows each outcome in its colour, one in a thousand as well, and a pause as a gap', () => {
  const bars = [
    { accepted: 100_000, unknown: 1, failed: 1 },
    { accepted: 0, unknown: 0, failed: 0 },
    { accepted: 0, unknown: 0, failed: 50_000 },
  ];
  expect(coloursOf(bars, 0)).toEqual([WHITE, DARK, GREEN, YELLOW, RED]);
  expect(coloursOf(bars, 1)).toEqual([WHITE, DARK, GREY]);
  expect(coloursOf(bars, 2)).toEqual([WHITE, DARK, RED, GREY]);
});

test('a picture of sixty bars is small', () => {
  const bars = Array.from({ length: 60 }, (_, n) => ({ accepted: n * 7, unknown: n % 3, failed: n % 5 }));
  expect(draw(bars).length).toBeLessThan(40_000);
});
