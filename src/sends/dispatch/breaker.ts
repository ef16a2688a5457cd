import { fullJitterDelayMs } from '../../core/back-off.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';

/** Failures of the service in a row that open the breaker. */
const OPENS_AFTER = 5;
const PROBE_BASE_MS = 5_000;
const PROBE_CAP_MS = 60_000;

/** How the breakers of several processes agree: of all of them one tries. */
export interface BreakerPeers {
  /** This one found the service failing; nobody tries for `probeInMs`. */
  broke(probeInMs: number): void;
  /** This one found it working again. */
  mended(): void;
  /** True when this one may try. */
  takeProbe(): Promise<boolean>;
  /** It was to try, and had nothing to try with. */
  giveProbeBack(): void;
}

const NO_PEERS: BreakerPeers = {
  broke: () => {},
  mended: () => {},
  takeProbe: async () => true,
  giveProbeBack: () => {},
};
/** While another process tries, what came of it is looked for this often. */
const PEER_LOOK_MS = 1_000;

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
  /** What all processes together know: that the service fails, and when somebody may try; or, undefined, that it works. */
  learn(broken: { readonly probeInMs: number } | undefined): void;
}

export function createBreaker(clock: Clock, random: Random, peers: BreakerPeers = NO_PEERS): Breaker {
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
    const waitMs = (PROBE_BASE_MS + jitter) / 2;
    probeAt = clock.monotonic() + waitMs;
    probes += 1;
    peers.broke(waitMs);
    change();
  }

  function close(): void {
    openedAt = undefined;
    probing = false;
    probes = 0;
    change();
  }

  /** One start at a time asks, and of all processes one gets it. */
  async function probe(): Promise<boolean> {
    probing = true;
    const mine = await peers.takeProbe();
    if (mine && openedAt !== undefined) return true;
    if (mine) peers.giveProbeBack();
    probing = false;
    probeAt = clock.monotonic() + PEER_LOOK_MS;
    return false;
  }

  async function admit(most: number, signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      if (openedAt === undefined) return most;
      const waitMs = probeAt - clock.monotonic();
      if (!probing && waitMs <= 0) {
        if (await probe()) return 1;
        continue;
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
      close();
      peers.mended();
    },
    failed: () => {
      failures += 1;
      if (openedAt !== undefined ? probing : failures >= OPENS_AFTER) open();
    },
    cancelled: () => {
      if (!probing) return;
      probing = false;
      peers.giveProbeBack();
      change();
    },
    openSince: () => openedAt,
    learn: (broken) => {
      if (broken === undefined) {
        if (openedAt === undefined) return;
        failures = 0;
        close();
      } else if (openedAt === undefined) {
        openedAt = clock.now();
        probeAt = clock.monotonic() + broken.probeInMs;
        change();
      } else if (!probing) probeAt = Math.max(probeAt, clock.monotonic() + broken.probeInMs);
    },
  };
}
