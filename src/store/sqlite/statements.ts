import type { DatabaseSync } from 'node:sqlite';
import { RECORD_COLUMNS } from '../rows.ts';

const FIRST_PENDING = `coalesce(
  (SELECT row FROM recipients WHERE send_id = sends.id AND state = 'pending' ORDER BY row LIMIT 1), next_row)`;

/*
 * Prepared once and kept: preparing again at each call costs six times the call itself.
 */
export function prepareStatements(database: DatabaseSync) {
  return {
    ...sendStatements(database),
    ...recipientStatements(database),
    ...recordStatements(database),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;

function sendStatements(database: DatabaseSync) {
  return {
    insertSend: database.prepare(
      `INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, state, recipient_count, pending, created_at,
         request_key, audience, approval_over, start_at, retry_of, retry_group, alert, template)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_key) DO NOTHING`,
    ),
    findSend: database.prepare('SELECT * FROM sends WHERE id = ?'),
    findByRequestKey: database.prepare('SELECT * FROM sends WHERE request_key = ?'),
    retriesOf: database.prepare(
      `SELECT * FROM sends WHERE retry_of = ? AND state NOT IN (SELECT value FROM json_each(?)) ORDER BY created_at, id`,
    ),
    findByStates: database.prepare(
      `SELECT * FROM sends WHERE state IN (SELECT value FROM json_each(?)) ORDER BY created_at, id LIMIT ?`,
    ),
    idsByStates: database.prepare(
      'SELECT id FROM sends WHERE state IN (SELECT value FROM json_each(?)) ORDER BY created_at, id',
    ),
    endRestored: database.prepare(
      `UPDATE sends SET state = iif(audience IS NULL, 'done', 'stopped'), reason = ?, resume_at = NULL,
         revision = revision + 1 WHERE id = ? RETURNING state`,
    ),
    listSends: database.prepare(
      `SELECT * FROM sends WHERE (?1 IS NULL OR user_id = ?1) AND created_at < ?3
         AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2)))
       ORDER BY created_at DESC, id DESC LIMIT ?4`,
    ),
    unfinishedSends: database.prepare(
      `SELECT id FROM sends WHERE state IN ('draft', 'approved', 'sending') ORDER BY created_at, id`,
    ),
    unannounced: database.prepare(
      `SELECT * FROM sends WHERE revision > announced_revision AND audience IS NULL
       ORDER BY created_at, id LIMIT ?`,
    ),
    // Resuming begins at the first recipient that is left, because a released one may stand before the last claim.
    moveSend: database.prepare(
      `UPDATE sends SET state = ?1, reason = ?4, resume_at = ?5,
         next_row = CASE WHEN ?1 <> 'sending' THEN next_row ELSE ${FIRST_PENDING} END,
         active_at = CASE WHEN ?1 <> 'sending' THEN active_at ELSE ?6 END
       WHERE id = ?2 AND state = ?3`,
    ),
    rewind: database.prepare(
      `UPDATE sends SET next_row = ${FIRST_PENDING} WHERE id = ? AND state = 'sending' AND pending > 0`,
    ),
    rewindSending: database.prepare(
      `UPDATE sends SET next_row = ${FIRST_PENDING} WHERE state = 'sending' AND pending > 0`,
    ),
    bumpRevision: database.prepare('UPDATE sends SET revision = revision + 1 WHERE id = ?'),
    finishSend: database.prepare(
      `UPDATE sends SET state = 'done' WHERE id = ? AND state = 'sending' AND pending = 0 AND attempting = 0`,
    ),
    countChanges: database.prepare(
      `UPDATE sends SET pending = pending + ?, attempting = attempting + ?, accepted = accepted + ?,
         rejected = rejected + ?, not_sent = not_sent + ?, unknown = unknown + ?, skipped = skipped + ? WHERE id = ?`,
    ),
    growSend: database.prepare('UPDATE sends SET recipient_count = recipient_count + ? WHERE id = ?'),
    moveCursor: database.prepare(
      'UPDATE sends SET next_row = coalesce(?1, next_row), active_at = ?2 WHERE id = ?3',
    ),
    sealSend: database.prepare(
      `UPDATE sends SET state = ?, digest = ?, approvals_needed = ?, expires_at = ?, survey = ?
       WHERE id = ? AND state = 'draft'`,
    ),
    askForMore: database.prepare(
      `UPDATE sends SET state = 'awaiting_approval', approvals_needed = max(coalesce(approvals_needed, 0), ?3),
         expires_at = ?4, reason = ?5, resume_at = NULL
       WHERE id = ?1 AND state = ?2 AND (state <> 'awaiting_approval' OR approvals_needed < ?3)`,
    ),
    // The channel may already know a later revision: two announcements can end in either order.
    markAnnounced: database.prepare(
      `UPDATE sends SET announced_revision = max(announced_revision, ?),
         announcement_channel = coalesce(?, announcement_channel), announcement_ts = coalesce(?, announcement_ts)
       WHERE id = ?`,
    ),
    markTold: database.prepare(
      `UPDATE sends SET causes_ts = coalesce(?, causes_ts), end_told = coalesce(?, end_told),
         hold_told = coalesce(?, hold_told) WHERE id = ?`,
    ),
    markCanaryJudged: database.prepare('UPDATE sends SET canary_judged = 1 WHERE id = ?'),
    untold: database.prepare(
      `SELECT * FROM sends WHERE audience IS NOT NULL AND state IN ('done', 'stopped') AND end_told IS NOT 'all'
       ORDER BY created_at, id LIMIT ?`,
    ),
    setApprovalCard: database.prepare('UPDATE sends SET card_channel = ?, card_ts = ? WHERE id = ?'),
  };
}

function recipientStatements(database: DatabaseSync) {
  return {
    insertRecipient: database.prepare(
      `INSERT INTO recipients (send_id, row, number, state, cells, failure, settled_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    recipients: database.prepare(
      'SELECT * FROM recipients WHERE send_id = ? AND row > ? ORDER BY row LIMIT ?',
    ),
    // Read first, then marked as one range: an UPDATE … WHERE row IN (…) RETURNING takes three times as long.
    claimable: database.prepare(
      `SELECT send_id, row, number, cells FROM recipients
       WHERE send_id = ? AND row >= ? AND state = 'pending' ORDER BY row LIMIT ?`,
    ),
    claimRange: database.prepare(
      `UPDATE recipients SET state = 'attempting', attempted_at = ?
       WHERE send_id = ? AND row BETWEEN ? AND ? AND state = 'pending'`,
    ),
    claimOne: database.prepare(
      `UPDATE recipients SET state = 'attempting', attempted_at = ? WHERE send_id = ? AND row = ? AND state = 'pending'
       RETURNING *`,
    ),
    release: database.prepare(
      `UPDATE recipients SET state = 'pending' WHERE send_id = ? AND row = ? AND state = 'attempting'`,
    ),
    settle: database.prepare(
      `UPDATE recipients SET state = ?, message_id = ?, status = ?, failure = ?, explanation = ?, settled_at = ?
       WHERE send_id = ? AND row = ? AND state = ?`,
    ),
    interruptedSends: database.prepare(
      `SELECT id, state FROM sends WHERE attempting > 0 ORDER BY created_at, id`,
    ),
    doubtRecipients: database.prepare(
      `UPDATE recipients SET state = 'unknown', failure = ?, settled_at = ? WHERE send_id = ? AND state = ?`,
    ),
    sentSince: database.prepare(
      `SELECT number, count(*) AS count FROM recipients
       WHERE number IN (SELECT value FROM json_each(?)) AND attempted_at >= ?
         AND state IN ('attempting', 'accepted', 'unknown') GROUP BY number`,
    ),
    outcomesSince: database.prepare(
      `SELECT sum(accepted) AS accepted, sum(rejected) AS rejected, sum(not_sent) AS not_sent, sum(unknown) AS unknown,
         sum(skipped) AS skipped FROM sends WHERE created_at >= ? AND created_at < ?`,
    ),
  };
}

function recordStatements(database: DatabaseSync) {
  return {
    insertEvent: database.prepare(
      'INSERT INTO send_events (send_id, at, actor, action, reason) VALUES (?, ?, ?, ?, ?)',
    ),
    recordOnce: database.prepare(
      `INSERT INTO send_events (send_id, at, actor, action, reason) SELECT ?1, ?2, ?3, ?4, ?5
       WHERE NOT EXISTS (SELECT 1 FROM send_events WHERE send_id = ?1 AND action = ?4
         AND (?5 IS NULL OR (actor = ?3 AND reason = ?5)))`,
    ),
    events: database.prepare('SELECT * FROM send_events WHERE send_id = ? ORDER BY id'),
    allEvents: database.prepare(
      `SELECT ${RECORD_COLUMNS} WHERE send_events.id > ? ORDER BY send_events.id LIMIT ?`,
    ),
    countFailures: database.prepare(
      `INSERT INTO send_failures (send_id, state, failure, count, example) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count, example = coalesce(example, excluded.example)`,
    ),
    failures: database.prepare(
      'SELECT state, failure, example, count FROM send_failures WHERE send_id = ? ORDER BY count DESC, state, failure',
    ),
    insertApproval: database.prepare(
      `INSERT INTO approvals (send_id, user_id, digest, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET digest = excluded.digest, at = excluded.at WHERE digest <> excluded.digest`,
    ),
    approvals: database.prepare(
      'SELECT user_id, at FROM approvals WHERE send_id = ? AND digest = ? ORDER BY at, user_id',
    ),
  };
}
