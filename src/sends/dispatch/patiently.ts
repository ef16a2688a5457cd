import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';

/** How long to wait before trying again to write to a store that refuses, e.g. because the disk is full. */
const STORE_RETRY_MS = 2_000;

/**
 * Repeats a write until the store takes it, because an outcome that only this process knows must not be lost to
 * a full disk. Gives up when Herald stops: then the stored state, `pending` or `attempting`, tells the truth.
 */
export async function patiently<T>(
  write: () => Promise<T>,
  { clock, logger, stopping }: { clock: Clock; logger: Logger; stopping: AbortSignal },
): Promise<T | undefined> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      logger.error({ error }, 'the store refused a write; trying again');
      if (stopping.aborted) return undefined;
      await clock.sleep(STORE_RETRY_MS, stopping);
    }
  }
}
