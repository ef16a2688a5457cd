/** What is known for certain of one request once it has ended; outcome.ts says what it means. */
export interface Evidence {
  /** False only where it is certain that no byte of the request left this process. */
  readonly headersWritten: boolean;
  /** Status of the final answer, when its headers arrived. */
  readonly status?: number;
  /** The `retry-after` header as it came. */
  readonly retryAfter?: string;
  /** The `date` header as it came: the service's own clock. */
  readonly date?: string;
  /** As much of the answer's body as is kept. */
  readonly body?: Uint8Array;
  /** Why the request has no complete answer: the error's code where it has one. Absent when the answer is complete. */
  readonly failure?: { readonly code?: string };
}

/**
 * Codes of the ends that Herald makes itself: its deadline, its refusal to be written a second time or without leave, and
 * its own stopping.
 */
export const DEADLINE_CODE = 'HERALD_DEADLINE';
export const REPEATED_CODE = 'HERALD_REPEATED';
export const NO_LEAVE_CODE = 'HERALD_NO_LEAVE';
export const CLOSED_CODE = 'HERALD_CLOSED';

/** Errors of the HTTP parser: undici's codes begin like this, where it gives one. */
export const PARSER_CODE = 'HPE_';

/** Longer waits are cut to this: a service that asks for days has its clock or its units wrong. */
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/**
 * How many milliseconds a `Retry-After` header asks to wait (RFC 9110, section 10.2.3: seconds, or an HTTP date): at most an
 * hour. Undefined when it asks for no wait or is not understood.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  // Only what looks like an HTTP date: `Date.parse` alone takes "-5" for a month.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : date - now;
  return delayMs > 0 ? Math.min(delayMs, LONGEST_DELAY_MS) : undefined;
}
