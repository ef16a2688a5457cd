import { fullJitterDelayMs } from '../../core/back-off.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';

/** Failures of the service in a row that open the breaker. */
const OPENS_AFTER = 5;
const PROBE_BASE_MS = 5_000;
const PROBE_CAP_MS = 60_000;

/**
 * Stops a channel while the service itself is failing. Closed: everything passes. Open: nothing does, until a
 * probe is due. Half open: one start, whose outcome closes the breaker or opens it for longer.
 */
export interface Breaker {
  /** Waits until something may start: resolves with how many starts, or 0 when `signal` aborts first. */
  admit(most: number, signal: AbortSignal): Promise<number>;
  /** An outcome that shows the service working, whatever it said of the recipient. */
  succeeded(): void;
  /** A failure of the service itself (scope `service`). */
  failed(): void;
  /** Admitted, but nothing was started after all. */
  cancelled(): void;
  /** When it opened, in milliseconds since the epoch; undefined while closed. */
  openSince(): number | undefined;
}

export function createBreaker(clock: Clock, random: Random): Breaker {
  let failures = 0;
  let openedAt: number | undefined;
  let probeAt = 0;
  let probes = 0;
  let probing = false;
  let changed = Promise.withResolvers<void>();

  function change(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  function open(): void {
    openedAt ??= clock.now();
    probing = false;
    // Half of the delay is fixed: a breaker that may probe at once is no breaker.
    const jitter = fullJitterDelayMs(probes, PROBE_BASE_MS, PROBE_CAP_MS, random.fraction());
    probeAt = clock.now() + (PROBE_BASE_MS + jitter) / 2;
    probes += 1;
    change();
  }

  async function admit(most: number, signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      if (openedAt === undefined) return most;
      const waitMs = probeAt - clock.now();
      if (!probing && waitMs <= 0) {
        probing = true;
        return 1;
      }
      const abandoned = new AbortController();
      const woken = AbortSignal.any([signal, abandoned.signal]);
      const changes = changed.promise;
      await Promise.race([changes, clock.sleep(probing ? PROBE_CAP_MS : waitMs, woken)]);
      abandoned.abort();
    }
    return 0;
  }

  return {
    admit,
    succeeded: () => {
      failures = 0;
      if (openedAt === undefined) return;
      openedAt = undefined;
      probing = false;
      probes = 0;
      change();
    },
    failed: () => {
      failures += 1;
      if (openedAt !== undefined ? probing : failures >= OPENS_AFTER) open();
    },
    cancelled: () => {
      if (!probing) return;
      probing = false;
      change();
    },
    openSince: () => openedAt,
  };
}
