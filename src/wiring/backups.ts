import type { StoppableSurroundings } from '../core/surroundings.ts';
import { createBackgroundWork } from '../sends/background-work.ts';
import type { Backups } from '../store/sqlite/backups.ts';

/** The clock of the wall may be set, and a machine may sleep. */
const LOOK_EVERY_MS = 10 * 60_000;

interface Keeping extends StoppableSurroundings {
  readonly backups: Backups;
}

/** Makes a backup whenever the newest one is old enough, until Herald stops; what failed is tried again every ten minutes. */
export function keepBackingUp({ backups, ...surroundings }: Keeping): void {
  const { clock, logger } = surroundings;
  createBackgroundWork('backups', surroundings)
    .createLoop('a backup', async () => {
      const now = clock.now();
      const due = (backups.latest(now) ?? Number.NEGATIVE_INFINITY) + backups.everyMs;
      if (now < due) return Math.min(due - now, LOOK_EVERY_MS);
      const taken = await backups.take(now);
      if (taken.ok) logger.info({ ...taken.value }, 'the database was backed up, and the copy checked');
      else
        logger.error(
          { why: taken.error },
          'the database could not be backed up; trying again in ten minutes',
        );
      return LOOK_EVERY_MS;
    })
    .start();
}
