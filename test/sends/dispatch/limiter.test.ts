import { describe, expect, it } from 'vitest';
import { createAllowance, createLimiter } from '../../../src/sends/dispatch/limiter.ts';
import { ALONE } from '../../../src/store/alone.ts';
import { createManualClock } from '../../fakes/clock.ts';

const never = new AbortController().signal;

/** Runs a greedy sender for `ms` with a service that answers after `latencyMs`; returns starts a 100 ms. */
async function run(pace: { perSecond: number; concurrency: number }, ms: number, latencyMs: number) {
  const clock = createManualClock();
  const limiter = createLimiter(pace, clock, ALONE);
  const stop = new AbortController();
  const starts: number[] = [];
  const t0 = clock.now();
  let inFlight = 0;
  let mostInFlight = 0;
  let largestGrant = 0;
  void (async () => {
    while (!stop.signal.aborted) {
      const granted = await limiter.acquire(10_000, stop.signal);
      largestGrant = Math.max(largestGrant, granted);
      for (let n = 0; n < granted; n += 1) {
        starts.push(clock.now() - t0);
        inFlight += 1;
        mostInFlight = Math.max(mostInFlight, inFlight);
        void clock.sleep(latencyMs).then(() => {
          inFlight -= 1;
          limiter.release(1, 1);
        });
      }
    }
  })();
  await clock.advance(ms);
  stop.abort();
  return { starts: starts.length, mostInFlight, largestGrant, limiter, clock };
}

