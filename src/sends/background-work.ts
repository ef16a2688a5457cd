import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';

/** After a failure of the store. */
const FAILED_MS = 5_000;

interface BackgroundDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

export interface Loop {
  start(): void;
  /** The next round begins at once. */
  wake(): void;
}

/**
 * Work that goes on by itself until Herald stops, and is waited for then.
 *
 * @param name whose work it is, for the log
 */
export function createBackgroundWork(name: string, { clock, logger, stopping }: BackgroundDependencies) {
  const inFlight = new Set<Promise<void>>();

  function keep(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => logger.error({ error }, `${name} ended in a way that is a bug`))
      .finally(() => inFlight.delete(kept));
    inFlight.add(kept);
  }

  /** Runs `step` again and again; it returns how long to rest, unless `wake` is called. */
  function createLoop(what: string, step: () => Promise<number>): Loop {
    let alarm = new AbortController();
    async function run(): Promise<void> {
      while (!stopping.aborted) {
        alarm = new AbortController();
        const restMs = await step().catch((error: unknown) => {
          logger.error({ error }, `${what} failed; trying again`);
          return FAILED_MS;
        });
        if (restMs > 0) await clock.sleep(restMs, AbortSignal.any([alarm.signal, stopping]));
      }
    }
    return { start: () => keep(run()), wake: () => alarm.abort() };
  }

  return {
    keep,
    createLoop,
    drained: async () => {
      await Promise.all(inFlight);
    },
  };
}
