import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { StoreTrouble } from '../store-trouble.ts';

const STORE_RETRY_MS = 2_000;

export interface RetryDependencies extends StoppableSurroundings {
  /** Notes that the store refuses writes. */
  readonly storeTrouble: Pick<StoreTrouble, 'began' | 'ended'>;
}

/**
 * Repeats a call of the store until it succeeds: an outcome that only this process knows must not be lost because the disk
 * is full. Gives up when Herald stops; the stored state, `pending` or `attempting`, is then still true.
 */
export async function retryUntilStored<T>(
  write: () => Promise<T>,
  { clock, logger, stopping, storeTrouble }: RetryDependencies,
): Promise<T | undefined> {
  let refused = false;
  try {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!refused) storeTrouble.began(clock.now(), error);
        refused = true;
        logger.error({ error }, 'the store refused a write; trying again');
        if (stopping.aborted) return undefined;
        await clock.sleep(STORE_RETRY_MS, stopping);
      }
    }
  } finally {
    if (refused) storeTrouble.ended();
  }
}
