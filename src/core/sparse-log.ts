import type { StoppableSurroundings } from './surroundings.ts';

const EVERY_MS = 60_000;

/**
 * Warns of the first of a kind, and then once a minute of how many more came: whoever can reach a door must not be able to
 * fill the disk by knocking. Kinds are a few words of Herald's own.
 */
export function createSparseLog({ clock, logger, stopping }: StoppableSurroundings) {
  /** How many more of a kind came in this minute. */
  const counts = new Map<string, number>();

  async function countMore(reason: string, fields: object, message: string): Promise<void> {
    for (let more: number | undefined; more !== 0 && !stopping.aborted; ) {
      counts.set(reason, 0);
      await clock.sleep(EVERY_MS, stopping);
      more = counts.get(reason) ?? 0;
      if (more > 0) logger.warn({ reason, ...fields, more }, message);
    }
    if (!stopping.aborted) counts.delete(reason);
  }

  return (reason: string, fields: object, message: string): void => {
    const count = counts.get(reason);
    if (count !== undefined) return void counts.set(reason, count + 1);
    logger.warn({ reason, ...fields }, message);
    void countMore(reason, fields, message);
  };
}
