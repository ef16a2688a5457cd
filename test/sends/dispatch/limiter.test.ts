import { describe, expect, it } from 'vitest';
import { createAllowance, createLimiter } from '../../../src/sends/dispatch/limiter.ts';
import { ALONE } from '../../../src/store/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';

const never = new AbortController().signal;
type Limiter = ReturnType<typeof createLimiter>;

/** What was granted so far of a request for so many. */
function ask(limiter: Limiter, most: number) {
  const granted: number[] = [];
  void limiter.acquire(most, never).then((count) => granted.push(count));
  return granted;
}

/** @param replica one of several, or alone */
function limiterOf(
  perSecond: number,
  concurrency: number,
  replica: Parameters<typeof createLimiter>[2] = ALONE,
) {
  const clock = createManualClock();
  return { clock, limiter: createLimiter({ perSecond, concurrency }, clock, replica) };
}

/** Runs a greedy sender for `ms` with a service that answers after `latencyMs`; returns starts a 100 ms. */
async function run([perSecond, concurrency]: readonly [number, number], ms: number, latencyMs: number) {
  const { clock, limiter } = limiterOf(perSecond, concurrency);
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
    const { starts } = await run([80, 100], 5_000, 30);
    expect(starts).toBeGreaterThanOrEqual(5 * 80 - 5);
    expect(starts).toBeLessThanOrEqual(5 * 80 + 2);
  });

  it('grants a handful at 80 a second, and never more than starts in 20 ms', async () => {
    expect((await run([80, 100], 2_000, 30)).largestGrant).toBeLessThanOrEqual(2);
    expect((await run([5_000, 50], 500, 10)).largestGrant).toBeLessThanOrEqual(100);
  });

  it('has at most its concurrency, and 20 ms of its throughput, under way', async () => {
    const { mostInFlight, starts } = await run([100_000, 10], 2_000, 100);
    expect(mostInFlight).toBeLessThanOrEqual(10 + Math.ceil(100 * 0.02) + 1);
    expect(starts).toBeGreaterThanOrEqual(190);
  });

  it('gathers what is returned for 10 ms, and grants all that was asked for at once', async () => {
    const { clock, limiter } = limiterOf(100_000, 10);
    expect(await limiter.acquire(10, never)).toBe(10);
    await clock.advance(1);
    const second = ask(limiter, 10);
    limiter.release(1, 1);
    await clock.advance(8);
    limiter.release(2, 2);
    expect(second).toEqual([]);
    await clock.advance(1);
    expect(second).toEqual([3]);
    const third = ask(limiter, 2);
    limiter.release(2, 2);
    await clock.advance(0);
    expect(third).toEqual([2]);
  });

  it('stands still while the service asks for it', async () => {
    const { clock, limiter } = limiterOf(100, 1_000);
    await limiter.acquire(2, never);
    expect(limiter.pausedMs()).toBe(0);
    limiter.slowDown(3_000);
    const granted = ask(limiter, 1);
    await clock.advance(1_000);
    // A shorter pause does not end it.
    limiter.slowDown(500);
    expect(limiter.pausedMs()).toBe(2_000);
    await clock.advance(1_999);
    expect(granted).toEqual([]);
    await clock.advance(50);
    expect(granted).toEqual([1]);
  });

  it('gives starts in the order they were asked for, and takes unused ones back', async () => {
    const { clock, limiter } = limiterOf(50, 1);
    expect(await limiter.acquire(5, never)).toBe(1);
    const both = [ask(limiter, 1), ask(limiter, 1)];
    await clock.advance(1_000);
    expect(both).toEqual([[], []]);
    limiter.release(1, 0);
    await clock.advance(1_000);
    expect(both).toEqual([[1], []]);
    limiter.release(1, 1);
    await clock.advance(1_000);
    expect(both).toEqual([[1], [1]]);
  });

  it('lets go of a waiter that has stopped waiting', async () => {
    const { clock, limiter } = limiterOf(50, 1);
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
    const { clock, limiter } = limiterOf(100, 3, { replicas: () => 4, rank: () => 0 });
    expect(await limiter.acquire(9, never)).toBe(1);
    const granted = ask(limiter, 9);
    limiter.release(1, 1);
    await clock.advance(39);
    expect(granted).toEqual([]);
    await clock.advance(11);
    expect(granted).toEqual([1]);
  });

  it('is halved by a slow-down, never below one a second, and regains a twentieth a second after the pause', async () => {
    const clock = createManualClock();
    let replicas = 1;
    const replica = { replicas: () => replicas, rank: () => 0 };
    const allowance = createAllowance({ perSecond: 20, concurrency: 10 }, clock, replica);
    /** By the wait for the next start, once all that may start now has. */
    const rate = () => {
      allowance.take(allowance.available());
      return 1_000 / allowance.untilNext();
    };
    allowance.slowDown(3_000);
    await clock.advance(3_000);
    expect(rate()).toBe(10);
    for (let n = 0; n < 9; n += 1) allowance.slowDown(0);
    expect(rate()).toBe(1);
    await clock.advance(3_000);
    expect(rate()).toBe(4);
    await clock.advance(60_000);
    expect(rate()).toBe(20);
    replicas = 4;
    expect(rate()).toBe(5);
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
