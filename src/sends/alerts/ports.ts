import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Announcement, SendReport } from '../send.ts';
import type { Alert, AlertDecision, AlertEvent, OpenEvent, RuleState } from './alert.ts';
import type { AlertRule } from './rules.ts';

export interface StoredAlertEvent extends OpenEvent {
  readonly id: number;
}

/** All stored state that decisions depend on; `version` changes with each commit. */
export interface AlertState {
  readonly version: number;
  readonly alerts: readonly Alert[];
  readonly rules: readonly RuleState[];
}

/** The results of decisions, written in one transaction. */
export interface AlertChanges {
  readonly events?: readonly {
    readonly id: number;
    /** Undefined of an event that was put away and not looked at. */
    readonly decisions?: readonly AlertDecision[] | undefined;
  }[];
  /** New or replacing ones. */
  readonly alerts?: readonly Alert[];
  readonly rules?: readonly RuleState[];
}

export interface NumberOnFile {
  readonly userId: string;
  readonly number: Msisdn;
  readonly at: number;
  /** Slack user id of who entered it. */
  readonly by: string;
}

/** Durable memory of alerts; the same rules as `SendStore`. */
export interface AlertStore {
  /** Stores events. One with a known id, or equal to another of the same message, is repeated and not stored again. */
  keep(events: readonly AlertEvent[]): Promise<readonly { readonly repeated: boolean }[]>;
  /** The event kept last whose `ts` begins so (with its final point), in a channel. */
  lastOf(channelId: string, begin: string): Promise<AlertEvent | undefined>;
  /** What was kept of a message, in its order; of a signal's, where it stands. `waiting`: it is to be posted. */
  message(
    channelId: string,
    ts: string,
  ): Promise<{
    readonly events: readonly AlertEvent[];
    readonly place?: Announcement;
    readonly waiting: boolean;
  }>;
  /** Up to `limit` events that are not decided on, oldest first. */
  waiting(limit: number): Promise<readonly StoredAlertEvent[]>;
  /**
   * All rules' states, and every alert that was received since `recent`, or since `openSince` and is open, or has a step
   * to come, or is one of `ids`.
   */
  state(asked: { recent: number; openSince: number; ids: readonly string[] }): Promise<AlertState>;
  /** The states of all rules, alone. */
  rules(): Promise<readonly RuleState[]>;
  /** Writes all of it if nothing was committed since `version`; false otherwise. */
  commit(version: number, changes: AlertChanges, at: number): Promise<boolean>;
  /** When the next step of an alert is due; undefined when nothing is. */
  nextDue(): Promise<number | undefined>;
  /** Up to `limit` alerts with a step that is due at `now`, oldest first. */
  due(now: number, limit: number): Promise<readonly Alert[]>;
  find(alertId: string): Promise<Alert | undefined>;
  /** Decisions since then, counted by rule and kind. */
  decisionsSince(
    since: number,
  ): Promise<readonly (Pick<AlertDecision, 'rule' | 'what'> & { count: number })[]>;
  putNumber(entry: NumberOnFile): Promise<void>;
  /** False when none was on file. */
  removeNumber(userId: string): Promise<boolean>;
  numbers(): Promise<readonly NumberOnFile[]>;
}

/** What a card shows. */
export interface AlertReport {
  readonly alert: Alert;
  /** Undefined once the rule is no longer in herald.yml. */
  readonly rule: AlertRule | undefined;
  /** By the id of the send. */
  readonly sends: ReadonlyMap<string, SendReport>;
}
