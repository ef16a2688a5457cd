import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';

const LONG_MS = 24 * 60 * 60_000;

test('a sleep ends at once when its signal aborts, and leaves nothing behind', async () => {
  const ending = new AbortController();
  const slept = systemClock.sleep(LONG_MS, ending.signal);
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1);
  ending.abort();
  await slept;
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
});

test('a sleep whose signal has aborted before does not begin', async () => {
  await systemClock.sleep(LONG_MS, AbortSignal.abort());
});

test('a sleep of no time ends by itself, and leaves its signal alone', async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(0, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
