import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { createBackgroundWork } from '../sends/background-work.ts';
import type { Backups } from '../store/sqlite/backups.ts';

/** The clock of the wall may be set, and a machine may sleep. */
const LOOK_EVERY_MS = 10 * 60_000;

interface Keeping {
  readonly backups: Backups;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when Herald is stopping. */
  readonly stopping: AbortSignal;
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
