import type { SendState } from './send.ts';

/** Which state a send may come into from each state; everything else is a bug. */
const NEXT_STATES: Readonly<Record<SendState, readonly SendState[]>> = {
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
  return NEXT_STATES[from].includes(to);
}

/** States of a send that has ended before anybody was sent to, and of which nothing can follow any more. */
export const CAME_TO_NOTHING: readonly SendState[] = ['rejected', 'expired', 'cancelled'];

/** States in which a send still waits for something. In a restored copy of the database each of them becomes `stopped`. */
export const UNENDED: readonly SendState[] = (Object.keys(NEXT_STATES) as SendState[]).filter(
  (state) => NEXT_STATES[state].length > 0,
);
