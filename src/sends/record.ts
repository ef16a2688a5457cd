import type { Failure } from './outcome.ts';
import type { Send } from './send.ts';

/** One line of the append-only record of who did what. */
export interface SendEvent {
  readonly sendId: string;
  readonly at: number;
  readonly actor: string;
  /** `requested`, `approved_by` for one of several approvals, the new state, `doubts_settled` by reports, a `RecordedAction` or a `Removal`. */
  readonly action: string;
  readonly reason?: Failure;
}

/** A line of the whole record, with facts about its send. */
export interface RecordLine extends SendEvent {
  readonly id: number;
  /** On the line `requested`. */
  readonly asked?: Pick<Send, 'message' | 'template' | 'retryOf'>;
  /** On every other line of a bulk send. */
  readonly digest?: string;
  /** On the same lines: how many recipients it had when it was sealed. */
  readonly recipients?: number;
}

/**
 * Recorded without a change of state: approvers were reminded; a person left the unknown recipients as they are, chose to
 * wait for the end of quiet hours, or tried to approve without the right to.
 */
export type RecordedAction = 'reminded' | 'left_unknown' | 'chose_to_wait' | 'approval_refused';

/** Recorded of a send that has ended, by its age or because somebody asked for it. */
export type Removal = 'numbers_removed' | 'texts_removed' | 'erased';
