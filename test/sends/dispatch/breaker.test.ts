import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../../src/sends/dispatch/breaker.ts';
import { createManualClock } from '../../fakes/clock.ts';

const never = new AbortController().signal;
const random = { fraction: () => 1, bytes: (length: number) => new Uint8Array(length) };

function opened() {
  const clock = createManualClock();
  const breaker = createBreaker(clock, random);
  for (let n = 0; n < 5; n += 1) breaker.failed();
  return { clock, breaker };
}

/** What `admit` says by the time the clock has moved on by `ms`; undefined while it waits. */
async function admittedWithin({ clock, breaker }: ReturnType<typeof opened>, ms: number) {
  const stop = new AbortController();
  let admitted: number | undefined;
  void breaker.admit(100, stop.signal).then((count) => {
    admitted = count;
  });
  await clock.advance(ms);
  const answer = admitted;
  stop.abort();
  await clock.advance(0);
  return answer;
}

describe('the breaker', () => {
  it('lets everything pass until five failures in a row', async () => {
    const clock = createManualClock();
    const breaker = createBreaker(clock, random);
    for (let n = 0; n < 4; n += 1) breaker.failed();
    breaker.succeeded();
    for (let n = 0; n < 4; n += 1) breaker.failed();
    expect(await breaker.admit(100, never)).toBe(100);
    expect(breaker.openSince()).toBeUndefined();
    breaker.failed();
    expect(breaker.openSince()).toBe(clock.now());
  });

  it('admits one probe when its time has come, and nothing besides', async () => {
    const both = opened();
    expect(await admittedWithin(both, 4_999)).toBeUndefined();
    expect(await admittedWithin(both, 1)).toBe(1);
    expect(await admittedWithin(both, 60_000)).toBeUndefined();
  });

  it('closes when the probe succeeds', async () => {
    const both = opened();
    expect(await admittedWithin(both, 5_000)).toBe(1);
    both.breaker.succeeded();
    expect(await admittedWithin(both, 0)).toBe(100);
    expect(both.breaker.openSince()).toBeUndefined();
  });

  it('waits longer after each failed probe, up to a cap', async () => {
    const both = opened();
    await admittedWithin(both, 5_000);
    both.breaker.failed();
    expect(await admittedWithin(both, 7_499)).toBeUndefined();
    expect(await admittedWithin(both, 1)).toBe(1);
    for (let n = 0; n < 10; n += 1) {
      both.breaker.failed();
      expect(await admittedWithin(both, 32_500)).toBe(1);
    }
  });

  it('probes again when the probe found nothing to send', async () => {
    const both = opened();
    await admittedWithin(both, 5_000);
    both.breaker.cancelled();
    expect(await admittedWithin(both, 0)).toBe(1);
  });
});
