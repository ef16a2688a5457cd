import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { AudienceStore } from '../audience.ts';

const DAY_MS = 24 * 3_600_000;

interface Sweeping extends StoppableSurroundings {
  readonly store: Pick<AudienceStore, 'sweepUnused'>;
}

/**
 * Deletes lists that were given in a form and not used within a day, at once and then daily, until Herald stops. A form
 * that is still open then says that its list is gone.
 */
export async function keepSweepingLists({ store, clock, logger, stopping }: Sweeping): Promise<void> {
  while (!stopping.aborted) {
    try {
      const lists = await store.sweepUnused(clock.now() - DAY_MS);
      if (lists > 0) logger.info({ lists }, 'lists that nobody sent to within a day were dropped');
    } catch (error) {
      logger.error({ error }, 'lists that nobody sent to could not be dropped; trying again tomorrow');
    }
    await clock.sleep(DAY_MS, stopping);
  }
}
