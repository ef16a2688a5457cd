import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';

/** Slack takes about one post a second in a channel, and bursts of a length that it does not document. */
const POSTS = { everyMs: 1_050, burst: 5 };
/** `chat.update` may be called fifty times a minute in a workspace. */
export const UPDATE = 'chat.update';
export const UPDATES = { everyMs: 1_250, burst: 5 };
const KEPT_MS = 60 * 60_000;
const KEPT = 10_000;

/** Turns to call Slack, by what is limited, e.g. a channel: a few at once, then one now and then. */
export type Pace = ReturnType<typeof createPace>;

export function createPace(clock: Clock, { everyMs, burst } = POSTS) {
  /** The moment of the turn after the last one given, were there no bursts. */
  const next = createExpiringMap<number>(KEPT_MS, KEPT, clock);
  return {
    /** Resolves when it is the caller's turn; first come, first served. */
    turn: async (key: string): Promise<void> => {
      const now = clock.monotonic();
      const at = Math.max(next.get(key) ?? 0, now - (burst - 1) * everyMs);
      next.set(key, at + everyMs);
      if (at > now) await clock.sleep(at - now);
    },
    /** Slack has refused a call there for so long. */
    rest: (key: string, ms: number): void =>
      next.set(key, Math.max(next.get(key) ?? 0, clock.monotonic() + ms)),
    /** The keys whose turn is not now. */
    resting: () => {
      const now = clock.monotonic();
      return next.entries().flatMap(([key, at]) => (at > now ? [key] : []));
    },
  };
}
