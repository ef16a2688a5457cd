import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { SmsSender } from '../../messages/senders.ts';
import type { Pattern } from './pattern.ts';

/* `alerts` of herald.yml, as Herald uses it. */

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When somebody is on call. A window that ends before it begins goes over midnight and belongs to the day it begins. */
export interface OnCallHours {
  /** Absent: every day. */
  readonly days?: readonly Weekday[] | undefined;
  /** `HH:MM`; both absent: all day. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA name; absent: `alerts.timezone`. */
  readonly timezone?: string | undefined;
}

/** Somebody to notify: by a number written down, or a Slack user whose number is on file. */
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
  /** No other rule has it. */
  readonly name: string;
  readonly channel: string;
  /** Absent or empty: whoever posts there. */
  readonly from: {
    readonly apps?: readonly string[] | undefined;
    readonly bots?: readonly string[] | undefined;
    readonly users?: readonly string[] | undefined;
  };
  readonly match?: Pattern | undefined;
  readonly except?: Pattern | undefined;
  readonly severity: string;
  /** Group names. */
  readonly notify: readonly string[];
  /** With {{text}}, {{title}}, {{severity}}, {{rule}} and {{channel}}. */
  readonly text: string;
  /** SMS parts. */
  readonly segments: number;
  /** What names an alert: its groups, or all that matches. Absent: the text without what changes from time to time. */
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
    /** Absent: the words that the usual sources begin with. */
    readonly match?: Pattern | undefined;
    /** Whoever was told of the alert is told that it is over. */
    readonly notify: boolean;
  };
}

export interface AlertSettings {
  readonly groups: Readonly<Record<string, readonly AlertPerson[]>>;
  readonly rules: readonly AlertRule[];
  /** Of on-call hours and of times in texts. */
  readonly timezone: string;
  /** Whom flash SMS come from; undefined where no SMS sender is configured. */
  readonly sender: SmsSender | undefined;
  /** An alert to more people than this waits for approval. */
  readonly approvalOver: number;
  readonly capPerPersonPerHour: number;
  /** An alert, or an escalation, that is later than this is told in its thread and not sent. */
  readonly lateAfterMinutes: number;
  /** Repeats of an acknowledged alert stay silent for so long, unless it was resolved meanwhile. */
  readonly acknowledgedMinutes: number;
}

export function overridesQuietHours({ overrideQuietHours, severity }: AlertRule): boolean {
  return overrideQuietHours ?? severity === 'critical';
}
