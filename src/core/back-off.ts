/**
 * Full-jitter back-off: uniformly between 0 and min(capMs, baseMs × 2^attempt), so that many callers that
 * failed together do not come back together.
 *
 * @param attempt 0 for the first retry
 * @param fraction a random number in [0, 1)
 */
export function fullJitterDelayMs(attempt: number, baseMs: number, capMs: number, fraction: number): number {
  return Math.floor(fraction * Math.min(capMs, baseMs * 2 ** attempt));
}
