import type { Failure } from '../outcome.ts';
import type { Origin, Send } from '../send.ts';
import type { ApprovalPolicy } from '../settings.ts';

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

export const HOUR_MS = 3_600_000;

/** With so many `more`, what a person sends without an approval must not become more than `most` since `since`, alerts aside. */
export type UnaskedLimit = NonNullable<ReturnType<typeof limitFor>>;

/** The limit for so many recipients more that somebody asks for now; undefined where there is none, and for alerts. */
export function limitFor(
  { singlesPerHour: most }: Pick<ApprovalPolicy, 'singlesPerHour'>,
  { userId, alert }: Origin,
  more: number,
  now: number,
) {
  if (most === undefined || alert !== undefined) return undefined;
  return { userId, more, most, since: now - HOUR_MS };
}

/** Why a send waits that goes beyond the limit. */
export function beyond({ most }: UnaskedLimit): Failure {
  return {
    what: `More than ${most} messages of one person within an hour need an approval.`,
    next: 'Nothing was sent yet.',
    scope: 'send',
  };
}
