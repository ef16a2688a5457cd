import type { Message } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { ApprovalResult } from './ports.ts';
import type { Origin, RetryGroup, Send } from './send.ts';

/** Why a request was not carried out: two whole sentences. */
export interface Refusal {
  readonly state: 'refused';
  /** What happened, and that nothing was sent, unless that is not known. */
  readonly what: string;
  readonly next: string;
  /** The form path of the field that caused it, e.g. `schedule`. */
  readonly path?: string;
  /** The store did not answer, so the request may still be carried out. */
  readonly isUnsure?: true;
}

/** A parsed request: one message, whose values may contain `{{column}}`, to one audience. */
export interface BulkRequest {
  readonly message: Message;
  readonly audienceId: string;
  readonly origin: Origin;
  readonly requestKey: string;
  /** Milliseconds since the epoch; absent: as soon as it is approved. */
  readonly startAt?: number;
  /** Above so many recipients it waits for approval, whatever `approvals.over` says: for people on call. */
  readonly approvalOver?: number;
  /** The send to one person that this one tries again. */
  readonly triedAgain?: { readonly retryOf: string; readonly retryGroup: RetryGroup };
}

/** What a request for a message and a list would come to. */
export interface ListReview {
  /** Whom it would go to. */
  readonly recipients: number;
  /** How many valid rows it would leave out, by cause; a cause is a sentence. */
  readonly causes: readonly { readonly what: string; readonly count: number }[];
  /** The first ten of these. */
  readonly rows: readonly { readonly row: number; readonly number: Msisdn; readonly what: string }[];
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

/** Who may approve, by Slack's users and user groups. */
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

export interface BulkSends {
  request(request: BulkRequest): Promise<BulkResult>;
  /**
   * What this request would come to now: every row is read, which takes as long as the list is. Undefined when it would be
   * refused, or `signal` has aborted.
   */
  review(
    asked: Pick<BulkRequest, 'message' | 'audienceId' | 'startAt'>,
    signal?: AbortSignal,
  ): Promise<ListReview | undefined>;
  /** @param by `digest` and `warnings` are those of the card that was clicked */
  approve(by: {
    sendId: string;
    userId: string;
    teamId: string;
    digest: string;
    warnings?: string;
  }): Promise<ApprovalResult | Refusal>;
  reject(by: { sendId: string; userId: string; teamId: string; reason: string }): Promise<Send | Refusal>;
  /** Only by the requester, before it has started; approvals are void. */
  withdraw(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  pause(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  resume(by: { sendId: string; userId: string; teamId: string }): Promise<Send | Refusal>;
  /** Ends it for good: the rest is never sent. */
  stop(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  /**
   * A new send to one group of an ended send's recipients, with approval like any other. There is one retry per group:
   * later requests return it as `repeated`, unless it ended before it sent anything.
   */
  retry(by: { sendId: string; origin: Origin; group: RetryGroup; requestKey: string }): Promise<BulkResult>;
}
