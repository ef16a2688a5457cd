import { expect, test } from 'vitest';
import { lastDays } from '../../../src/slack/home/facts.ts';

const HOUR = 3_600_000;

test('the last days are those of the person’s own zone', () => {
  // 20:00 UTC on the 5th is already the 6th in Kolkata.
  const days = lastDays(2, Date.UTC(2026, 0, 5, 20), 'Asia/Kolkata');
  expect(days).toEqual([
    { from: Date.UTC(2026, 0, 4, 18, 30), to: Date.UTC(2026, 0, 5, 18, 30), label: ' 5 Jan' },
    { from: Date.UTC(2026, 0, 5, 18, 30), to: Date.UTC(2026, 0, 6, 18, 30), label: ' 6 Jan' },
  ]);
});

test.each([
  ['spring', Date.UTC(2026, 2, 30, 10), [24, 23, 24]],
  ['autumn', Date.UTC(2026, 9, 26, 10), [24, 25, 24]],
])('days on which clocks change in %s have the hours they have', (_season, now, hours) => {
  const days = lastDays(3, now, 'Europe/Berlin');
  expect(days.map(({ from, to }) => (to - from) / HOUR)).toEqual(hours);
  expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
});

test('today goes on until its end', () => {
  const now = Date.UTC(2026, 0, 5, 12);
  const [today] = lastDays(1, now, 'UTC');
  expect(today).toEqual({ from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6), label: ' 5 Jan' });
});
