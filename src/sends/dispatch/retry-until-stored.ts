import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { StoreTrouble } from '../store-trouble.ts';

/** How long to wait before trying again to write to a store that refuses, e.g. because the disk is full. */
const STORE_RETRY_MS = 2_000;

interface PatienceDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly storeTrouble?: StoreTrouble;
}

/**
 * Repeats a write until the store takes it, because an outcome that only this process knows must not be lost to
 * a full disk. Gives up when Herald stops: then the stored state, `pending` or `attempting`, tells the truth.
 */
export async function retryUntilStored<T>(
  write: () => Promise<T>,
  { clock, logger, stopping, storeTrouble }: PatienceDependencies,
): Promise<T | undefined> {
  let refused = false;
  try {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        logger.error({ error }, 'the store refused a write; trying again');
        if (stopping.aborted) return undefined;
        if (!refused) storeTrouble?.began(clock.now());
        refused = true;
        await clock.sleep(STORE_RETRY_MS, stopping);
      }
    }
  } finally {
    if (refused) storeTrouble?.ended();
  }
}
