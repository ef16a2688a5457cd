import type { StoppableSurroundings } from '../core/surroundings.ts';
import { within } from '../core/within.ts';

/** Rest after a step that failed, usually because the store did not answer. */
const FAILED_MS = 5_000;

/**
 * Work that runs until Herald stops.
 *
 * @param name whose work it is, for the log
 */
export function createBackgroundWork(name: string, { clock, logger, stopping }: StoppableSurroundings) {
  const inFlight = new Set<Promise<void>>();

  function keep(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => logger.error({ error }, `${name} ended in a way that is a bug`))
      .finally(() => inFlight.delete(kept));
    inFlight.add(kept);
  }

  /** Repeats `step`, which returns how many milliseconds to rest before the next one. */
  function createLoop(what: string, step: () => Promise<number>) {
    let rest = new AbortController();
    async function run(afterMs: number): Promise<void> {
      for (let restMs = afterMs; ; ) {
        if (restMs > 0) await clock.sleep(restMs, AbortSignal.any([rest.signal, stopping]));
        if (stopping.aborted) return;
        rest = new AbortController();
        restMs = await step().catch((error: unknown) => {
          logger.error({ error }, `${what} failed; trying again`);
          return FAILED_MS;
        });
      }
    }
    return {
      /** @param afterMs rest before the first step */
      start: (afterMs = 0) => keep(run(afterMs)),
      /** Ends the current rest: the next step begins at once. */
      wake: () => rest.abort(),
    };
  }

  return {
    keep,
    createLoop,
    drained: async () => {
      await Promise.all(inFlight);
    },
    /** Waits at most `deadlineMs` for what is in flight, and returns how many were left then. */
    drain: async (deadlineMs: number) => {
      await within(Promise.all(inFlight), deadlineMs, clock);
      return inFlight.size;
    },
  };
}
