/** The states of a send, and its transitions; any other is a bug. A send to one recipient passes `approved → sending → done`. ARCHITECTURE.md draws this table and the next (`npm run documents`). */
const ofSends = {
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
} as const;
export type SendState = keyof typeof ofSends;
export const SEND_CHANGES: Readonly<Record<SendState, readonly SendState[]>> = ofSends;

/** True when a send may move from `from` to `to`; both stores check before they write. */
export function mayMove(from: SendState, to: SendState): boolean {
  return SEND_CHANGES[from].includes(to);
}

/** Final states of a send that sent nothing. */
export const CAME_TO_NOTHING: readonly SendState[] = ['rejected', 'expired', 'cancelled'];

/** States that are not final. In a restored copy of the database, sends in them become `stopped`. */
export const UNENDED: readonly SendState[] = (Object.keys(SEND_CHANGES) as SendState[]).filter(
  (state) => SEND_CHANGES[state].length > 0,
);

/**
 * The transitions of a recipient. `attempting` is written before the request starts, and returns to `pending` only on
 * proof that nothing left this machine. `pending` becomes `not_sent` when it is too late to send, and `unknown` in a
 * restored copy of the database. A recipient left out from the start begins as `skipped`. The service's reports settle what is
 * `unknown`, and one that a message arrived is believed against one that it failed.
 */
const ofRecipients = {
  pending: ['attempting', 'not_sent', 'unknown'],
  attempting: ['pending', 'accepted', 'rejected', 'not_sent', 'unknown', 'skipped'],
  accepted: [],
  rejected: ['accepted'],
  not_sent: [],
  unknown: ['accepted', 'rejected'],
  skipped: [],
} as const;
export type RecipientState = keyof typeof ofRecipients;
export const RECIPIENT_CHANGES: Readonly<Record<RecipientState, readonly RecipientState[]>> = ofRecipients;

/** States of a recipient without an outcome. */
export const UNSETTLED: readonly RecipientState[] = ['pending', 'attempting'];
