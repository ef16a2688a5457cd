import type { Send } from '../send.ts';

/** `approvals` of herald.yml. */
export interface ApprovalPolicy {
  /** Users and user groups; empty: nobody can approve. */
  readonly approvers: readonly string[];
  /** A send to more recipients than this needs approval. */
  readonly over: number;
  /** More approvals for larger audiences: the highest number of the tiers exceeded. */
  readonly tiers: readonly { readonly over: number; readonly approvals: number }[];
  /** What one person sends beyond so many messages within an hour needs approval, whatever `over` says. */
  readonly singlesPerHour?: number | undefined;
  readonly expireHours: number;
  /** An interrupted send does not resume by itself when its last attempt is longer ago than this. */
  readonly lateAfterMinutes: number;
}

/** As many as when it was requested, or more if the rules have become stricter. */
export function approvalsNeededNow(policy: ApprovalPolicy, send: Send): number {
  const { approval, approvalOver, recipientCount, counts } = send;
  const now = approvalsNeeded(policy, recipientCount - counts.skipped, approvalOver);
  return Math.max(approval?.needed ?? 0, now);
}

/**
 * How many different people must approve a send to so many recipients; 0 for none.
 *
 * @param approvalOver replaces `over` for this send
 */
export function approvalsNeeded(
  { over, tiers }: ApprovalPolicy,
  recipients: number,
  approvalOver = over,
): number {
  if (recipients <= approvalOver) return 0;
  const exceeded = tiers.filter((tier) => recipients > tier.over);
  return Math.max(1, ...exceeded.map(({ approvals }) => approvals));
}
