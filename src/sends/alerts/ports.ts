import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { AnnounceResult } from '../ports.ts';
import type { Announcement, SendReport } from '../send.ts';
import type { Alert, AlertDecision, AlertEvent, AlertHold, RuleState } from './alert.ts';
import type { OpenEvent } from './decide.ts';
import type { AlertRule } from './rules.ts';

export interface StoredAlertEvent extends OpenEvent {
  readonly id: number;
}

/** Everything that deciding depends on; `version` names this state of it. */
export interface AlertState {
  readonly version: number;
  readonly alerts: readonly Alert[];
  readonly rules: readonly RuleState[];
}

/** What deciding has come to, written together or not at all. */
export interface AlertChanges {
  readonly events?: readonly { readonly id: number; readonly decisions: readonly AlertDecision[] }[];
  /** New, or in the place of what was there. */
  readonly alerts?: readonly Alert[];
  readonly rules?: readonly RuleState[];
}

/** Of an alert, how it stands in Slack. */
export interface UntoldAlert {
  readonly alert: Alert;
  /** Goes up with each change that people are told of. */
  readonly revision: number;
  readonly card?: Announcement;
}

export interface NumberOnFile {
  readonly userId: string;
  readonly number: Msisdn;
  readonly at: number;
  /** Who entered it. */
  readonly by: string;
}

/** Durable memory of alerts; the same rules as `SendStore`. */
export interface AlertStore {
  /**
   * Keeps events. One with a known id, or that tells the same of the same message, is a repetition and not kept again.
   */
  keep(events: readonly AlertEvent[]): Promise<readonly { readonly repeated: boolean }[]>;
  /** Up to `limit` events that are not decided on, oldest first. */
  waiting(limit: number): Promise<readonly StoredAlertEvent[]>;
  /**
   * Every alert that Herald heard of since `recent`, that was open and heard of since `openSince`, that has a step still
   * to come, or that is one of `ids`; and what is kept of the rules.
   */
  state(asked: { recent: number; openSince: number; ids: readonly string[] }): Promise<AlertState>;
  /** True when nothing was committed since `version`: then all of it is written, and the version goes up. */
  commit(version: number, changes: AlertChanges, at: number): Promise<boolean>;
  /** When the next step of an alert is due; undefined when nothing is. */
  nextDue(): Promise<number | undefined>;
  /** Up to `limit` alerts with a step that is due at `now`, oldest first. */
  due(now: number, limit: number): Promise<readonly Alert[]>;
  find(alertId: string): Promise<Alert | undefined>;
  /** Its card must be brought up to date: something changed that is kept elsewhere. */
  touch(alertId: string): Promise<void>;
  /**
   * Alerts whose card is behind, oldest first. Until `until`, or `markTold`, no other caller gets them: of several
   * processes one posts a card.
   */
  untold(now: number, until: number, limit: number): Promise<readonly UntoldAlert[]>;
  /** Notes that the card shows `revision`, and where it stands. */
  markTold(alertId: string, revision: number, card: Announcement | undefined): Promise<void>;
  /** How many events were decided on since, by rule and decision. */
  decisionsSince(
    since: number,
  ): Promise<readonly (Pick<AlertDecision, 'rule' | 'what'> & { count: number })[]>;
  putNumber(entry: NumberOnFile): Promise<void>;
  /** False when none was on file. */
  removeNumber(userId: string): Promise<boolean>;
  numbers(): Promise<readonly NumberOnFile[]>;
}

/** What the card of an alert shows. */
export interface AlertReport {
  readonly alert: Alert;
  /** Undefined once the rule is no longer in herald.yml. */
  readonly rule: AlertRule | undefined;
  /** By send. */
  readonly sends: ReadonlyMap<string, SendReport>;
}

/** Where people in Slack are told. Never throws. */
export interface AlertAnnouncer {
  /** Posts the card of an alert in its thread, or brings it up to date. */
  tell(report: AlertReport, card: Announcement | undefined): Promise<AnnounceResult>;
  /** Says in the channel that a rule's alerts are held, or that this is over and what was held. */
  tellOfHold(rule: AlertRule, hold: AlertHold, over: boolean): Promise<AnnounceResult>;
}
