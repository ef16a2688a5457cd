import { describe, expect, it } from 'vitest';
import { createRetries, createRetryBudget, retryDelayMs } from '../../../src/sends/dispatch/retries.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { createManualClock } from '../../fakes/clock.ts';

const failure = { what: 'No.', next: 'Look.', scope: 'recipient' } as const;
const notSent = (retry: Extract<Outcome, { state: 'not_sent' }>['retry']): Outcome => ({
  state: 'not_sent',
  failure,
  retry,
});
const AGAIN = notSent({ kind: 'backoff' });

describe('the wait before another try', () => {
  it('doubles from half a second to eight seconds, with jitter, three times', () => {
    expect([0, 1, 2, 3].map((done) => retryDelayMs(AGAIN, done, 'single', 1))).toEqual([
      500,
      1_000,
      2_000,
      undefined,
    ]);
    expect(retryDelayMs(AGAIN, 2, 'single', 0.25)).toBe(500);
  });

  it('is as long as the service says, if that is not too long', () => {
    for (const [whom, longest] of [['single', 30_000] as const, ['bulk', 3_600_000] as const]) {
      const waited = [longest, longest + 1].map((delayMs) => notSent({ kind: 'after', delayMs }));
      expect(waited.map((after) => retryDelayMs(after, 0, whom, 1))).toEqual([longest, undefined]);
    }
  });

  it('does not end for what must not be tried again, or may have been sent', () => {
    expect(retryDelayMs(notSent({ kind: 'never' }), 0, 'bulk', 1)).toBeUndefined();
    for (const state of ['unknown', 'rejected'] as const)
      expect(retryDelayMs({ state, failure }, 0, 'bulk', 1)).toBeUndefined();
    expect(retryDelayMs({ state: 'accepted', status: 200 }, 0, 'bulk', 1)).toBeUndefined();
  });
});

it('a budget has twenty tries, earns one with ten requests, and never has more', () => {
  const budget = createRetryBudget();
  const spent = () => {
    let count = 0;
    while (count < 99 && budget.spend()) count += 1;
    return count;
  };
  for (let n = 0; n < 100; n += 1) budget.earn();
  expect(spent()).toBe(20);
  for (let n = 0; n < 9; n += 1) budget.earn();
  expect(spent()).toBe(0);
  budget.earn();
  expect(spent()).toBe(1);
});

describe('who waits for another try', () => {
  it('is due in turn, taken once, and counted', async () => {
    const clock = createManualClock();
    const retries = createRetries(clock, new AbortController().signal);
    const now = clock.monotonic();
    expect([retries.countDue(), retries.takeDue(9), retries.doneOf(1)]).toEqual([0, [], 0]);
    retries.add(1, now + 100);
    retries.add(2, now + 50);
    retries.add(3, now + 100);
    expect([retries.size, retries.has(1), retries.has(4)]).toEqual([3, true, false]);
    let due = 0;
    const nextDue = () =>
      void retries.nextDue().then(() => {
        due += 1;
      });
    nextDue();
    await clock.advance(49);
    expect([due, retries.countDue()]).toEqual([0, 0]);
    await clock.advance(1);
    expect([due, retries.countDue(), retries.takeDue(9)]).toEqual([1, 1, [2]]);
    await clock.advance(60);
    expect(retries.countDue()).toBe(2);
    nextDue();
    await clock.advance(0);
    expect([due, retries.takeDue(1), retries.takeDue(9), retries.size]).toEqual([2, [1], [3], 0]);
    retries.add(1, now);
    expect([retries.doneOf(1), retries.doneOf(2), retries.has(2)]).toEqual([2, 1, false]);
  });

  it('is nobody’s wait when there is none', async () => {
    const clock = createManualClock();
    let ended = false;
    void createRetries(clock, new AbortController().signal)
      .nextDue()
      .then(() => {
        ended = true;
      });
    await clock.advance(3_600_000);
    expect([ended, clock.sleeping]).toEqual([false, 0]);
  });
});
