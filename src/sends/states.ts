import type { RecipientState, SendState } from './send.ts';

/** The transitions of a send; any other is a bug. ARCHITECTURE.md draws this table and the next (`npm run documents`). */
export const SEND_CHANGES: Readonly<Record<SendState, readonly SendState[]>> = {
  draft: ['awaiting_approval', 'approved', 'cancelled'],
  awaiting_approval: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: ['awaiting_approval', 'scheduled', 'sending', 'paused', 'cancelled'],
  scheduled: ['awaiting_approval', 'sending', 'paused', 'cancelled'],
  sending: ['paused', 'done', 'stopped'],
  // To `awaiting_approval` only while nothing was sent.
  paused: ['awaiting_approval', 'sending', 'stopped'],
  done: [],
  rejected: [],
  expired: [],
  cancelled: [],
  stopped: [],
};

/** True when a send may move from `from` to `to`; both stores check before they write. */
export function mayMove(from: SendState, to: SendState): boolean {
  return SEND_CHANGES[from].includes(to);
}

/** Final states of a send that sent nothing. */
export const CAME_TO_NOTHING: readonly SendState[] = ['rejected', 'expired', 'cancelled'];

/** States that are not final. In a restored copy of the database, sends in them become `stopped`. */
export const UNENDED: readonly SendState[] = unended(SEND_CHANGES);

/**
 * The transitions of a recipient. `attempting` is written before the request starts, and returns to `pending` only on
 * proof that nothing left this machine. `pending` becomes `not_sent` when it is too late to send, and `unknown` in a
 * restored copy of the database. A recipient left out from the start begins as `skipped`. The service's reports settle what is
 * `unknown`, and one that a message arrived is believed against one that it failed.
 */
export const RECIPIENT_CHANGES: Readonly<Record<RecipientState, readonly RecipientState[]>> = {
  pending: ['attempting', 'not_sent', 'unknown'],
  attempting: ['pending', 'accepted', 'rejected', 'not_sent', 'unknown', 'skipped'],
  accepted: [],
  rejected: ['accepted'],
  not_sent: [],
  unknown: ['accepted', 'rejected'],
  skipped: [],
};

/** States of a recipient without an outcome. */
export const UNSETTLED: readonly RecipientState[] = ['pending', 'attempting'];

function unended<State extends string>(changes: Readonly<Record<State, readonly State[]>>): readonly State[] {
  return (Object.keys(changes) as State[]).filter((state) => changes[state].length > 0);
}
