/** Longer waits are cut to this: a service that asks for days has its clock or its units wrong. */
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/**
 * How long a `Retry-After` header asks to wait (RFC 9110, section 10.2.3: seconds, or an HTTP date).
 *
 * @param value the header as it came
 * @param now milliseconds since the epoch
 * @returns milliseconds, more than 0 and at most an hour; undefined when the header asks for no wait or is not
 * understood
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : dateMs(text) - now;
  return delayMs > 0 ? Math.min(delayMs, LONGEST_DELAY_MS) : undefined;
}

/** Only what looks like an HTTP date: `Date.parse` alone takes "-5" for a month. */
function dateMs(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
}
