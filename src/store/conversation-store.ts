import type { ConversationStore } from '../sends/replies/ports.ts';
import { CUSTOMER_EVENT_COLUMNS, customerEventFrom } from './reply-store.ts';
import type { Database } from './sql.ts';

const EVENTS = `SELECT ${CUSTOMER_EVENT_COLUMNS}, webhooks.received_at
  FROM customer_events JOIN webhooks ON webhooks.id = customer_events.webhook_id`;
const FIND = `${EVENTS} WHERE customer_events.id = :eventId AND event <> '{}'`;
export const IN_THREAD = `${EVENTS} WHERE customer_events.id IN (SELECT max(id) FROM customer_events
    WHERE thread_ts = :threadTs AND channel_id = :channelId AND number IS NOT NULL GROUP BY number)
  ORDER BY customer_events.id DESC LIMIT :limit`;

/** Of a send to one: certainly nothing reached anybody. */
const IS_FAILED = 'rejected + not_sent + skipped > 0';
export const NEWEST_ANSWER = `SELECT id, created_at, ${IS_FAILED} AS failed FROM sends
  WHERE thread_ts = :threadTs AND channel_id = :channelId
    AND EXISTS (SELECT 1 FROM recipients WHERE send_id = sends.id AND number = :number)
  ORDER BY created_at DESC, id DESC LIMIT 1`;
export const OPEN_QUESTIONS = `${EVENTS} LEFT JOIN sends ON sends.id = customer_events.send_id
  WHERE asked_at >= :since AND closed_by IS NULL AND customer_events.thread_ts IS NOT NULL
    AND (CAST(:userId AS TEXT) IS NULL OR sends.user_id = :userId)
    AND NOT EXISTS (SELECT 1 FROM customer_events AS later WHERE later.thread_ts = customer_events.thread_ts
      AND later.channel_id = customer_events.channel_id AND later.number = customer_events.number
      AND later.asked_at IS NOT NULL AND later.id > customer_events.id)
    AND NOT EXISTS (SELECT 1 FROM sends AS answer JOIN recipients ON recipients.send_id = answer.id
      WHERE answer.thread_ts = customer_events.thread_ts AND answer.channel_id = customer_events.channel_id
        AND recipients.number = customer_events.number AND answer.created_at >= asked_at
        AND NOT (${IS_FAILED}))
  ORDER BY asked_at DESC, customer_events.id DESC LIMIT :limit`;
const CLOSE =
  'UPDATE customer_events SET closed_by = coalesce(closed_by, :userId) WHERE id IN (:eventIds...)';
const CLAIM_HINT = `INSERT INTO thread_hints (channel_id, thread_ts, user_id)
  VALUES (:channelId, :threadTs, :userId) ON CONFLICT DO NOTHING`;

export function createConversationStore(database: Database): ConversationStore {
  return {
    findEvent: async (eventId) => {
      const [row] = await database.run(FIND, { eventId });
      return row && customerEventFrom(row);
    },
    inThread: async ({ channelId, threadTs }, limit) =>
      (await database.run(IN_THREAD, { channelId, threadTs, limit })).map(customerEventFrom),
    newestAnswer: async ({ channelId, threadTs }, number) => {
      const [row] = await database.run(NEWEST_ANSWER, { channelId, threadTs, number });
      return row && { sendId: String(row.id), at: Number(row.created_at), failed: Boolean(row.failed) };
    },
    openQuestions: async ({ since, userId, limit }) =>
      (await database.run(OPEN_QUESTIONS, { since, userId, limit })).map(customerEventFrom),
    closeQuestions: async (eventIds, userId) => {
      if (eventIds.length > 0) await database.change(CLOSE, { eventIds, userId });
    },
    claimHint: async ({ channelId, threadTs }, userId) =>
      (await database.change(CLAIM_HINT, { channelId, threadTs, userId })) === 1,
  };
}
