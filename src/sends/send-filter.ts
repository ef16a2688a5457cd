import type { RecipientState, SendState } from './send.ts';

/** Whose sends, and how many at most; absent `userId`: everybody's. */
export interface SendSelection {
  readonly userId?: string | undefined;
  readonly limit: number;
}

/** `states` and `outcomes` together take what fits either. */
export interface SendFilter extends SendSelection {
  readonly states?: readonly SendState[] | undefined;
  /** At least one recipient is in one of these states. */
  readonly outcomes?: readonly RecipientState[] | undefined;
  /** The name of its template, of whatever channel. */
  readonly template?: string | undefined;
  /** Asked for at this moment or later. */
  readonly since?: number | undefined;
  /** Older than this moment, for paging. */
  readonly before?: number | undefined;
}
