/**
 * What became of one request to the service, and the words for it. The evidence rules stand in
 * docs/wire.md and are applied by `gateway`; this file holds the shape that everybody else reads.
 */

/** How far a failure reaches: one recipient, the whole send, or the service itself. */
export type FailureScope = 'recipient' | 'send' | 'service';

/** Why something was not accepted, in words a person can act on. */
export interface Failure {
  /** The service's code as it came, e.g. "132000"; absent when there was none. */
  readonly code?: string;
  /** HTTP status, when an answer came. */
  readonly status?: number;
  /** What happened: one sentence. */
  readonly what: string;
  /** What to do next: one sentence. */
  readonly next: string;
  readonly scope: FailureScope;
  /** The body field that the service blamed, where its answer names one. */
  readonly field?: string;
}

export type Outcome =
  | { readonly state: 'accepted'; readonly status: number; readonly messageId?: string }
  /** The service or Herald refused it: nothing reached the customer. */
  | { readonly state: 'rejected'; readonly failure: Failure }
  /** The request never left this machine, or the service said "not now" before taking it. */
  | { readonly state: 'not_sent'; readonly failure: Failure; readonly retry: NotSentRetry }
  /** It may or may not have been sent. Only a named person may send it again. */
  | { readonly state: 'unknown'; readonly failure: Failure };

/** Whether an automatic retry can help: never for a bad certificate, after a while for 429. */
export type NotSentRetry =
  | { readonly kind: 'never' }
  | { readonly kind: 'backoff' }
  | { readonly kind: 'after'; readonly delayMs: number };

/** The second of the three parts of every failure: whether the customer may have received something. */
export const MAY_HAVE_BEEN_SENT = {
  accepted: 'It was accepted by the service.',
  rejected: 'Nothing was sent.',
  not_sent: 'Nothing was sent.',
  unknown: 'It may have been sent: the customer may already have it.',
} as const satisfies Record<Outcome['state'], string>;
