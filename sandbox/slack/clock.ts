/** Time as the workspace sees it: milliseconds since the Unix epoch. Tests pass one they can move. */
export interface WorkspaceClock {
  now(): number;
  /** Runs something later, and keeps no process alive for it. The answer calls it off. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: WorkspaceClock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
