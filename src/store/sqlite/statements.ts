import type { DatabaseSync } from 'node:sqlite';
import { WANT_UNLESS_SENDING } from '../post-store.ts';
import { RECIPIENT_COLUMNS } from '../rows.ts';
import { FIND_SEND, FINISH_SEND, FIRST_PENDING, RECORD, SENT_SINCE } from '../send-statements.ts';
import { compile, textOf } from '../sql.ts';

export type Statements = ReturnType<typeof prepareStatements>;

/**
 * The hot path: nothing is looked up or waited for, and values go by position. Those of a text with names stand in the order
 * in which it names them.
 */
export function prepareStatements(database: DatabaseSync) {
  const claimable = database.prepare(
    `SELECT row, number, cells FROM recipients
     WHERE send_id = ? AND row >= ? AND state = 'pending' ORDER BY row LIMIT ?`,
  );
  // Of objects it would take twice as long.
  claimable.setReturnArrays(true);
  const named = (text: string) => database.prepare(compile(text, 'sqlite').text);
  return {
    findSend: named(FIND_SEND),
    finishSend: named(FINISH_SEND),
    record: named(RECORD),
    sentSince: named(SENT_SINCE),
    unfinishedSends: database.prepare(
      `SELECT id FROM sends WHERE state IN ('draft', 'approved', 'sending') ORDER BY created_at, id`,
    ),
    rewind: database.prepare(
      `UPDATE sends SET next_row = ${FIRST_PENDING} WHERE id = ? AND state = 'sending' AND pending > 0`,
    ),
    rewindSending: database.prepare(
      `UPDATE sends SET next_row = ${FIRST_PENDING} WHERE state = 'sending' AND pending > 0`,
    ),
    wantPosts: named(textOf(WANT_UNLESS_SENDING, 'sqlite')),
    countChanges: database.prepare(
      `UPDATE sends SET pending = pending + ?, attempting = attempting + ?, accepted = accepted + ?,
         rejected = rejected + ?, not_sent = not_sent + ?, unknown = unknown + ?, skipped = skipped + ? WHERE id = ?`,
    ),
    countFailures: database.prepare(
      `INSERT INTO send_failures (send_id, state, failure, count) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ),
    growSend: database.prepare('UPDATE sends SET recipient_count = recipient_count + ? WHERE id = ?'),
    moveCursor: database.prepare(
      'UPDATE sends SET next_row = coalesce(?1, next_row), active_at = ?2 WHERE id = ?3',
    ),
    insertRecipient: database.prepare(
      'INSERT INTO recipients (send_id, row, number, state, cells, failure) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    // Read first, then marked as one range: an UPDATE … WHERE row IN (…) RETURNING takes three times as long.
    claimable,
    claimRange: database.prepare(
      `UPDATE recipients SET state = 'attempting', attempted_at = ?
       WHERE send_id = ? AND row BETWEEN ? AND ? AND state = 'pending'`,
    ),
    claimOne: database.prepare(
      `UPDATE recipients SET state = 'attempting', attempted_at = ? WHERE send_id = ? AND row = ? AND state = 'pending'
       RETURNING ${RECIPIENT_COLUMNS}`,
    ),
    release: database.prepare(
      `UPDATE recipients SET state = 'pending' WHERE send_id = ? AND row = ? AND state = 'attempting'`,
    ),
    settle: database.prepare(
      `UPDATE recipients SET state = ?, message_id = ?, status = ?, failure = ?, explanation = ?, settled_at = ?
       WHERE send_id = ? AND state = ? AND row = ?`,
    ),
    interruptedSends: database.prepare('SELECT id FROM sends WHERE attempting > 0 ORDER BY created_at, id'),
    doubtRecipients: database.prepare(
      `UPDATE recipients SET state = 'unknown', failure = ?, settled_at = ? WHERE send_id = ? AND state = ?`,
    ),
  };
}
