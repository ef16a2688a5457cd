import { type Clock, fullJitterDelayMs } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';

/** Failures of the service in a row that open the breaker. */
const OPENS_AFTER = 5;
const PROBE_BASE_MS = 5_000;
const PROBE_CAP_MS = 60_000;

/** How the breakers of several processes agree, so that only one of them probes. */
export interface BreakerPeers {
  /** This process found the service failing; nobody sends for `probeInMs`. */
  broke(probeInMs: number): void;
  /** This process found it working again. */
  mended(): void;
  /** True when this process may probe. */
  takeProbe(): Promise<boolean>;
  /** It had nothing to probe with. */
  giveProbeBack(): void;
}

const NO_PEERS: BreakerPeers = {
  broke: () => {},
  mended: () => {},
  takeProbe: async () => true,
  giveProbeBack: () => {},
};
/** How often to look for the result while another process probes. */
const PEER_LOOK_MS = 1_000;

/**
 * A circuit breaker: stops a channel while the service itself fails. Closed: everything passes. Open: nothing does until a
 * probe is due. Half open: one request, whose outcome closes the breaker or opens it for longer.
 */
export interface Breaker {
  /** Waits until requests may start and resolves with how many; 0 when `signal` aborts first. */
  admit(most: number, signal: AbortSignal): Promise<number>;
  /** The service works, whatever it answered about the recipient. */
  succeeded(): void;
  /** A failure of the service itself (scope `service`). */
  failed(): void;
  /** A request was admitted and did not start. */
  cancelled(): void;
  /** When it opened, in milliseconds since the epoch; undefined while closed. */
  openSince(): number | undefined;
  /** Takes over the shared state: the service fails and may be probed in `probeInMs`; undefined: it works. */
  learn(broken: { readonly probeInMs: number } | undefined): void;
}

/** @param turned called when it opens and when it closes */
export function createBreaker(
  clock: Clock,
  random: Random,
  peers: BreakerPeers = NO_PEERS,
  turned: (isOpen: boolean) => void = () => {},
): Breaker {
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

  function opened(): void {
    if (openedAt !== undefined) return;
    openedAt = clock.now();
    turned(true);
  }

  function open(): void {
    opened();
    probing = false;
    // Half of the delay is fixed, so that a probe never follows at once.
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
    turned(false);
  }

  /** True when this process may make the one probe. */
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
        opened();
        probeAt = clock.monotonic() + broken.probeInMs;
        change();
      } else if (!probing) probeAt = Math.max(probeAt, clock.monotonic() + broken.probeInMs);
    },
  };
}
