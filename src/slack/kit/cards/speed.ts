import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import { type Send, settledOf } from '../../../sends/send.ts';
import type { StoreTrouble } from '../../../sends/store-trouble.ts';

/** Two readings that are nearer to each other say nothing of the speed. */
const SHORTEST_MS = 1_000;
const KEPT_MS = 60_000;
const KEPT = 1_000;

export interface Speed {
  /** Recipients a second, lately. */
  readonly perSecond: number;
  /** Undefined while nothing is sent. */
  readonly remainingMs?: number;
  /** The database refuses writes, so nothing new is sent. */
  readonly stalled?: boolean;
}

export type SpeedOf = (send: Send) => Speed;

/** Measures by what this process has read of each send before. */
export function createSpeeds(dependencies: {
  readonly clock: Clock;
  readonly storeTrouble: Pick<StoreTrouble, 'since'>;
}): SpeedOf {
  const { clock, storeTrouble } = dependencies;
  const readings = createExpiringMap<{ at: number; settled: number; perSecond: number }>(
    KEPT_MS,
    KEPT,
    clock,
  );
  return ({ id, counts }) => {
    if (storeTrouble.since() !== undefined) return { perSecond: 0, stalled: true };
    const [at, settled] = [clock.monotonic(), settledOf(counts)];
    const before = readings.get(id) ?? { at, settled, perSecond: 0 };
    const ms = at - before.at;
    const perSecond = ms < SHORTEST_MS ? before.perSecond : ((settled - before.settled) * 1_000) / ms;
    if (ms === 0 || ms >= SHORTEST_MS) readings.set(id, { at, settled, perSecond });
    const left = counts.pending + counts.attempting;
    return { perSecond, ...(perSecond > 0 && left > 0 && { remainingMs: (left / perSecond) * 1_000 }) };
  };
}
