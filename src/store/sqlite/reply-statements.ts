import type { DatabaseSync } from 'node:sqlite';

/* Prepared once and kept, as the statements of sends. */

export function prepareReplyStatements(database: DatabaseSync) {
  return {
    ...webhookStatements(database),
    ...eventStatements(database),
    ...deliveryStatements(database),
    ...lookupStatements(database),
  };
}

function webhookStatements(database: DatabaseSync) {
  return {
    countRepeat: database.prepare(
      `UPDATE webhooks SET repeats = repeats + 1 WHERE id =
         (SELECT id FROM webhooks WHERE digest = ? AND received_at >= ? ORDER BY received_at DESC LIMIT 1)`,
    ),
    insertWebhook: database.prepare(
      'INSERT INTO webhooks (digest, received_at, content_type, body, due_at) VALUES (?, ?, ?, ?, ?)',
    ),
    waiting: database.prepare('SELECT * FROM webhooks WHERE due_at <= ? ORDER BY due_at, id LIMIT ?'),
    nextDue: database.prepare('SELECT min(due_at) AS due FROM webhooks WHERE due_at IS NOT NULL'),
    postpone: database.prepare(
      'UPDATE webhooks SET due_at = ?, postponed = postponed + 1 WHERE id = ? AND due_at IS NOT NULL',
    ),
    finishWebhook: database.prepare('UPDATE webhooks SET due_at = NULL WHERE id = ? AND due_at IS NOT NULL'),
  };
}

function eventStatements(database: DatabaseSync) {
  return {
    insertEvent: database.prepare(
      `INSERT INTO customer_events (webhook_id, key, event, send_id, number, label, opted_out)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
    ),
    earlierTap: database.prepare(
      'SELECT 1 FROM customer_events WHERE send_id = ? AND label = ? AND number = ? LIMIT 1',
    ),
    countTap: database.prepare(
      `INSERT INTO reply_tallies (send_id, label, count) VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET count = count + 1`,
    ),
    tally: database.prepare(
      'SELECT label, count FROM reply_tallies WHERE send_id = ? ORDER BY count DESC, label',
    ),
    unannounced: database.prepare(
      `SELECT customer_events.*, webhooks.received_at, NOT EXISTS (SELECT 1 FROM customer_events AS earlier
           WHERE earlier.send_id = customer_events.send_id AND earlier.id < customer_events.id) AS first
         FROM customer_events JOIN webhooks ON webhooks.id = customer_events.webhook_id
         WHERE told_at IS NULL AND customer_events.send_id IS
           (SELECT send_id FROM customer_events WHERE told_at IS NULL ORDER BY id LIMIT 1)
         ORDER BY customer_events.id LIMIT ?`,
    ),
    markAnnounced: database.prepare('UPDATE customer_events SET told_at = ? WHERE id = ?'),
  };
}

function deliveryStatements(database: DatabaseSync) {
  return {
    findDelivery: database.prepare('SELECT status, failure FROM deliveries WHERE send_id = ? AND row = ?'),
    putDelivery: database.prepare(
      'INSERT OR REPLACE INTO deliveries (send_id, row, status, at, failure, explanation) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    countDelivery: database.prepare(
      `INSERT INTO delivery_counts (send_id, status, failure, count, example) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count, example = coalesce(example, excluded.example)`,
    ),
    deliveryCounts: database.prepare(
      'SELECT status, failure, example, count FROM delivery_counts WHERE send_id = ? ORDER BY count DESC, failure',
    ),
    deliveries: database.prepare(
      'SELECT row, status, at, failure, explanation FROM deliveries WHERE send_id = ? AND row BETWEEN ? AND ? ORDER BY row',
    ),
  };
}

/** Looking for recipients by what a webhook says of them. */
function lookupStatements(database: DatabaseSync) {
  return {
    byMessageId: database.prepare(
      `SELECT send_id, row, number FROM recipients
       WHERE message_id = ?1 AND (?2 IS NULL OR number = ?2 OR
         (SELECT count(*) FROM (SELECT 1 FROM recipients WHERE message_id = ?1 LIMIT 2)) = 1) LIMIT 2`,
    ),
    newestTo: database.prepare(
      `SELECT send_id, row, number FROM recipients WHERE number = ? AND attempted_at IS NOT NULL
       ORDER BY attempted_at DESC, send_id LIMIT 1`,
    ),
  };
}
