import type { Clock } from '../../core/clock.ts';
import type { Lease } from '../sharing.ts';

/** A claim may exceed the free slots by what starts within this time. */
const AHEAD_MS = 20;
/**
 * Free slots are gathered for this long before they are granted: each grant leads to a durable claim, and claiming
 * recipients one by one would cost ten times as much as sending.
 */
const GATHER_MS = 10;
/** A slow-down halves the rate, which then recovers by this share of the configured rate per second. */
const SLOW_DOWN_FACTOR = 0.5;
const RECOVERED_PER_SECOND = 0.05;
/** A channel without a start for so long is at rest. */
const REST_MS = 1_000;
/** Window over which throughput is measured. */
const MEASURE_MS = 100;

/** How fast a channel may go: requests started per second, and how many may run at once. */
export interface Pace {
  readonly perSecond: number;
  readonly concurrency: number;
}

type Share = Pick<Lease, 'replicas' | 'rank'>;

export type Limiter = ReturnType<typeof createLimiter>;

/**
 * This process's share of one channel's pace, for all its sends in the order in which they ask. It never grants more starts
 * than can begin within about 20 ms, so that a crash leaves few outcomes unknown.
 */
export function createLimiter(pace: Pace, clock: Clock, lease: Share) {
  const allowance = createAllowance(pace, clock, lease);
  let grantedAt = Number.NEGATIVE_INFINITY;
  let timer: AbortController | undefined;
  /** While true, returned starts are only counted. */
  let gathering = false;
  const waiters: { readonly most: number; readonly grant: (count: number) => void }[] = [];

  function serve(): void {
    if (gathering) return;
    for (;;) {
      const [waiter] = waiters;
      if (waiter === undefined) return;
      const count = Math.min(waiter.most, allowance.available());
      if (count < 1) {
        wakeIn(allowance.untilNext());
        return;
      }
      const gatherMs = count === waiter.most ? 0 : grantedAt + GATHER_MS - clock.monotonic();
      if (gatherMs > 0) {
        gathering = true;
        wakeIn(gatherMs);
        return;
      }
      waiters.shift();
      allowance.take(count);
      grantedAt = clock.monotonic();
      waiter.grant(count);
    }
  }

  function wakeIn(waitMs: number): void {
    if (timer !== undefined || waitMs <= 0) return;
    const mine = new AbortController();
    timer = mine;
    void clock.sleep(waitMs, mine.signal).then(() => {
      timer = undefined;
      gathering = false;
      serve();
    });
  }

  return {
    /** Waits for at least one free start and grants up to `most`; 0 when `signal` aborts first. */
    acquire: (most: number, signal: AbortSignal): Promise<number> => {
      if (signal.aborted) return Promise.resolve(0);
      if (waiters.length === 0) allowance.rest();
      const granted = Promise.withResolvers<number>();
      const waiter = {
        most,
        grant: (count: number) => {
          signal.removeEventListener('abort', giveUp);
          granted.resolve(count);
        },
      };
      function giveUp(): void {
        waiters.splice(waiters.indexOf(waiter), 1);
        granted.resolve(0);
      }
      signal.addEventListener('abort', giveUp, { once: true });
      waiters.push(waiter);
      serve();
      return granted.promise;
    },
    /** Returns granted starts that have ended; `used` of them were requests. */
    release: (count: number, used: number) => {
      allowance.giveBack(count, used);
      serve();
    },
    /** The service answered "not now": nothing starts for `pauseMs`, then at half the rate. */
    slowDown: (pauseMs: number) => {
      allowance.slowDown(pauseMs);
      timer?.abort();
    },
    /** How long that still lasts; 0 when nothing is paused. */
    pausedMs: allowance.pausedMs,
  };
}

/** Counts how much a channel may start here and now, whoever waits for it. */
export function createAllowance({ perSecond, concurrency }: Pace, clock: Clock, { replicas, rank }: Share) {
  /** All replicas together have this one. */
  let rate = perSecond;
  let tokens = atRest();
  let usedAt = clock.monotonic();
  let refilledAt = clock.monotonic();
  let pausedUntil = 0;
  let granted = 0;
  const throughput = createThroughput(clock);

  function share(): number {
    return rate / replicas();
  }

  /** Tokens after a rest, spread by rank so that all replicas together start no more at once than one alone. */
  function atRest(): number {
    return burst(share()) - rank() / replicas();
  }

  function refill(): void {
    const now = clock.monotonic();
    // During a pause nothing is refilled.
    const seconds = Math.max(0, now - Math.max(refilledAt, pausedUntil)) / 1_000;
    refilledAt = now;
    rate = Math.min(perSecond, rate + perSecond * RECOVERED_PER_SECOND * seconds);
    tokens = Math.min(burst(share()), tokens + share() * seconds);
  }

  return {
    available: (): number => {
      refill();
      if (clock.monotonic() < pausedUntil) return 0;
      const ahead = Math.floor((Math.min(share(), throughput.perSecond()) * AHEAD_MS) / 1_000);
      return Math.min(Math.floor(tokens), slotsOf(concurrency, replicas(), rank()) + ahead - granted);
    },
    /** Milliseconds until the next token or the end of a pause; 0 when only a slot is missing, which is given back. */
    untilNext: (): number => {
      const missing = 1 - tokens;
      const refilledInMs = missing > 0 ? Math.ceil((missing / share()) * 1_000) : 0;
      return Math.max(pausedUntil - clock.monotonic(), refilledInMs);
    },
    take: (count: number) => {
      tokens -= count;
      granted += count;
    },
    giveBack: (count: number, used: number) => {
      usedAt = clock.monotonic();
      granted -= count;
      tokens += count - used;
      throughput.note(used);
    },
    /** Begins as at the start after a time in which nothing was started. */
    rest: () => {
      if (granted > 0 || clock.monotonic() - usedAt <= REST_MS) return;
      refill();
      tokens = Math.min(tokens, atRest());
    },
    slowDown: (pauseMs: number) => {
      refill();
      rate = Math.max(1, rate * SLOW_DOWN_FACTOR);
      tokens = Math.min(tokens, burst(share()));
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + pauseMs);
    },
    pausedMs: (): number => Math.max(0, pausedUntil - clock.monotonic()),
  };
}

/** A process's share of `concurrency`; the remainder goes to the first replicas, and each has at least one. */
function slotsOf(concurrency: number, replicas: number, rank: number): number {
  const remainder = rank < concurrency % replicas ? 1 : 0;
  return Math.max(1, Math.floor(concurrency / replicas) + remainder);
}

/** The size of the bucket: what may start within `AHEAD_MS`, at least one. */
function burst(rate: number): number {
  return Math.max(1, (rate * AHEAD_MS) / 1_000);
}

/** Finished starts a second, over the last full window. */
function createThroughput(clock: Clock) {
  let windowStart = clock.monotonic();
  let count = 0;
  let lastPerSecond = 0;

  function turn(): void {
    const elapsedMs = clock.monotonic() - windowStart;
    if (elapsedMs < MEASURE_MS) return;
    lastPerSecond = (count * 1_000) / elapsedMs;
    windowStart = clock.monotonic();
    count = 0;
  }

  return {
    note: (finished: number) => {
      turn();
      count += finished;
    },
    perSecond: () => {
      turn();
      return lastPerSecond;
    },
  };
}
