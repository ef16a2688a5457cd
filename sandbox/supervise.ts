import type { Exit, HeraldProcess } from './herald-process.ts';

export interface SuperviseOptions {
  start(): HeraldProcess;
  /** Herald answers; the first time and after each restart. */
  onReady(herald: HeraldProcess): void;
  /** It ended by itself, and is started again after a pause. */
  onExit(exit: Exit, restartInMs: number): void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

export interface Supervisor {
  /** Asks Herald to end and starts it no more. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A run this long was a good one: the next restart does not wait for earlier failures. */
const GOOD_RUN_MS = 30_000;

/** Keeps one Herald running: starts it, and starts it again whenever it ends by itself. */
export function supervise(options: SuperviseOptions): Supervisor {
  const stopping = new AbortController();
  let current: HeraldProcess | undefined;

  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const startedAt = options.now();
      current = options.start();
      if (await current.ready()) options.onReady(current);
      const exit = await current.exited;
      if (stopping.signal.aborted) return;
      if (options.now() - startedAt >= GOOD_RUN_MS) pauseMs = FIRST_PAUSE_MS;
      options.onExit(exit, pauseMs);
      await options.sleep(pauseMs, stopping.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };
  const running = run();

  return {
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await running;
    },
  };
}
