const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

/** The pause before the nth try again (n from 0): 0.5 s, doubled each time, 10 s at most. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
}
