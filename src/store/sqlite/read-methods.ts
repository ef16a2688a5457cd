import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Msisdn } from '../../messages/phone-number.ts';
import type { Failure } from '../../sends/outcome.ts';
import type { SendEvent, SendStore } from '../../sends/ports.ts';
import type { RecipientState } from '../../sends/send.ts';
import { recipientFrom, sendFrom } from './rows.ts';
import type { Statements } from './statements.ts';

type ReadMethods = Pick<
  SendStore,
  | 'find'
  | 'recipients'
  | 'findByState'
  | 'list'
  | 'unannounced'
  | 'untold'
  | 'failures'
  | 'sentSince'
  | 'events'
  | 'allEvents'
  | 'outcomesSince'
>;

const EVERYTHING = Number.MAX_SAFE_INTEGER;

export function readMethods(database: DatabaseSync, sql: Statements): ReadMethods {
  let sentSince: StatementSync | undefined;

  /** The index is made when a frequency cap first asks: without one, every attempt would pay for it in vain. */
  function prepareSentSince(): StatementSync {
    database.exec(
      'CREATE INDEX IF NOT EXISTS recipients_by_number ON recipients (number) WHERE attempted_at IS NOT NULL',
    );
    return database.prepare(
      `SELECT number, count(*) AS count FROM recipients
       WHERE number IN (SELECT value FROM json_each(?)) AND attempted_at IS NOT NULL AND attempted_at >= ?
         AND state IN ('attempting', 'accepted', 'unknown') GROUP BY number`,
    );
  }

  return {
    find: async (sendId) => {
      const columns = sql.findSend.get(sendId);
      return columns === undefined ? undefined : sendFrom(columns);
    },
    recipients: async (sendId, afterRow = -1, limit = EVERYTHING) =>
      sql.recipients.all(sendId, afterRow, limit).map(recipientFrom),
    findByState: async (states, limit) => sql.findByStates.all(JSON.stringify(states), limit).map(sendFrom),
    list: async ({ userId, states, before = EVERYTHING, limit }) =>
      sql.listSends
        .all(userId ?? null, states === undefined ? null : JSON.stringify(states), before, limit)
        .map(sendFrom),
    unannounced: async (limit) => sql.unannounced.all(limit).map(sendFrom),
    untold: async (limit) => sql.untold.all(limit).map(sendFrom),
    failures: async (sendId) =>
      sql.failures.all(sendId).map(({ state, failure, count }) => ({
        state: state as RecipientState,
        failure: JSON.parse(String(failure)) as Failure,
        count: Number(count),
      })),
    sentSince: async (numbers, since) => {
      sentSince ??= prepareSentSince();
      const rows = sentSince.all(JSON.stringify(numbers), since);
      return new Map(rows.map(({ number, count }) => [number as Msisdn, Number(count)]));
    },
    events: async (sendId) => sql.events.all(sendId).map(eventFrom),
    allEvents: async (afterId, limit) =>
      sql.allEvents.all(afterId, limit).map((row) => ({ id: Number(row.id), ...eventFrom(row) })),
    outcomesSince: async (since, before = EVERYTHING) =>
      Object.fromEntries(
        Object.entries(sql.outcomesSince.get(since, before) ?? {})
          .map(([state, count]) => [state, Number(count)] as const)
          .filter(([, count]) => count > 0),
      ),
  };
}

function eventFrom(row: Record<string, unknown>): SendEvent {
  return {
    sendId: String(row.send_id),
    at: Number(row.at),
    actor: String(row.actor),
    action: String(row.action),
    ...(typeof row.reason === 'string' && { reason: JSON.parse(row.reason) as Failure }),
  };
}
