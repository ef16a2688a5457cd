import type { Message } from '../messages/kinds.ts';
import type { Audience } from './audience.ts';
import type { ApprovalResult, FailureGroup } from './ports.ts';
import type { Origin, RecipientCounts, RetryGroup, Send } from './send.ts';

/*
 * What `slack` may ask of bulk sends. Each refusal is two whole sentences: what happened (and that nothing was
 * sent, unless nobody knows), and what to do next.
 */

export interface Refusal {
  readonly state: 'refused';
  readonly what: string;
  readonly next: string;
  /** The form path of the field that is to blame, where one is, e.g. `schedule`. */
  readonly path?: string;
  /** The store did not answer, so what was asked for may be done all the same. */
  readonly isUnsure?: true;
}

/** A person's request, parsed: one message, whose values may hold `{{column}}`, to one audience. */
export interface BulkRequest {
  readonly message: Message;
  readonly audienceId: string;
  readonly origin: Origin;
  readonly requestKey: string;
  /** Milliseconds since the epoch; absent: as soon as it is approved. */
  readonly startAt?: number;
  /** It waits for approval above so many recipients, whatever `approvals.over` says: for the team's own people on call. */
  readonly approvalOver?: number;
}

export type BulkResult =
  | { readonly state: 'awaiting_approval'; readonly send: Send }
  /** Small enough to need no approval; it starts now, or at its time. */
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

/** Who may approve; slack asks users and user groups. */
export interface ApproverDirectory {
  /**
   * Undefined when this person is an approver. What Slack said may be up to a minute old, unless `fresh`: a
   * decision asks anew, and so does a send that is about to start.
   */
  whyNot(
    userId: string,
    teamId: string,
    how?: { readonly fresh: boolean },
  ): Promise<ApproverProblem | undefined>;
}

export interface BulkSends {
  request(request: BulkRequest): Promise<BulkResult>;
  /** `digest` is the one that the card showed. */
  approve(by: {
    sendId: string;
    userId: string;
    teamId: string;
    digest: string;
  }): Promise<ApprovalResult | Refusal>;
  reject(by: { sendId: string; userId: string; teamId: string; reason: string }): Promise<Send | Refusal>;
  /** By the requester before it has started. */
  cancel(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  /** Takes a waiting send back so that it can be changed: approvals are void. */
  withdraw(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  pause(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  resume(by: { sendId: string; userId: string; teamId: string }): Promise<Send | Refusal>;
  /** For good: the rest is never sent. */
  stop(by: { sendId: string; userId: string }): Promise<Send | Refusal>;
  /**
   * A new send to this group of an ended send's recipients, by a named person's choice; approval as for any other. Of
   * each group there is one, however often it is asked for, unless it came to nothing: `repeated` gives back that one.
   */
  retry(by: { sendId: string; origin: Origin; group: RetryGroup; requestKey: string }): Promise<BulkResult>;
  progress(sendId: string): Promise<BulkProgress | undefined>;
}

/** What the progress message shows. */
export interface BulkProgress {
  readonly send: Send;
  readonly counts: RecipientCounts;
  /** Recipients a second, lately. */
  readonly perSecond: number;
  /** Undefined when nothing moves. */
  readonly remainingMs?: number;
  readonly failures: readonly FailureGroup[];
  /** The database takes no writes, so nothing new is sent. */
  readonly stalled?: boolean;
}

/**
 * Tells of bulk sends in Slack. Never throws. Each call resolves once Slack shows it, or cannot be made to, or Herald
 * is stopping; Slack may take long, so nothing that sends should wait for it.
 */
export interface BulkAnnouncer {
  /** Posts or updates the approval card, in whatever state the send is. */
  showApproval(send: Send, audience: Audience): Promise<void>;
  /** Tells the approvers once more, below the card, that it still waits. */
  remind(send: Send): Promise<void>;
  /** Posts or updates the progress message; called often, and free to leave out all but the latest. */
  showProgress(progress: BulkProgress): Promise<void>;
  /** Says on the progress message, while Herald is stopping, how many are left and that it goes on by itself. */
  showRestart(progress: BulkProgress): Promise<void>;
  /** Told once, when the send has ended: summary, failures, report. */
  showEnd(progress: BulkProgress): Promise<void>;
}
