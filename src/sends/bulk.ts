import type { RetryGroup, Send } from './send.ts';

/** Why a request was not carried out: two whole sentences. */
export interface Refusal {
  readonly state: 'refused';
  /** It says what happened, and that nothing was sent, unless that is not known. */
  readonly what: string;
  readonly next: string;
  /** The form path of the field that caused it, e.g. `schedule`. */
  readonly path?: string;
  /** The store did not answer, so the request may still be carried out. */
  readonly isUnsure?: true;
}

/** A parsed request: one message, whose values may contain `{{column}}`, to one audience. */
export interface BulkRequest extends Pick<Send, 'message' | 'origin'> {
  readonly audienceId: string;
  /** Names the click or command: a view's id, a command's trigger_id. The same key twice sends once. */
  readonly requestKey: string;
  /** Milliseconds since the epoch; absent: as soon as it is approved. */
  readonly startAt?: number;
  /** The requester's words for those who approve; at most 300 characters. */
  readonly note?: string | undefined;
  /** The id of the send that this one was edited from: it ends when this one is asked for, if nothing of it was sent. */
  readonly replaces?: string | undefined;
  /** Above so many recipients it waits for approval, whatever `approvals.over` says: for people on call. */
  readonly approvalOver?: number;
  /** Labels of links of its message of which nobody knows what they lead to. */
  readonly openMedia?: readonly string[];
  /** The send that this one tries again, and the group of its recipients. */
  readonly triedAgain?: { readonly retryOf: string; readonly retryGroup: RetryGroup };
}

export type BulkResult =
  | { readonly state: 'awaiting_approval'; readonly send: Send }
  /** Needs no approval; starts now, or at `startAt`. */
  | { readonly state: 'started'; readonly send: Send }
  | { readonly state: 'repeated'; readonly send: Send }
  | Refusal;

/** Why a person may not approve. */
export type ApproverProblem =
  | 'requester'
  | 'requester_before'
  | 'not_listed'
  | 'guest'
  | 'other_workspace'
  | 'unknown';

/** It knows who may approve, by Slack's users and user groups. */
export interface ApproverDirectory {
  /**
   * Undefined when this person is an approver. Slack's answer may be cached for up to a minute unless `fresh`, which
   * decisions and starts ask for.
   */
  whyNot(
    userId: string,
    teamId: string,
    how?: { readonly fresh: boolean },
  ): Promise<ApproverProblem | undefined>;
}
