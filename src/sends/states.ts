import type { RecipientState, SendState } from './send.ts';

/*
 * ARCHITECTURE.md draws these two tables (`npm run documents`).
 */

/** Which state a send may come into from each state; everything else is a bug. */
export const SEND_CHANGES: Readonly<Record<SendState, readonly SendState[]>> = {
  draft: ['awaiting_approval', 'approved', 'cancelled'],
  awaiting_approval: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: ['awaiting_approval', 'scheduled', 'sending', 'paused', 'cancelled'],
  scheduled: ['awaiting_approval', 'sending', 'paused', 'cancelled'],
  sending: ['paused', 'done', 'stopped'],
  // Back to its approvers only while nobody was sent to.
  paused: ['awaiting_approval', 'sending', 'stopped'],
  done: [],
  rejected: [],
  expired: [],
  cancelled: [],
  stopped: [],
};

/** True when a send in `from` may come into `to`; both stores ask before they write. */
export function mayMove(from: SendState, to: SendState): boolean {
  return SEND_CHANGES[from].includes(to);
}

/** States of a send that has ended before anybody was sent to, and of which nothing can follow any more. */
export const CAME_TO_NOTHING: readonly SendState[] = ['rejected', 'expired', 'cancelled'];

/** States in which a send still waits for something. In a restored copy of the database each of them becomes `stopped`. */
export const UNENDED: readonly SendState[] = unended(SEND_CHANGES);

/**
 * Which state a recipient may come into from each state. `attempting` is written before its request starts and goes back
 * to `pending` only on proof that nothing left this machine; `pending` comes straight to `not_sent` when it is too late to
 * send, and to `unknown` in a restored copy of the database. Whoever is left out from the start begins as `skipped`.
 */
export const RECIPIENT_CHANGES: Readonly<Record<RecipientState, readonly RecipientState[]>> = {
  pending: ['attempting', 'not_sent', 'unknown'],
  attempting: ['pending', 'accepted', 'rejected', 'not_sent', 'unknown', 'skipped'],
  accepted: [],
  rejected: [],
  not_sent: [],
  unknown: [],
  skipped: [],
};

/** States in which it is open what becomes of a recipient; nothing changes one in any other state. */
export const UNSETTLED: readonly RecipientState[] = unended(RECIPIENT_CHANGES);

function unended<State extends string>(changes: Readonly<Record<State, readonly State[]>>): readonly State[] {
  return (Object.keys(changes) as State[]).filter((state) => changes[state].length > 0);
}
