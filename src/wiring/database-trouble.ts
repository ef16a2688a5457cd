import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { textOf } from '../crash.ts';
import type { StoreTrouble } from '../sends/store-trouble.ts';
import type { DatabaseObserver } from '../store/observer.ts';

/** Says once that the database is gone, and once that it is back; what follows from it is not logged meanwhile. */
export function logStoreTrouble(trouble: StoreTrouble, logger: Logger, clock: Clock): void {
  let began = 0;
  trouble.onChange((error) => {
    const since = trouble.since();
    if (since === undefined) {
      const seconds = Math.round((clock.monotonic() - began) / 1_000);
      logger.info({ seconds }, 'the database answers and takes writes again');
      return;
    }
    began = clock.monotonic();
    const at = new Date(since).toISOString();
    logger.error(
      { because: textOf(error) },
      `the database is gone, or takes no writes, since ${at}; nothing is sent until it is back`,
    );
  });
}

/** Takes a server that does not answer for trouble of the store, until it answers again. */
export function outagesTo(trouble: StoreTrouble, clock: Clock): Pick<DatabaseObserver, 'lost' | 'found'> {
  let isLost = false;
  return {
    lost: (error) => {
      if (isLost) return;
      isLost = true;
      trouble.began(clock.now(), error);
    },
    found: () => {
      if (!isLost) return;
      isLost = false;
      trouble.ended();
    },
  };
}
