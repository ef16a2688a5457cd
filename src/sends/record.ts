import type { Failure } from './outcome.ts';
import type { Send } from './send.ts';

/** One line of the append-only record of who did what. */
export interface SendEvent {
  readonly sendId: string;
  readonly at: number;
  readonly actor: string;
  /** `requested`, `approved_by` for one of several approvals, the state the send came into, or a `SendNote`. */
  readonly action: string;
  readonly reason?: Failure;
}

/** A line of the whole record, with what its send is. What a line says never changes. */
export interface RecordLine extends SendEvent {
  readonly id: number;
  /** On the line by which the send was asked for. */
  readonly asked?: Pick<Send, 'message' | 'template' | 'retryOf'>;
  /** On every other line of a bulk send: what its approvals name. */
  readonly digest?: string;
  /** On the same lines: how many were to be sent to when it was sealed. */
  readonly recipients?: number;
}

/**
 * What happens to a send and changes no state: its approvers were reminded, or a person chose to leave its unknown
 * recipients as they are, or to wait for the end of quiet hours, or wanted to approve and may not.
 */
export type SendNote = 'reminded' | 'left_unknown' | 'chose_to_wait' | 'approval_refused';
