import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../../src/sends/dispatch/breaker.ts';
import { createLimiter } from '../../../src/sends/dispatch/limiter.ts';
import { createSharedLanes } from '../../../src/sends/dispatch/shared-lanes.ts';
import type { SharedChannels } from '../../../src/sends/sharing.ts';
import { ALONE } from '../../../src/store/stores.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';

const never = new AbortController().signal;
const random = { fraction: () => 1, bytes: (length: number) => new Uint8Array(length) };

/** What the database keeps of the one channel, in memory: the rules are those of the store's own tests. */
function createBlackboard(clock: ManualClock): SharedChannels {
  const state = { slowDowns: 0, pausedUntil: 0, probeAt: Number.NaN, taken: false };
  const left = (at: number) => Math.max(0, at - clock.now());
  return {
    read: async () => {
      const { slowDowns, pausedUntil, probeAt } = state;
      const broken = Number.isNaN(probeAt) ? {} : { broken: { probeInMs: left(probeAt) } };
      return new Map([['sms', { slowDowns, pausedMs: left(pausedUntil), ...broken }]]);
    },
    slowDown: async (_, pauseMs) => {
      state.pausedUntil = clock.now() + pauseMs;
      state.slowDowns += 1;
      return state.slowDowns;
    },
    broke: async (_, probeInMs) => {
      Object.assign(state, { probeAt: clock.now() + probeInMs, taken: false });
    },
    mended: async () => {
      state.probeAt = Number.NaN;
    },
    takeProbe: async () => {
      const mayProbe = !state.taken && state.probeAt <= clock.now();
      state.taken ||= mayProbe;
      return mayProbe;
    },
    giveProbeBack: async () => {
      state.taken = false;
    },
  };
}

function replicas(count: number) {
  const clock = createManualClock();
  const channels = createBlackboard(clock);
  const made = Array.from({ length: count }, (_, rank) => {
    const lanes = createSharedLanes({ channels, clock, logger: createRecordingLogger() });
    const limiter = createLimiter({ perSecond: 30, concurrency: 30 }, clock, {
      replicas: () => count,
      rank: () => rank,
    });
    const breaker = createBreaker(clock, random, lanes.peersOf('sms'), () => {});
    const stop = Promise.withResolvers<void>();
    return { lanes, breaker, limiter: lanes.share('sms', { limiter, breaker }), stop };
  });
  return { clock, made };
}

/** Who was admitted so far, and with how many, of replicas that all ask for a hundred. */
function admittedOf(made: ReturnType<typeof replicas>['made']): readonly number[] {
  const admitted: number[] = [];
  for (const [who, { breaker }] of made.entries())
    void breaker.admit(100, never).then((count) => admitted.push(who, count));
  return admitted;
}

describe('several replicas', () => {
  it('all are quiet when the service has told one of them to wait', async () => {
    const { clock, made } = replicas(3);
    for (const { lanes, stop } of made) void lanes.during(() => stop.promise);
    await clock.advance(10);
    made[0]?.limiter.slowDown(10_000);
    await clock.advance(600);
    const granted: number[] = [];
    for (const { limiter } of made) void limiter.acquire(1, never).then(() => granted.push(clock.now()));
    const before = clock.now();
    await clock.advance(9_000);
    expect(granted).toEqual([]);
    await clock.advance(3_000);
    expect(granted).toHaveLength(3);
    expect(Math.min(...granted) - before).toBeGreaterThanOrEqual(9_400);
    // Each has halved its rate once, however often it read of that pause.
    for (const { limiter } of [...made, ...made])
      void limiter.acquire(1, never).then(() => granted.push(clock.now()));
    await clock.advance(400);
    expect(granted).toHaveLength(9);
    for (const { stop } of made) stop.resolve();
  });

  it('that begin to send learn first what was met before', async () => {
    const { clock, made } = replicas(2);
    made[0]?.limiter.slowDown(5_000);
    await clock.advance(1);
    let granted = false;
    void made[1]?.lanes.during(async () => {
      await made[1]?.limiter.acquire(1, never);
      granted = true;
    });
    await clock.advance(4_000);
    expect(granted).toBe(false);
    await clock.advance(2_000);
    expect(granted).toBe(true);
  });

  it('stop together when the service fails one of them, one tries, and all go on when it works', async () => {
    const { clock, made } = replicas(3);
    for (const { lanes, stop } of made) void lanes.during(() => stop.promise);
    await clock.advance(10);
    for (let n = 0; n < 5; n += 1) made[0]?.breaker.failed();
    await clock.advance(600);
    expect(made.map(({ breaker }) => breaker.openSince() !== undefined)).toEqual([true, true, true]);
    const admitted = admittedOf(made);
    await clock.advance(30_000);
    expect(admitted).toEqual([expect.any(Number), 1]);
    const [prober = 0] = admitted;
    made[prober]?.breaker.failed();
    await clock.advance(4_000);
    expect(admitted).toHaveLength(2);
    await clock.advance(30_000);
    expect(admitted.slice(2)).toEqual([expect.any(Number), 1]);
    made[admitted[2] ?? 0]?.breaker.succeeded();
    await clock.advance(1_500);
    expect(made.map(({ breaker }) => breaker.openSince())).toEqual([undefined, undefined, undefined]);
    expect(admitted.slice(4)).toEqual([expect.any(Number), 100]);
    for (const { stop } of made) stop.resolve();
  });
});

describe('a replica whose database does not answer', () => {
  it('goes on by itself: it breaks, does not probe, and slows down', async () => {
    const clock = createManualClock();
    const logger = createRecordingLogger();
    const gone = () => Promise.reject(new Error('gone'));
    const channels = { ...createBlackboard(clock), broke: gone, mended: gone, takeProbe: gone };
    Object.assign(channels, { giveProbeBack: gone, slowDown: gone, read: gone });
    const lanes = createSharedLanes({ channels, clock, logger });
    const peers = lanes.peersOf('sms');
    peers.broke(1);
    peers.mended();
    peers.giveProbeBack();
    expect(await peers.takeProbe()).toBe(false);
    const limiter = createLimiter({ perSecond: 30, concurrency: 30 }, clock, ALONE);
    const shared = lanes.share('sms', { limiter, breaker: createBreaker(clock, random, peers, () => {}) });
    shared.slowDown(2_000);
    expect(limiter.pausedMs()).toBe(2_000);
    await lanes.during(() => clock.advance(1_100));
    const lost = [
      'A failure of the service',
      'The end of a failure',
      'An unused probe',
      'A probe',
      'A pause',
    ];
    expect(logger.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      ...lost.map((what) => `warn: ${what} could not be shared with the other replicas`),
      ...Array(3).fill('warn: the shared state of the channels could not be read'),
    ]);
    await clock.advance(5_000);
    expect(clock.sleeping).toBe(0);
  });
});
