/** Time as the workspace sees it: milliseconds since the Unix epoch. Tests pass one they can move. */
export interface WorkspaceClock {
  now(): number;
}

export const systemClock: WorkspaceClock = { now: () => Date.now() };
