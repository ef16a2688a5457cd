import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Channel } from '../../messages/kinds.ts';
import type { ChannelState, SharedChannels } from '../sharing.ts';
import type { Breaker, BreakerPeers } from './breaker.ts';
import type { Limiter } from './limiter.ts';

/** How often a process that sends looks what the others have met. */
const LOOK_EVERY_MS = 500;

interface SharedLanesDependencies {
  readonly channels: SharedChannels;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Lane {
  readonly limiter: Limiter;
  readonly breaker: Breaker;
}

/** Keeps the lanes of this process in step with those of the others. */
export interface SharedLanes {
  /** What the breaker of a channel tells and asks the others. */
  peersOf(channel: Channel): BreakerPeers;
  /** The limiter, whose pauses are everybody's. */
  share(channel: Channel, lane: Lane): Limiter;
  /** While `work` runs, what others have met is looked for; it begins once that is known. */
  during(work: () => Promise<void>): Promise<void>;
}

export function createSharedLanes({ channels, clock, logger }: SharedLanesDependencies): SharedLanes {
  const lanes = new Map<Channel, Lane & { holdsSeen: number }>();
  /** News of this process that are being written; and how many there have ever been. */
  let writing = 0;
  let written = 0;
  let working = 0;
  let looking: AbortController | undefined;

  /** The promise of docs/wire.md does not hang on news: what cannot be written is met again by whoever tries. */
  async function tell<T>(what: string, write: () => Promise<T>): Promise<T | undefined> {
    writing += 1;
    written += 1;
    try {
      return await write();
    } catch (error) {
      logger.warn({ error }, `${what} could not be told to the other replicas`);
      return undefined;
    } finally {
      writing -= 1;
    }
  }

  /** What was read before this process told something newer is left aside. */
  async function look(): Promise<void> {
    const before = written;
    const states = await channels.read();
    if (writing > 0 || written !== before) return;
    for (const [channel, lane] of lanes) learn(lane, states.get(channel));
  }

  function learn(lane: Lane & { holdsSeen: number }, state: ChannelState | undefined): void {
    lane.breaker.learn(state?.broken);
    const { holds = 0, heldMs = 0 } = state ?? {};
    if (holds > lane.holdsSeen && heldMs > 0) lane.limiter.slowDown(heldMs);
    lane.holdsSeen = Math.max(holds, lane.holdsSeen);
  }

  async function lookSafely(): Promise<void> {
    await look().catch((error: unknown) => logger.warn({ error }, 'what other replicas met is not known'));
  }

  async function keepLooking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal);
      if (!signal.aborted) await lookSafely();
    }
  }

  return {
    peersOf: (channel) => ({
      broke: (probeInMs) => void tell('A failure of the service', () => channels.broke(channel, probeInMs)),
      mended: () => void tell('The end of a failure', () => channels.mended(channel)),
      takeProbe: async () => (await tell('A try', () => channels.takeProbe(channel))) ?? false,
      giveProbeBack: () => void tell('A try that was none', () => channels.giveProbeBack(channel)),
    }),
    share: (channel, lane) => {
      const shared = { ...lane, holdsSeen: 0 };
      lanes.set(channel, shared);
      return {
        ...lane.limiter,
        slowDown: (pauseMs) => {
          lane.limiter.slowDown(pauseMs);
          void tell('A pause', () => channels.hold(channel, pauseMs)).then((holds) => {
            shared.holdsSeen = Math.max(shared.holdsSeen, holds ?? 0);
          });
        },
      };
    },
    during: async (work) => {
      working += 1;
      await lookSafely();
      if (looking === undefined) {
        looking = new AbortController();
        void keepLooking(looking.signal);
      }
      try {
        await work();
      } finally {
        working -= 1;
        if (working === 0) {
          looking?.abort();
          looking = undefined;
        }
      }
    },
  };
}
