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

/** How often to look for the result while another process probes. */
const PEER_LOOK_MS = 1_000;

export type Breaker = ReturnType<typeof createBreaker>;

/** The state of a breaker, with whoever hears of its changes. */
type Circuit = ReturnType<typeof createCircuit>;

/**
 * @param peers undefined without replicas
 * @param turned called when it opens and when it closes
 */
function createCircuit(
  clock: Clock,
  random: Random,
  peers: BreakerPeers | undefined,
  turned: (isOpen: boolean) => void,
) {
  return {
    ...{ clock, random, peers, turned },
    failuresInARow: 0,
    /** Undefined while it is closed. */
    openedAt: undefined as number | undefined,
    probeAt: 0,
    probesSinceOpened: 0,
    isProbing: false,
    /** Resolves at the next change. */
    changed: Promise.withResolvers<void>(),
  };
}

/**
 * A circuit breaker: stops a channel while the service itself fails. Closed: everything passes. Open: nothing does until a
 * probe is due. Half open: one request, whose outcome closes the breaker or opens it for longer.
 */
export function createBreaker(...asked: Parameters<typeof createCircuit>) {
  const circuit = createCircuit(...asked);
  const { peers } = circuit;
  return {
    /** Waits until requests may start and resolves with how many; 0 when `signal` aborts first. */
    admit: (most: number, signal: AbortSignal) => admit(circuit, most, signal),
    /** The service works, whatever it answered about the recipient. */
    succeeded: () => {
      circuit.failuresInARow = 0;
      if (circuit.openedAt === undefined) return;
      close(circuit);
      peers?.mended();
    },
    /** A failure of the service itself (scope `service`). */
    failed: () => {
      circuit.failuresInARow += 1;
      const { openedAt, isProbing, failuresInARow } = circuit;
      if (openedAt !== undefined ? isProbing : failuresInARow >= OPENS_AFTER) open(circuit);
    },
    /** A request was admitted and did not start. */
    cancelled: () => {
      if (!circuit.isProbing) return;
      circuit.isProbing = false;
      peers?.giveProbeBack();
      change(circuit);
    },
    /** When it opened, in milliseconds since the epoch; undefined while closed. */
    openSince: () => circuit.openedAt,
    /** Takes over the shared state: the service fails and may be probed in `probeInMs`; undefined: it works. */
    learn: (broken: { readonly probeInMs: number } | undefined) => learn(circuit, broken),
  };
}

async function admit(circuit: Circuit, most: number, signal: AbortSignal): Promise<number> {
  while (!signal.aborted) {
    if (circuit.openedAt === undefined) return most;
    const waitMs = circuit.probeAt - circuit.clock.monotonic();
    if (circuit.isProbing || waitMs > 0)
      await changeOrSleep(circuit, circuit.isProbing ? PROBE_CAP_MS : waitMs, signal);
    else if (await mayProbe(circuit)) return 1;
  }
  return 0;
}

async function changeOrSleep({ changed, clock }: Circuit, ms: number, signal: AbortSignal): Promise<void> {
  const abandoned = new AbortController();
  await Promise.race([changed.promise, clock.sleep(ms, AbortSignal.any([signal, abandoned.signal]))]);
  abandoned.abort();
}

/** True when this process may make the one probe. */
async function mayProbe(circuit: Circuit): Promise<boolean> {
  const { peers, clock } = circuit;
  circuit.isProbing = true;
  const mine = peers === undefined || (await peers.takeProbe());
  if (mine && circuit.openedAt !== undefined) return true;
  if (mine) peers?.giveProbeBack();
  circuit.isProbing = false;
  circuit.probeAt = clock.monotonic() + PEER_LOOK_MS;
  return false;
}

function change(circuit: Circuit): void {
  circuit.changed.resolve();
  circuit.changed = Promise.withResolvers();
}

/** Opens it, or after a probe that failed for longer. */
function open(circuit: Circuit): void {
  markOpen(circuit);
  circuit.isProbing = false;
  // Half of the delay is fixed, so that a probe never follows at once.
  const fraction = circuit.random.fraction();
  const waitMs =
    (PROBE_BASE_MS + fullJitterDelayMs(circuit.probesSinceOpened, PROBE_BASE_MS, PROBE_CAP_MS, fraction)) / 2;
  circuit.probeAt = circuit.clock.monotonic() + waitMs;
  circuit.probesSinceOpened += 1;
  circuit.peers?.broke(waitMs);
  change(circuit);
}

function markOpen(circuit: Circuit): void {
  if (circuit.openedAt !== undefined) return;
  circuit.openedAt = circuit.clock.now();
  circuit.turned(true);
}

function close(circuit: Circuit): void {
  circuit.openedAt = undefined;
  circuit.isProbing = false;
  circuit.probesSinceOpened = 0;
  change(circuit);
  circuit.turned(false);
}

function learn(circuit: Circuit, broken: { readonly probeInMs: number } | undefined): void {
  if (broken === undefined) {
    if (circuit.openedAt === undefined) return;
    circuit.failuresInARow = 0;
    close(circuit);
    return;
  }
  const probeAt = circuit.clock.monotonic() + broken.probeInMs;
  if (circuit.openedAt === undefined) {
    markOpen(circuit);
    circuit.probeAt = probeAt;
    change(circuit);
  } else if (!circuit.isProbing) circuit.probeAt = Math.max(circuit.probeAt, probeAt);
}
