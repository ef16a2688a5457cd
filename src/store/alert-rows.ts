import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Alert, AlertDecision, AlertEvent, RuleState } from '../sends/alerts/alert.ts';
import type { NumberOnFile, StoredAlertEvent, UnannouncedAlert } from '../sends/alerts/ports.ts';

/* From columns to values and back, as rows.ts does it for sends. */

type Row = Record<string, unknown>;

/** What tells the same of the same message is the same event, under whatever id it comes. */
export function keyOf({ kind, channelId, ts, eventTs }: AlertEvent): string {
  return `${kind}:${channelId}:${ts}:${eventTs}`;
}

export function alertEventFrom({ id, document, superseded }: Row): StoredAlertEvent {
  return {
    ...(JSON.parse(String(document)) as AlertEvent),
    id: Number(id),
    superseded: Boolean(superseded),
  };
}

export function alertFrom({ document }: Row): Alert {
  return JSON.parse(String(document)) as Alert;
}

export function ruleStateFrom({ document }: Row): RuleState {
  return JSON.parse(String(document)) as RuleState;
}

export function unannouncedFrom(row: Row): UnannouncedAlert {
  const { revision, card_channel: channelId, card_ts: ts } = row;
  return {
    alert: alertFrom(row),
    revision: Number(revision),
    ...(typeof channelId === 'string' && typeof ts === 'string' && { card: { channelId, ts } }),
  };
}

export function decisionCountFrom({ rule, what, count }: Row) {
  return { rule: String(rule), what: what as AlertDecision['what'], count: Number(count) };
}

export function numberFrom({ user_id, number, at, entered_by }: Row): NumberOnFile {
  return { userId: String(user_id), number: number as Msisdn, at: Number(at), by: String(entered_by) };
}

/** Those with the oldest alert first; a statement that changes rows gives them back in any order. */
export function oldestFirst(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => Number(one.received_at) - Number(other.received_at));
}
