import type { DatabaseSync } from 'node:sqlite';

/*
 * Prepared once and kept: preparing again at each call costs six times the call itself.
 */
export function prepareStatements(database: DatabaseSync) {
  return {
    insertSend: database.prepare(
      `INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, state, recipient_count, created_at, request_key)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_key) DO NOTHING`,
    ),
    insertRecipient: database.prepare(
      `INSERT INTO recipients (send_id, row, number, state) VALUES (?, ?, ?, 'pending')`,
    ),
    insertEvent: database.prepare('INSERT INTO send_events (send_id, at, actor, action) VALUES (?, ?, ?, ?)'),
    findSend: database.prepare('SELECT * FROM sends WHERE id = ?'),
    findByRequestKey: database.prepare('SELECT * FROM sends WHERE request_key = ?'),
    findByStates: database.prepare(
      `SELECT * FROM sends WHERE state IN (SELECT value FROM json_each(?)) ORDER BY created_at, id LIMIT ?`,
    ),
    unannounced: database.prepare(
      'SELECT * FROM sends WHERE revision > announced_revision ORDER BY created_at, id LIMIT ?',
    ),
    moveSend: database.prepare('UPDATE sends SET state = ? WHERE id = ? AND state = ?'),
    bumpRevision: database.prepare('UPDATE sends SET revision = revision + 1 WHERE id = ?'),
    finishSend: database.prepare(
      `UPDATE sends SET state = 'done' WHERE id = ? AND state = 'sending' AND NOT EXISTS
         (SELECT 1 FROM recipients WHERE send_id = sends.id AND state IN ('pending', 'attempting'))`,
    ),
    // The channel may already know a later revision: two announcements can end in either order.
    markAnnounced: database.prepare(
      `UPDATE sends SET announced_revision = max(announced_revision, ?),
         announcement_channel = coalesce(?, announcement_channel), announcement_ts = coalesce(?, announcement_ts)
       WHERE id = ?`,
    ),
    recipients: database.prepare('SELECT * FROM recipients WHERE send_id = ? ORDER BY row'),
    claim: database.prepare(
      `UPDATE recipients SET state = 'attempting', attempted_at = ? WHERE send_id = ? AND row IN
         (SELECT row FROM recipients WHERE send_id = ? AND state = 'pending' ORDER BY row LIMIT ?)
       RETURNING *`,
    ),
    release: database.prepare(
      `UPDATE recipients SET state = 'pending' WHERE send_id = ? AND row = ? AND state = 'attempting'`,
    ),
    settle: database.prepare(
      `UPDATE recipients SET state = ?, message_id = ?, status = ?, failure = ?, settled_at = ?
       WHERE send_id = ? AND row = ? AND state IN ('pending', 'attempting')`,
    ),
    interruptedSends: database.prepare(
      `SELECT DISTINCT send_id FROM recipients WHERE state = 'attempting' ORDER BY send_id`,
    ),
    interruptRecipients: database.prepare(
      `UPDATE recipients SET state = 'unknown', failure = ?, settled_at = ? WHERE state = 'attempting'`,
    ),
    events: database.prepare(
      'SELECT send_id, at, actor, action FROM send_events WHERE send_id = ? ORDER BY id',
    ),
    outcomesSince: database.prepare(
      `SELECT state, count(*) AS count FROM recipients WHERE settled_at >= ? GROUP BY state`,
    ),
  };
}
