import type { SendStore } from '../../sends/ports.ts';
import {
  eventFrom,
  failureGroupFrom,
  RECORD_COLUMNS,
  recipientFrom,
  recordLineFrom,
  sendFrom,
} from '../rows.ts';
import { type Database, statement } from './database.ts';

type ReadMethods = Pick<
  SendStore,
  | 'find'
  | 'recipients'
  | 'findByState'
  | 'list'
  | 'unannounced'
  | 'unannouncedEnds'
  | 'failures'
  | 'events'
  | 'allEvents'
  | 'outcomesSince'
>;

const findSend = statement('find_send', 'SELECT * FROM sends WHERE id = $1');
export const findByRequestKey = statement(
  'find_by_request_key',
  'SELECT * FROM sends WHERE request_key = $1',
);
const recipients = statement(
  'recipients',
  'SELECT * FROM recipients WHERE send_id = $1 AND row > $2 ORDER BY row LIMIT $3',
);
const findByStates = statement(
  'find_by_states',
  'SELECT * FROM sends WHERE state = ANY ($1::text[]) ORDER BY created_at, id LIMIT $2',
);
const listSends = statement(
  'list_sends',
  `SELECT * FROM sends WHERE ($1::text IS NULL OR user_id = $1) AND ($2::text[] IS NULL OR state = ANY ($2))
     AND ($3::bigint IS NULL OR created_at < $3)
   ORDER BY created_at DESC, id DESC LIMIT $4`,
);
const unannounced = statement(
  'unannounced',
  'SELECT * FROM sends WHERE unannounced ORDER BY created_at, id LIMIT $1',
);
const untold = statement(
  'untold',
  `SELECT * FROM sends WHERE audience IS NOT NULL AND state IN ('done', 'stopped') AND end_told IS DISTINCT FROM 'all'
   ORDER BY created_at, id LIMIT $1`,
);
const failures = statement(
  'failures',
  'SELECT state, failure, example, count FROM send_failures WHERE send_id = $1 ORDER BY count DESC, state, failure',
);
const events = statement('events', 'SELECT * FROM send_events WHERE send_id = $1 ORDER BY id');
const allEvents = statement(
  'all_events',
  `SELECT ${RECORD_COLUMNS} WHERE send_events.id > $1 ORDER BY send_events.id LIMIT $2`,
);
const outcomesSince = statement(
  'outcomes_since',
  `SELECT sum(accepted) AS accepted, sum(rejected) AS rejected, sum(not_sent) AS not_sent, sum(unknown) AS unknown,
     sum(skipped) AS skipped FROM sends WHERE created_at >= $1 AND ($2::bigint IS NULL OR created_at < $2)`,
);

export function readMethods(database: Database): ReadMethods {
  return {
    find: async (sendId) => {
      const [columns] = await database.run(findSend, [sendId]);
      return columns === undefined ? undefined : sendFrom(columns);
    },
    recipients: async (sendId, afterRow = -1, limit) =>
      (await database.run(recipients, [sendId, afterRow, limit ?? null])).map(recipientFrom),
    findByState: async (states, limit) => (await database.run(findByStates, [states, limit])).map(sendFrom),
    list: async ({ userId, states, before, limit }) =>
      (await database.run(listSends, [userId ?? null, states ?? null, before ?? null, limit])).map(sendFrom),
    unannounced: async (limit) => (await database.run(unannounced, [limit])).map(sendFrom),
    unannouncedEnds: async (limit) => (await database.run(untold, [limit])).map(sendFrom),
    failures: async (sendId) => (await database.run(failures, [sendId])).map(failureGroupFrom),
    events: async (sendId) => (await database.run<Record<string, unknown>>(events, [sendId])).map(eventFrom),
    allEvents: async (afterId, limit) =>
      (await database.run<Record<string, unknown>>(allEvents, [afterId, limit])).map(recordLineFrom),
    outcomesSince: async (since, before) => {
      const [sums = {}] = await database.run<Record<string, number | null>>(outcomesSince, [
        since,
        before ?? null,
      ]);
      return Object.fromEntries(
        Object.entries(sums).flatMap(([state, count]) =>
          count === null || count === 0 ? [] : [[state, count]],
        ),
      );
    },
  };
}
