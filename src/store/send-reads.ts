import type { Approval, SendReader } from '../sends/ports.ts';
import type { Send } from '../sends/send.ts';
import { CAME_TO_NOTHING } from '../sends/states.ts';
import {
  eventFrom,
  failureGroupFrom,
  RECORD_COLUMNS,
  recipientFrom,
  recordLineFrom,
  sendFrom,
} from './rows.ts';
import { FIND_SEND } from './send-statements.ts';
import type { Database, Runner } from './sql.ts';

const RECIPIENTS = `SELECT * FROM recipients WHERE send_id = :sendId AND row > :afterRow ORDER BY row LIMIT :limit`;
const BY_STATE = 'SELECT * FROM sends WHERE state IN (:states...) ORDER BY created_at, id LIMIT :limit';
const BY_USER = '(CAST(:userId AS TEXT) IS NULL OR user_id = :userId) AND created_at < :before';
const LIST = (states: string) =>
  `SELECT * FROM sends WHERE ${BY_USER} ${states} ORDER BY created_at DESC, id DESC LIMIT :limit`;
const LIST_ALL = LIST('');
const LIST_STATES = LIST('AND state IN (:states...)');
const RETRIES = `SELECT * FROM sends WHERE retry_of = :sendId AND state NOT IN (:states...) ORDER BY created_at, id`;
const FAILURES = `SELECT state, failure, example, count FROM send_failures WHERE send_id = :sendId
  ORDER BY count DESC, state, failure`;
const EVENTS = 'SELECT * FROM send_events WHERE send_id = :sendId ORDER BY id';
const ALL_EVENTS = `SELECT ${RECORD_COLUMNS} WHERE send_events.id > :afterId ORDER BY send_events.id LIMIT :limit`;
const OUTCOMES = `SELECT sum(accepted) AS accepted, sum(rejected) AS rejected, sum(not_sent) AS not_sent,
    sum(unknown) AS unknown, sum(skipped) AS skipped
  FROM sends WHERE created_at >= :since AND created_at < :before`;
const APPROVALS = `SELECT approvals.user_id AS "userId", at
  FROM sends JOIN approvals ON send_id = sends.id AND approvals.digest = sends.digest
  WHERE sends.id = :sendId ORDER BY at, approvals.user_id`;

const EVERYTHING = Number.MAX_SAFE_INTEGER;

export function sendReads(database: Database): SendReader {
  return {
    find: async (sendId) => {
      const [columns] = await database.run(FIND_SEND, { sendId });
      return columns && sendFrom(columns);
    },
    recipients: async (sendId, afterRow = -1, limit = EVERYTHING) =>
      (await database.run(RECIPIENTS, { sendId, afterRow, limit })).map(recipientFrom),
    findByState: async (states, limit) => (await database.run(BY_STATE, { states, limit })).map(sendFrom),
    list: async ({ userId, states, before = EVERYTHING, limit }) => {
      const list = states === undefined ? LIST_ALL : LIST_STATES;
      return (await database.run(list, { userId, states, before, limit })).map(sendFrom);
    },
    retriesOf: (sendId) => retriesOf(database, sendId),
    failures: async (sendId) => (await database.run(FAILURES, { sendId })).map(failureGroupFrom),
    events: async (sendId) => (await database.run(EVENTS, { sendId })).map(eventFrom),
    allEvents: async (afterId, limit) =>
      (await database.run(ALL_EVENTS, { afterId, limit })).map(recordLineFrom),
    outcomesSince: async (since, before = EVERYTHING) => {
      const [sums = {}] = await database.run(OUTCOMES, { since, before });
      const counts = Object.entries(sums).map(([state, count]) => [state, Number(count)] as const);
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    },
    approvals: (sendId) => approvalsOf(database, sendId),
  };
}

export async function retriesOf(runner: Runner, sendId: string): Promise<readonly Send[]> {
  return (await runner.run(RETRIES, { sendId, states: CAME_TO_NOTHING })).map(sendFrom);
}

/** Those of the digest that the send has now. */
export async function approvalsOf(runner: Runner, sendId: string): Promise<readonly Approval[]> {
  return (await runner.run<Approval>(APPROVALS, { sendId })).map(({ userId, at }) => ({ userId, at }));
}