describe('the pace of a channel', () => {
  it('starts as many a second as configured, and no more', async () => {
    const { starts } = await run({ perSecond: 80, concurrency: 100 }, 5_000, 30);
    expect(starts).toBeGreaterThanOrEqual(5 * 80 - 5);
    expect(starts).toBeLessThanOrEqual(5 * 80 + 2);
  });

  it('grants a handful at 80 a second, and never more than starts in 20 ms', async () => {
    expect((await run({ perSecond: 80, concurrency: 100 }, 2_000, 30)).largestGrant).toBeLessThanOrEqual(2);
    expect((await run({ perSecond: 5_000, concurrency: 50 }, 500, 10)).largestGrant).toBeLessThanOrEqual(100);
  });

  it('has at most its concurrency, and 20 ms of its throughput, under way', async () => {
    const { mostInFlight, starts } = await run({ perSecond: 100_000, concurrency: 10 }, 2_000, 100);
    expect(mostInFlight).toBeLessThanOrEqual(10 + Math.ceil(100 * 0.02) + 1);
    expect(starts).toBeGreaterThanOrEqual(190);
  });

  it('gathers what is returned for 10 ms, and grants all that was asked for at once', async () => {
    const clock = createManualClock();
    const limiter = createLimiter({ perSecond: 100_000, concurrency: 10 }, clock, ALONE);
    const granted: number[] = [];
    const ask = (most: number) => limiter.acquire(most, never).then((count) => granted.push(count));
    await ask(10);
    await clock.advance(1);
    void ask(10);
    limiter.release(1, 1);
    await clock.advance(8);
    limiter.release(2, 2);
    expect(granted).toEqual([10]);
    await clock.advance(1);
    expect(granted).toEqual([10, 3]);
    void ask(2);
    limiter.release(2, 2);
    await clock.advance(0);
    expect(granted).toEqual([10, 3, 2]);
  });

  it('stands still while the service asks for it', async () => {
    const clock = createManualClock();
    const limiter = createLimiter({ perSecond: 100, concurrency: 1_000 }, clock, ALONE);
    await limiter.acquire(2, never);
    limiter.slowDown(3_000);
    let granted = 0;
    void limiter.acquire(1, never).then((count) => {
      granted = count;
    });
    await clock.advance(2_999);
    expect(granted).toBe(0);
    await clock.advance(25);
    expect(granted).toBe(1);
  });

  it('gives starts in the order they were asked for, and takes unused ones back', async () => {
    const clock = createManualClock();
    const limiter = createLimiter({ perSecond: 50, concurrency: 1 }, clock, ALONE);
    const order: string[] = [];
    expect(await limiter.acquire(5, never)).toBe(1);
    void limiter.acquire(1, never).then(() => order.push('first'));
    void limiter.acquire(1, never).then(() => order.push('second'));
    await clock.advance(1_000);
    expect(order).toEqual([]);
    limiter.release(1, 0);
    await clock.advance(1_000);
    expect(order).toEqual(['first']);
    limiter.release(1, 1);
    await clock.advance(1_000);
    expect(order).toEqual(['first', 'second']);
  });

  it('lets go of a waiter that has stopped waiting', async () => {
    const clock = createManualClock();
    const limiter = createLimiter({ perSecond: 50, concurrency: 1 }, clock, ALONE);
    await limiter.acquire(1, never);
    const stop = new AbortController();
    const gone = limiter.acquire(1, stop.signal);
    stop.abort();
    expect(await gone).toBe(0);
    const next = limiter.acquire(1, never);
    limiter.release(1, 1);
    await clock.advance(1_000);
    expect(await next).toBe(1);
  });

  it('is shared evenly by however many send side by side, and every one of them can send', async () => {
    const clock = createManualClock();
    const limiter = createLimiter({ perSecond: 100, concurrency: 3 }, clock, {
      replicas: () => 4,
      rank: () => 0,
    });
    expect(await limiter.acquire(9, never)).toBe(1);
    const second = limiter.acquire(9, never);
    limiter.release(1, 1);
    await clock.advance(39);
    let granted = 0;
    void second.then((count) => {
      granted = count;
    });
    await clock.advance(0);
    expect(granted).toBe(0);
    await clock.advance(11);
    expect(granted).toBe(1);
  });

  it('says how long a pause still lasts, and a shorter one does not end it', async () => {
    const clock = createManualClock();
    const limiter = createLimiter({ perSecond: 100, concurrency: 10 }, clock, ALONE);
    expect(limiter.pausedMs()).toBe(0);
    limiter.slowDown(3_000);
    await clock.advance(1_000);
    limiter.slowDown(500);
    expect(limiter.pausedMs()).toBe(2_000);
    await clock.advance(5_000);
    expect(limiter.pausedMs()).toBe(0);
  });

  it('is halved by a slow-down, never below one a second, and regains a twentieth a second after the pause', async () => {
    const clock = createManualClock();
    let replicas = 1;
    const allowance = createAllowance({ perSecond: 20, concurrency: 10 }, clock, {
      replicas: () => replicas,
      rank: () => 0,
    });
    allowance.slowDown(3_000);
    await clock.advance(3_000);
    expect(allowance.rate()).toBe(10);
    for (let n = 0; n < 9; n += 1) allowance.slowDown(0);
    expect(allowance.rate()).toBe(1);
    await clock.advance(3_000);
    expect(allowance.rate()).toBeCloseTo(4, 6);
    await clock.advance(60_000);
    expect(allowance.rate()).toBe(20);
    replicas = 4;
    expect(allowance.rate()).toBe(5);
  });

  it('begins after a rest as it began, so that those who begin together start no more than one', async () => {
    const clock = createManualClock();
    const [first, last] = [0, 3].map((rank) =>
      createLimiter({ perSecond: 200, concurrency: 40 }, clock, { replicas: () => 4, rank: () => rank }),
    );
    async function granted(limiter = first): Promise<number> {
      const now = new AbortController();
      const asked = limiter?.acquire(9, now.signal);
      await clock.advance(0);
      now.abort();
      const count = (await asked) ?? 0;
      if (count > 0) limiter?.release(count, count);
      return count;
    }
    expect([await granted(first), await granted(last)]).toEqual([1, 0]);
    await clock.advance(500);
    expect([await granted(first), await granted(last)]).toEqual([1, 1]);
    await clock.advance(1_001);
    expect([await granted(first), await granted(last)]).toEqual([1, 0]);
  });
});
