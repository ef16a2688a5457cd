import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** Nearly everything works with these. */
export interface Surroundings {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Work that goes on until Herald stops has these. */
export interface StoppableSurroundings extends Surroundings {
  /** Aborts when Herald is stopping. */
  readonly stopping: AbortSignal;
}

const EVERY_MS = 60_000;

/**
 * Warns of the first of a kind, and then once a minute at most, with how many more came meanwhile: whoever can send requests
 * must not be able to fill the disk with warnings. Kinds are a few words of Herald's own.
 */
export function createSparseLog({ clock, logger }: Surroundings) {
  const kinds = new Map<string, { readonly since: number; more: number }>();
  return (reason: string, fields: object, message: string): void => {
    const now = clock.monotonic();
    const said = kinds.get(reason);
    if (said !== undefined && now - said.since < EVERY_MS) said.more += 1;
    else {
      kinds.set(reason, { since: now, more: 0 });
      logger.warn({ reason, ...fields, ...(said?.more && { more: said.more }) }, message);
    }
  };
}
