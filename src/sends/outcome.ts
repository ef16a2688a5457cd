import type { Msisdn } from '../messages/numbers/phone-number.ts';

/** A failure affects one recipient, the whole send, or every send through the service. */
export type FailureScope = 'recipient' | 'send' | 'service';

/** Why something was not accepted, and what a person can do. */
export interface Failure {
  /** The service's code, e.g. "132000". */
  readonly code?: string;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** One sentence that says what happened. */
  readonly what: string;
  /** The same after a number of people, in a few words: `opted out`. */
  readonly short?: string;
  /** The service's own words on it: one line of at most 300 characters, numbers and secrets covered. Foreign text. */
  readonly explanation?: string;
  /** One sentence that says what to do. */
  readonly next: string;
  readonly scope: FailureScope;
  /** The body field that the answer blames. */
  readonly field?: string;
  /** Status and shape, as JSON, of a 2xx that was not understood; nothing in it is anybody's. */
  readonly shape?: string;
}

/** How one request ended; `gateway` derives it by the rules of docs/wire.md ("Outcomes"). */
export type Outcome =
  | { readonly state: 'accepted'; readonly status: number; readonly messageId?: string }
  /** The service or Herald refused it: nothing reached the customer. */
  | { readonly state: 'rejected'; readonly failure: Failure }
  /** The request never left this machine, or the service answered "not now"; nothing reached the customer. */
  | { readonly state: 'not_sent'; readonly failure: Failure; readonly retry: NotSentRetry }
  /** It may or may not have been sent. Only a named person may send it again; a report on its id settles it. */
  | { readonly state: 'unknown'; readonly failure: Failure; readonly messageId?: string };

/** How a request for several ended: `each`, in their order, where the answer has an entry for any of them. */
export type RequestOutcome = Outcome & { readonly each?: readonly Outcome[] };

/** When an automatic retry can help: e.g. never for a bad certificate, after a delay for 429. */
export type NotSentRetry =
  | { readonly kind: 'never' }
  | { readonly kind: 'backoff' }
  | { readonly kind: 'after'; readonly delayMs: number };

/** Whether the customer may have received something: the second sentence of every failure. */
export const MAY_HAVE_BEEN_SENT = {
  accepted: 'It was accepted by the service.',
  rejected: 'Nothing was sent.',
  not_sent: 'Nothing was sent.',
  unknown: 'It may have been sent: the customer may already have it.',
} as const satisfies Record<Outcome['state'], string>;

/** Asks who of a claimed batch is left out after all. */
export interface LeaveOut {
  readonly sendId: string;
  readonly recipients: readonly { readonly row: number; readonly number: Msisdn }[];
  readonly failure: Failure;
  readonly at: number;
}

/** Asks who of it has had enough. */
export interface OverCap extends LeaveOut {
  /** More than `most` messages that were sent, or may have been, since `since`, the claimed one included. */
  readonly most: number;
  readonly since: number;
}

/** The end of one recipient, or of all up to `last`, who shared a request with one outcome and one message id. */
export interface Settlement {
  readonly sendId: string;
  readonly row: number;
  readonly last?: number | undefined;
  /** `skipped`: it was claimed and then left out, e.g. because the number has opted out meanwhile. */
  readonly outcome: Outcome | { readonly state: 'skipped'; readonly failure: Failure };
  readonly settledAt: number;
}

/** How many outcomes were written, and which sends are done by that. */
export interface Settled {
  readonly written: number;
  readonly done: readonly string[];
}

/** Somebody was sent something, or is to be. */
export interface Got {
  /** One for each person and what they read. */
  readonly reading: string;
  readonly sendId: string;
  readonly userId: string;
  /** Absent while they are still to get it. */
  readonly at?: number;
}
