import { statement } from './database.ts';

/** Of several replicas one at a time keeps webhooks, and one records: each then sees what the others have written. */
export const keepAlone = statement('keep_alone', 'LOCK TABLE webhook_intake IN EXCLUSIVE MODE');
export const recordAlone = statement('record_alone', 'LOCK TABLE reply_tallies IN SHARE ROW EXCLUSIVE MODE');

export const countRepeat = statement(
  'count_repeat',
  `UPDATE webhooks SET repeats = repeats + 1 WHERE id =
     (SELECT id FROM webhooks WHERE digest = $1 AND received_at >= $2 ORDER BY received_at DESC LIMIT 1) RETURNING id`,
);
export const insertWebhook = statement(
  'insert_webhook',
  'INSERT INTO webhooks (digest, received_at, content_type, body, due_at) VALUES ($1, $2, $3, $4, $2)',
);
export const waiting = statement(
  'waiting_webhooks',
  'SELECT * FROM webhooks WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2',
);
export const nextDue = statement(
  'next_due',
  'SELECT min(due_at) AS due FROM webhooks WHERE due_at IS NOT NULL',
);
export const postpone = statement(
  'postpone_webhook',
  'UPDATE webhooks SET due_at = $2, postponed = postponed + 1 WHERE id = $1 AND due_at IS NOT NULL',
);
export const finishWebhooks = statement(
  'finish_webhooks',
  'UPDATE webhooks SET due_at = NULL WHERE id = ANY ($1::bigint[]) AND due_at IS NOT NULL RETURNING id',
);

/** Somebody who taps twice is one person; of whom nothing is known counts each time. */
export const insertEvent = statement(
  'insert_customer_event',
  `WITH earlier AS (SELECT FROM customer_events WHERE send_id = $4 AND label = $6 AND number = $5 LIMIT 1),
   added AS (INSERT INTO customer_events (webhook_id, key, event, send_id, number, label, opted_out)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (key) DO NOTHING RETURNING send_id, label),
   counted AS (INSERT INTO reply_tallies (send_id, label, count)
     SELECT send_id, label, 1 FROM added
     WHERE send_id IS NOT NULL AND label IS NOT NULL AND NOT EXISTS (SELECT FROM earlier)
     ON CONFLICT (send_id, label) DO UPDATE SET count = reply_tallies.count + 1)
   SELECT send_id FROM added`,
);
export const tally = statement(
  'reply_tally',
  'SELECT label, count FROM reply_tallies WHERE send_id = $1 ORDER BY count DESC, label',
);
export const untoldEvents = statement(
  'untold_events',
  `SELECT customer_events.*, webhooks.received_at, (NOT EXISTS (SELECT FROM customer_events AS earlier
       WHERE earlier.send_id = customer_events.send_id AND earlier.id < customer_events.id))::int AS first
     FROM customer_events JOIN webhooks ON webhooks.id = customer_events.webhook_id
     WHERE told_at IS NULL AND customer_events.send_id IS NOT DISTINCT FROM
       (SELECT send_id FROM customer_events WHERE told_at IS NULL ORDER BY id LIMIT 1)
     ORDER BY customer_events.id LIMIT $1`,
);
export const markEventsTold = statement(
  'mark_events_told',
  'UPDATE customer_events SET told_at = $2 WHERE id = ANY ($1::bigint[])',
);

/** What was reported of one recipient only ever gets better by the order of `$7`; counters move along. */
export const addDeliveries = statement(
  'add_deliveries',
  `WITH given AS (SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[])
     AS given (send_id, row, status, at, failure, explanation)),
   better AS (SELECT given.*, before.status AS was, before.failure AS was_failure
     FROM given LEFT JOIN deliveries before ON before.send_id = given.send_id AND before.row = given.row
     WHERE before.status IS NULL
       OR array_position($7::text[], before.status) < array_position($7::text[], given.status)),
   put AS (INSERT INTO deliveries (send_id, row, status, at, failure, explanation)
     SELECT send_id, row, status, at, failure, explanation FROM better
     ON CONFLICT (send_id, row) DO UPDATE SET status = excluded.status, at = excluded.at, failure = excluded.failure,
       explanation = excluded.explanation),
   counted AS (INSERT INTO delivery_counts (send_id, status, failure, count, example)
     SELECT send_id, status, failure, sum(count), min(example) FROM (
       SELECT send_id, status, coalesce(failure, '') AS failure, 1 AS count, explanation AS example FROM better
       UNION ALL SELECT send_id, was, coalesce(was_failure, ''), -1, NULL FROM better WHERE was IS NOT NULL) AS changes
     GROUP BY 1, 2, 3
     ON CONFLICT (send_id, status, md5(failure)) DO UPDATE SET count = delivery_counts.count + excluded.count,
       example = coalesce(delivery_counts.example, excluded.example))
   SELECT DISTINCT send_id FROM better`,
);
export const deliveryCounts = statement(
  'delivery_counts',
  'SELECT status, failure, example, count FROM delivery_counts WHERE send_id = $1 ORDER BY count DESC, failure',
);
export const deliveries = statement(
  'deliveries',
  'SELECT row, status, at, failure, explanation FROM deliveries WHERE send_id = $1 AND row BETWEEN $2 AND $3 ORDER BY row',
);

export const byMessageId = statement(
  'by_message_id',
  `SELECT send_id, row, number FROM recipients
   WHERE message_id = $1 AND ($2::text IS NULL OR number = $2 OR
     (SELECT count(*) FROM (SELECT FROM recipients WHERE message_id = $1 LIMIT 2) AS two) = 1) LIMIT 2`,
);
export const newestTo = statement(
  'newest_to',
  `SELECT send_id, row, number FROM recipients WHERE number = $1 AND attempted_at IS NOT NULL
   ORDER BY attempted_at DESC, send_id LIMIT 1`,
);
