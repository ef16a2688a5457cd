import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { SmsSender } from '../../messages/senders.ts';
import type { Pattern } from './pattern.ts';

/* `alerts` of herald.yml, parsed. */

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** When somebody is on call. A window that crosses midnight belongs to the day on which it begins. */
export interface OnCallHours {
  /** Absent: every day. */
  readonly days?: readonly Weekday[] | undefined;
  /** `HH:MM`; both absent: all day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA name; absent: `alerts.timezone`. */
  readonly timezone?: string | undefined;
}

/** Somebody to notify: a number, or a Slack user whose number is on file. */
export interface AlertPerson {
  readonly name?: string | undefined;
  readonly number?: Msisdn | undefined;
  /** Slack user id. */
  readonly user?: string | undefined;
  /** Absent: always. */
  readonly onCall?: readonly OnCallHours[] | undefined;
}

interface Escalation {
  readonly afterMinutes: number;
  readonly notify: readonly string[];
}

export interface AlertRule {
  /** Unique. */
  readonly name: string;
  readonly channel: string;
  /** Absent or empty: anybody. */
  readonly from: {
    readonly apps?: readonly string[] | undefined;
    readonly bots?: readonly string[] | undefined;
    readonly users?: readonly string[] | undefined;
    /** Of incoming webhooks and bots, in any case of letters. */
    readonly names?: readonly string[] | undefined;
    /** Names of `alerts.sources`. */
    readonly sources?: readonly string[] | undefined;
  };
  readonly match?: Pattern | undefined;
  readonly except?: Pattern | undefined;
  /** What matches is a sign of life and no alert; when none came for so long, that is one. In milliseconds. */
  readonly expect?: { readonly everyMs: number } | undefined;
  readonly severity: string;
  /** Names of `groups`, or user groups of Slack by id or handle. */
  readonly notify: readonly string[];
  /** With {{text}}, {{title}}, {{severity}}, {{rule}} and {{channel}}. */
  readonly text: string;
  /** SMS parts. */
  readonly segments: number;
  /** Its named parts wherever it matches, else its first match, identify an alert. Absent: the text without values that change. */
  readonly fingerprint?: Pattern | undefined;
  readonly coolDownMinutes: number;
  /** Alerts an hour, of the rule and of each of its escalations. */
  readonly capPerHour: number;
  readonly escalate: readonly Escalation[];
  /** The same text follows as ordinary SMS. */
  readonly followUp: boolean;
  /** Absent: where the severity is `critical`. */
  readonly overrideQuietHours?: boolean | undefined;
  readonly resolved: {
    /** Absent: the usual words of the common sources. */
    readonly match?: Pattern | undefined;
    /** Those who were notified of the alert are notified that it is over. */
    readonly notify: boolean;
  };
}

export interface AlertSettings {
  readonly groups: Readonly<Record<string, readonly AlertPerson[]>>;
  readonly rules: readonly AlertRule[];
  /** Of on-call hours and of times in texts. */
  readonly timezone: string;
  /** The sender of flash SMS; undefined when no SMS sender is configured. */
  readonly sender: SmsSender | undefined;
  /** An alert to more people than this waits for approval. */
  readonly approvalOver: number;
  readonly capPerPersonPerHour: number;
  /** A later alert or escalation is not sent, only posted in its thread. */
  readonly lateAfterMinutes: number;
  /** Repetitions of an acknowledged alert are not sent for so long, unless it was resolved. */
  readonly acknowledgedMinutes: number;
}

export function overridesQuietHours({ overrideQuietHours, severity }: AlertRule): boolean {
  return overrideQuietHours ?? severity === 'critical';
}

const USER_GROUP = /^(?:S[A-Z0-9]{2,}|@[^\s@]+)$/;

/** True for what a rule notifies that may be a user group of Slack: its id, or its handle with `@`. */
export function isUserGroup(name: string): boolean {
  return USER_GROUP.test(name);
}

/** The user groups that a rule notifies, at once or later. */
export function userGroupsOf(
  { notify, escalate }: Pick<AlertRule, 'notify' | 'escalate'>,
  { groups }: Pick<AlertSettings, 'groups'>,
): readonly string[] {
  const names = [...notify, ...escalate.flatMap((one) => one.notify)];
  return [...new Set(names)].filter((name) => !Object.hasOwn(groups, name) && isUserGroup(name));
}
