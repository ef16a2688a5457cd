import type { SendState } from './send.ts';

/** How much there is to do and to decide, over all sends. */
export interface Workload {
  /** Sends that have not ended. */
  readonly sends: Readonly<Partial<Record<SendState, number>>>;
  /** Their recipients without an outcome. */
  readonly recipientsLeft: number;
  /** Of the sends in state `sending`: the last start, resumption or claim of the one where that is longest ago. */
  readonly oldestPendingAt?: number;
  /** When the oldest send that waits for an approval was asked for. */
  readonly oldestApprovalAt?: number;
  /** Unknown recipients of sends since `since` that nobody has decided about. */
  readonly undecided: number;
}
