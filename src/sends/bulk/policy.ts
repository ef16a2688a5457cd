import type { Send } from '../send.ts';

/** `approvals` of herald.yml. */
export interface ApprovalPolicy {
  /** Users and user groups; empty: nobody can approve. */
  readonly approvers: readonly string[];
  /** A send to more recipients than this waits. */
  readonly over: number;
  /** More approvals for larger audiences; the largest `over` that is exceeded counts. */
  readonly tiers: readonly { readonly over: number; readonly approvals: number }[];
  readonly expireHours: number;
  /** A send that was broken off does not go on by itself so long after its last attempt. */
  readonly lateAfterMinutes: number;
}

/** As many as were asked for when it was asked for, or more where the rules have become stricter since. */
export function approvalsNeededNow(policy: ApprovalPolicy, send: Send): number {
  const { approval, approvalOver, recipientCount, counts } = send;
  const now = approvalsNeeded(
    { ...policy, over: approvalOver ?? policy.over },
    recipientCount - counts.skipped,
  );
  return Math.max(approval?.needed ?? 0, now);
}

/** How many different people must approve a send to so many recipients; 0 for none. */
export function approvalsNeeded({ over, tiers }: ApprovalPolicy, recipients: number): number {
  if (recipients <= over) return 0;
  const exceeded = tiers.filter((tier) => recipients > tier.over);
  return Math.max(1, ...exceeded.map(({ approvals }) => approvals));
}
