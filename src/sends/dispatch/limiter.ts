import type { Clock } from '../../core/clock.ts';
import type { Lease } from '../lease.ts';

/** What a claim may take beyond free slots: as much as will start within this time. */
const AHEAD_MS = 20;
/**
 * Starts that come back one by one are gathered for this long before they are granted again: each grant is a
 * durable claim, and a claim for every single recipient would cost ten times the sending.
 */
const GATHER_MS = 10;
/** Told to slow down, the rate is halved; then it wins back this share of the configured rate each second. */
const SLOW_DOWN_FACTOR = 0.5;
const RECOVERED_PER_SECOND = 0.05;
/** Without a start for so long a channel is at rest. */
const REST_MS = 1_000;
/** Throughput is measured over windows of this length. */
const MEASURE_MS = 100;

/** How fast a channel may go: `perSecond` recipients-or-requests started, `concurrency` of them at once. */
export interface Pace {
  readonly perSecond: number;
  readonly concurrency: number;
}

/**
 * One channel's pace, or this process's share of it, for all its sends in the order in which they ask. It grants starts, never more than
 * can begin within about 20 ms, so that a crash leaves little in doubt.
 */
export interface Limiter {
  /** Waits until at least one start is free and grants up to `most`; 0 when `signal` aborts first. */
  acquire(most: number, signal: AbortSignal): Promise<number>;
  /** Gives back starts that were finished, with the number of them that were really used. */
  release(granted: number, used: number): void;
  /** The service said "not now": nothing starts for `pauseMs`, and then more slowly than before. */
  slowDown(pauseMs: number): void;
  /** Starts a second that are allowed here at present. */
  rate(): number;
}

interface Waiter {
  readonly most: number;
  readonly grant: (count: number) => void;
}

/** @param among how many processes share the pace evenly, and this one's place among them */
export function createLimiter(
  { perSecond, concurrency }: Pace,
  clock: Clock,
  { replicas, rank }: Pick<Lease, 'replicas' | 'rank'> = { replicas: () => 1, rank: () => 0 },
): Limiter {
  /** Of all replicas together. */
  let rate = perSecond;
  let tokens = atRest();
  let usedAt = clock.monotonic();
  let refilledAt = clock.monotonic();
  let pausedUntil = 0;
  let granted = 0;
  let grantedAt = Number.NEGATIVE_INFINITY;
  let timer: AbortController | undefined;
  /** Starts that come back meanwhile are gathered: nothing need be worked out for each of them. */
  let gathering = false;
  const waiters: Waiter[] = [];
  const throughput = createThroughput(clock);

  function share(): number {
    return rate / replicas();
  }

  /** What may start at once after a rest: all together no more than one process alone, each in its turn. */
  function atRest(): number {
    return burst(share()) - rank() / replicas();
  }

  function refill(): void {
    const now = clock.monotonic();
    // Nothing is won back while the service wants quiet.
    const seconds = Math.max(0, now - Math.max(refilledAt, pausedUntil)) / 1_000;
    refilledAt = now;
    rate = Math.min(perSecond, rate + perSecond * RECOVERED_PER_SECOND * seconds);
    tokens = Math.min(burst(share()), tokens + share() * seconds);
  }

  /** What does not divide evenly goes to the first. Every sharer keeps one, however many they are: it has sends of its own. */
  function slots(): number {
    const left = rank() < concurrency % replicas() ? 1 : 0;
    return Math.max(1, Math.floor(concurrency / replicas()) + left);
  }

  /** Starts that may be granted now. */
  function available(): number {
    refill();
    if (clock.monotonic() < pausedUntil) return 0;
    const ahead = Math.floor((Math.min(share(), throughput.perSecond()) * AHEAD_MS) / 1_000);
    return Math.min(Math.floor(tokens), slots() + ahead - granted);
  }

  function serve(): void {
    if (gathering) return;
    for (;;) {
      const [waiter] = waiters;
      if (waiter === undefined) return;
      const count = Math.min(waiter.most, available());
      if (count < 1) {
        wakeIn(untilNextToken());
        return;
      }
      const gatherMs = count === waiter.most ? 0 : grantedAt + GATHER_MS - clock.monotonic();
      if (gatherMs > 0) {
        gathering = true;
        wakeIn(gatherMs);
        return;
      }
      waiters.shift();
      tokens -= count;
      granted += count;
      grantedAt = clock.monotonic();
      waiter.grant(count);
    }
  }

  /** Slots come back through `release`; only tokens and pauses need a timer. 0 when neither is what is missing. */
  function untilNextToken(): number {
    const missing = 1 - tokens;
    return Math.max(
      pausedUntil - clock.monotonic(),
      missing > 0 ? Math.ceil((missing / share()) * 1_000) : 0,
    );
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
    acquire: (most, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(0);
        if (waiters.length === 0 && granted === 0 && clock.monotonic() - usedAt > REST_MS) {
          refill();
          tokens = Math.min(tokens, atRest());
        }
        const waiter: Waiter = {
          most,
          grant: (count) => {
            signal.removeEventListener('abort', giveUp);
            resolve(count);
          },
        };
        function giveUp(): void {
          waiters.splice(waiters.indexOf(waiter), 1);
          resolve(0);
        }
        signal.addEventListener('abort', giveUp, { once: true });
        waiters.push(waiter);
        serve();
      }),
    release: (count, used) => {
      usedAt = clock.monotonic();
      granted -= count;
      tokens += count - used;
      throughput.note(used);
      serve();
    },
    slowDown: (pauseMs) => {
      refill();
      rate = Math.max(1, rate * SLOW_DOWN_FACTOR);
      tokens = Math.min(tokens, burst(share()));
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + pauseMs);
      timer?.abort();
    },
    rate: () => {
      refill();
      return share();
    },
  };
}

/** A bucket holds what may start within the claim's own horizon, and always one. */
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
