import type { Clock } from '../../core/clock.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { Channel } from '../../messages/kinds.ts';
import type { ChannelState, SharedChannels } from '../sharing.ts';
import type { BreakerPeers } from './breaker.ts';
import type { Limiter } from './limiter.ts';
import type { Lane } from './run.ts';

/** How often a process that sends reads the shared state. */
const LOOK_EVERY_MS = 500;

type SharedLane = Pick<Lane, 'limiter' | 'breaker'> & { slowDownsSeen: number };

/** Keeps the lanes of all processes in step. */
export function createSharedLanes({
  channels,
  clock,
  logger,
}: Surroundings & { readonly channels: SharedChannels }) {
  const lanes = new Map<Channel, SharedLane>();
  /** Writes of this process that are in flight, and how many were ever begun. */
  let writing = 0;
  let written = 0;

  /** A write that fails loses nothing: the other processes will find the same failure themselves. */
  async function publish<T>(what: string, write: () => Promise<T>): Promise<T | undefined> {
    writing += 1;
    written += 1;
    try {
      return await write();
    } catch (error) {
      logger.warn({ error }, `${what} could not be shared with the other replicas`);
      return undefined;
    } finally {
      writing -= 1;
    }
  }

  /** Reads the shared state, and ignores it if this process has written a newer one meanwhile. Never rejects. */
  async function look(): Promise<void> {
    const before = written;
    try {
      const states = await channels.read();
      if (writing > 0 || written !== before) return;
      for (const [channel, lane] of lanes) learn(lane, states.get(channel));
    } catch (error) {
      logger.warn({ error }, 'the shared state of the channels could not be read');
    }
  }

  return {
    /** Connects the breaker of a channel to those of the other processes. */
    peersOf: (channel: Channel): BreakerPeers => ({
      broke: (probeInMs) =>
        void publish('A failure of the service', () => channels.broke(channel, probeInMs)),
      mended: () => void publish('The end of a failure', () => channels.mended(channel)),
      takeProbe: async () => (await publish('A probe', () => channels.takeProbe(channel))) ?? false,
      giveProbeBack: () => void publish('An unused probe', () => channels.giveProbeBack(channel)),
    }),
    /** A limiter whose slow-downs all processes share. */
    share: (channel: Channel, lane: Pick<Lane, 'limiter' | 'breaker'>): Limiter => {
      const shared = { ...lane, slowDownsSeen: 0 };
      lanes.set(channel, shared);
      return {
        ...lane.limiter,
        slowDown: (pauseMs) => {
          lane.limiter.slowDown(pauseMs);
          void publish('A pause', () => channels.slowDown(channel, pauseMs)).then((slowDowns) => {
            shared.slowDownsSeen = Math.max(shared.slowDownsSeen, slowDowns ?? 0);
          });
        },
      };
    },
    during: createLooking(look, clock),
  };
}

function learn(lane: SharedLane, state: ChannelState | undefined): void {
  lane.breaker.learn(state?.broken);
  const { slowDowns = 0, pausedMs = 0 } = state ?? {};
  if (slowDowns > lane.slowDownsSeen && pausedMs > 0) lane.limiter.slowDown(pausedMs);
  lane.slowDownsSeen = Math.max(slowDowns, lane.slowDownsSeen);
}

/** Reads the shared state before `work` begins, and regularly while it runs. */
function createLooking(look: () => Promise<void>, clock: Clock) {
  let working = 0;
  let looking: AbortController | undefined;

  async function keepLooking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      if (!signal.aborted) await look();
    }
  }

  return async (work: () => Promise<void>) => {
    working += 1;
    await look();
    if (looking === undefined) {
      looking = new AbortController();
      void keepLooking(looking.signal);
    }
    try {
      await work();
    } finally {
      working -= 1;
      if (working === 0) {
        looking.abort();
        looking = undefined;
      }
    }
  };
}
