import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';

/** Slack takes about one post a second in a channel, and bursts whose length it does not tell. */
const EVERY_MS = 1_050;
const BURST = 5;
const KEPT_MS = 60 * 60_000;
const KEPT = 10_000;

/** Turns to post, by channel: a few at once, then one a second. */
export interface Pace {
  /** Resolves when it is the caller's turn; first come, first served. */
  turn(channelId: string): Promise<void>;
  /** Slack has refused a post there for so long. */
  rest(channelId: string, ms: number): void;
}

export function createPace(clock: Clock): Pace {
  /** When the turn after the last one given is, were there no bursts. */
  const next = createExpiringMap<number>(KEPT_MS, KEPT, clock);
  return {
    turn: async (channelId) => {
      const now = clock.monotonic();
      const at = Math.max(next.get(channelId) ?? 0, now - (BURST - 1) * EVERY_MS);
      next.set(channelId, at + EVERY_MS);
      if (at > now) await clock.sleep(at - now);
    },
    rest: (channelId, ms) => next.set(channelId, Math.max(next.get(channelId) ?? 0, clock.monotonic() + ms)),
  };
}
