import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Announcement } from '../send.ts';
import type { Alert, AlertDecision, AlertEvent, OpenEvent, RuleState } from './alert.ts';

export interface StoredAlertEvent extends OpenEvent {
  readonly id: number;
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
  /** The last event of each message whose `ts` begins so (with its final point), newest first; of very many the newest. */
  lastOfEach(channelId: string, begin: string): Promise<readonly AlertEvent[]>;
  /** Lists the signals that were received in a channel since then, oldest first; of very many the newest. */
  signals(channelId: string, since: number): Promise<readonly AlertEvent[]>;
  /**
   * Reads what was kept of a message, in its order; of a signal's, where it stands. `waiting`: Slack has not taken it yet; `nowhere`:
   * Slack refuses it for good.
   */
  message(
    channelId: string,
    ts: string,
  ): Promise<{
    readonly events: readonly AlertEvent[];
    readonly place: Announcement | 'waiting' | 'nowhere';
  }>;
  /** Up to `limit` events that are not decided on, oldest first. */
  waiting(limit: number): Promise<readonly StoredAlertEvent[]>;
  /**
   * All rules' states, and every alert that was received since `recent`, or since `openSince` and is open, or has a step
   * to come, or is one of `ids`: all that decisions depend on. `version` changes with each commit.
   */
  state(asked: { recent: number; openSince: number; ids: readonly string[] }): Promise<{
    readonly version: number;
    readonly alerts: readonly Alert[];
    readonly rules: readonly RuleState[];
  }>;
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
