import type { Failure, Outcome } from './outcome.ts';
import type { RecipientRow } from './send.ts';

/** A recipient that was claimed and then left out, e.g. because the number has opted out meanwhile. */
interface Skipped {
  readonly state: 'skipped';
  readonly failure: Failure;
}

/** Who of a claimed batch has had enough. */
export interface OverCap {
  readonly sendId: string;
  readonly recipients: readonly Pick<RecipientRow, 'row' | 'number'>[];
  /** More than `most` messages that were sent, or may have been, since `since`, the claimed one included. */
  readonly most: number;
  readonly since: number;
  readonly failure: Failure;
  readonly at: number;
}

/** What became of one recipient. */
export interface Settlement {
  readonly sendId: string;
  readonly row: number;
  readonly outcome: Outcome | Skipped;
  readonly settledAt: number;
}

/** How many outcomes were written, and which sends are done by that. */
export interface Settled {
  readonly written: number;
  readonly done: readonly string[];
}
