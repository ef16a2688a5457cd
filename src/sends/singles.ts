import type { ApprovalPolicy } from './bulk/policy.ts';
import type { Failure } from './outcome.ts';
import type { Origin } from './send.ts';

const HOUR_MS = 3_600_000;

/** With so many `more`, what a person sends without an approval must not become more than `most` since `since`, alerts aside. */
export interface UnaskedLimit {
  readonly userId: string;
  /** Recipients. */
  readonly more: number;
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The limit for so many messages more that somebody asks for now; undefined where there is none, and for alerts. */
export function limitFor(
  { singlesPerHour: most }: Pick<ApprovalPolicy, 'singlesPerHour'>,
  { userId, alert }: Origin,
  more: number,
  now: number,
): UnaskedLimit | undefined {
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
