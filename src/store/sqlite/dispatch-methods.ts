import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { Settled, Settlement } from '../../sends/outcome.ts';
import { NOBODY, type RecipientState } from '../../sends/send.ts';
import { freshRanges, NOTE_IDS } from '../message-ids.ts';
import { WANT_UNLESS_SENDING } from '../post-store.ts';
import { COUNTS, claimedFrom, createCauseOf, outcomeColumns } from '../rows.ts';
import { createReadings } from '../send-reads.ts';
import { FIND_SEND, FINISH_SEND, FIRST_PENDING, HERALD, type HotPath, RECORD } from '../send-statements.ts';
import { compile, textOf } from '../sql.ts';
import type { SqliteDatabase } from './database.ts';

interface SendTally {
  readonly changes: Record<RecipientState, number>;
  /** State and failure, joined, lead to how often that came. */
  readonly failures: Map<string, { readonly state: RecipientState; readonly failure: string; count: number }>;
}

export type Tally = ReturnType<typeof createTally>;

/**
 * Collects, within one transaction, by how much the counters of each send change, and how often each failure
 * came; written once a send at the end, however many recipients were touched.
 */
export function createTally(sql: Statements) {
  const sends = new Map<string, SendTally>();
  return {
    /** `count` recipients are `to` now; they were `from`, or are new. */
    move: (
      sendId: string,
      from: RecipientState | undefined,
      to: RecipientState,
      count: number,
      failure?: string,
    ): void => {
      const { changes, failures } = sends.getOrInsertComputed(sendId, () => ({
        changes: { ...NOBODY },
        failures: new Map(),
      }));
      if (from !== undefined) changes[from] -= count;
      changes[to] += count;
      if (failure !== undefined)
        failures.getOrInsert(to + failure, { state: to, failure, count: 0 }).count += count;
    },
    /** Writes, and returns the sends that were touched. */
    write: (): readonly string[] => {
      for (const [sendId, { changes, failures }] of sends) {
        sql.countChanges.run(...COUNTS.map((state) => changes[state]), sendId);
        for (const { state, failure, count } of failures.values())
          sql.countFailures.run(sendId, state, failure, count);
      }
      return [...sends.keys()];
    },
  };
}

/** The hot path is all that dispatch calls for every batch, and the writing of recipients. */
export function dispatchMethods(
  sql: Statements,
  { transaction }: Pick<SqliteDatabase, 'transaction'>,
  pseudonym: Pseudonym | undefined,
): Omit<HotPath, 'claim'> & Claims {
  const readingOf = createReadings(pseudonym);
  const settle = outcomes(sql);
  return {
    ...claims(sql, transaction),
    settleIn: (_runner, settlements) => settle(settlements),
    settle: (settlements) => transaction(() => settle(settlements)),
    rewind: (sendId) => transaction(() => void sql.rewind.run(sendId)),
    addRecipients: (sendId, recipients) =>
      transaction(() => {
        if (sql.findSend.get(sendId)?.state !== 'draft')
          throw new Error('Recipients are added to drafts only.');
        const tally = createTally(sql);
        for (const recipient of recipients) {
          const { row, number, values, skipped } = recipient;
          const why = skipped === undefined ? null : JSON.stringify(skipped);
          const state = skipped === undefined ? 'pending' : 'skipped';
          const cells = JSON.stringify(values);
          sql.insertRecipient.run(sendId, row, number, state, cells, why, readingOf(recipient));
          tally.move(sendId, undefined, state, 1, why ?? undefined);
        }
        tally.write();
        sql.growSend.run(recipients.length, sendId);
      }),
  };
}

/** Who takes recipients for attempts, and gives them back; those of `claimLists` are for `allClaimedFrom`. */
export interface Claims extends Pick<HotPath, 'claimAgain' | 'release'> {
  claimLists(...asked: Parameters<HotPath['claim']>): Promise<string>;
}

function claims(sql: Statements, transaction: SqliteDatabase['transaction']): Claims {
  function count(...moved: Parameters<Tally['move']>): void {
    const tally = createTally(sql);
    tally.move(...moved);
    tally.write();
  }

  return {
    claimLists: (sendId, limit, attemptedAt) =>
      transaction(() => {
        const send = sql.findSend.get(sendId);
        if (send?.state !== 'sending') return '[]';
        const asked = [sendId, Number(send.next_row), limit] as const;
        const { first = null, last = null, count: found, lists } = sql.claimable.get(...asked) ?? {};
        if (last === null) return '[]';
        sql.claimRange.run(attemptedAt, sendId, first, last);
        sql.moveCursor.run(Number(last) + 1, attemptedAt, sendId);
        count(sendId, 'pending', 'attempting', Number(found));
        return String(lists);
      }),
    claimAgain: (sendId, wanted, attemptedAt) =>
      transaction(() => {
        if (sql.findSend.get(sendId)?.state !== 'sending') return [];
        const rows = wanted
          .flatMap((row) => sql.claimOne.all(attemptedAt, sendId, row))
          .map(({ row, number, cells }) =>
            claimedFrom(sendId, attemptedAt, [row, number, JSON.parse(String(cells))]),
          );
        if (rows.length === 0) return rows;
        sql.moveCursor.run(null, attemptedAt, sendId);
        count(sendId, 'pending', 'attempting', rows.length);
        return rows;
      }),
    release: (sendId, rows) =>
      transaction(() => {
        const released = rows.reduce((sum, row) => sum + Number(sql.release.run(sendId, row).changes), 0);
        count(sendId, 'attempting', 'pending', released);
        sql.wantPosts.run(sendId);
        return released;
      }),
  };
}

function outcomes(sql: Statements) {
  const causeOf = createCauseOf();

  function settle(settlements: readonly Settlement[]): Settled {
    const tally = createTally(sql);
    const written = settlements.reduce((count, settlement) => count + settleOne(settlement, tally), 0);
    for (const { sendId, first, last } of freshRanges(settlements)) sql.noteIds.run(sendId, first, last);
    return { written, done: finishTouched(sql, tally, settlements.at(-1)?.settledAt ?? 0) };
  }

  /** Writes one outcome, and returns of how many it was written. */
  function settleOne(settlement: Settlement, tally: Tally): number {
    const { sendId, row, last = row, outcome, settledAt } = settlement;
    // If some of them have another outcome by now, each of the others keeps the id of the request by itself.
    if (last > row && sql.findOther.get(sendId, row, last) !== undefined)
      return Array.from({ length: last - row + 1 }, (_, at) => row + at)
        .map((each) => settleOne({ ...settlement, row: each, last: each }, tally))
        .reduce((sum, written) => sum + written);
    const columns = outcomeColumns(outcome);
    const { messageId, status, failure, explanation } = columns;
    const own = settlement.last === undefined ? messageId : null;
    // Nearly all come from `attempting`; asking for one state at a time shows which counter to lower.
    for (const from of ['attempting', 'pending'] as const) {
      const values = [outcome.state, own, status, failure, explanation, settledAt, sendId, from, row, last];
      const written = Number(sql.settle.run(...values).changes);
      if (written === 0) continue;
      tally.move(sendId, from, outcome.state, written, causeOf(sendId, columns) ?? undefined);
      if (own !== messageId) sql.insertRequest.run(sendId, row, last, messageId);
      return written;
    }
    return 0;
  }

  return settle;
}

/** Writes the counters, and ends each send of which nothing is left; returns those. */
export function finishTouched(sql: Statements, tally: Tally, at: number): readonly string[] {
  return tally.write().filter((sendId) => {
    const isDone = sql.finishSend.run(sendId).changes > 0;
    if (isDone) sql.record.run(sendId, at, HERALD, 'done', null);
    sql.wantPosts.run(sendId);
    return isDone;
  });
}

/** Values go by position. Those of a text with names stand in the order in which it names them. */
const STATEMENTS = {
  findSend: FIND_SEND,
  finishSend: FINISH_SEND,
  record: RECORD,
  wantPosts: WANT_UNLESS_SENDING,
  noteIds: NOTE_IDS,
  unfinishedSends: `SELECT id FROM sends WHERE state IN ('draft', 'approved', 'sending') ORDER BY created_at, id`,
  rewind: `UPDATE sends SET next_row = ${FIRST_PENDING} WHERE id = coalesce(?, id) AND state = 'sending' AND pending > 0`,
  countChanges: `UPDATE sends SET ${COUNTS.map((state) => `${state} = ${state} + ?`).join(', ')} WHERE id = ?`,
  countFailures: `INSERT INTO send_failures (send_id, state, failure, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  growSend: 'UPDATE sends SET recipient_count = recipient_count + ? WHERE id = ?',
  moveCursor: 'UPDATE sends SET next_row = coalesce(?1, next_row), active_at = ?2 WHERE id = ?3',
  insertRecipient:
    'INSERT INTO recipients (send_id, row, number, state, cells, failure, reading) VALUES (?, ?, ?, ?, ?, ?, ?)',
  // Read first, then marked as one range: an UPDATE … WHERE row IN (…) RETURNING takes three times as long. Written as JSON
  // here, because a value for each column of each row takes twice as long.
  claimable: `SELECT min(row) AS first, max(row) AS last, count(*) AS count, '[[' || group_concat(row) || '],["' ||
      group_concat(number, '","') || '"],[' || group_concat(coalesce(cells, 'null')) || ']]' AS lists
    FROM (SELECT row, number, cells FROM recipients WHERE send_id = ? AND row >= ? AND state = 'pending' ORDER BY row LIMIT ?)`,
  claimRange: `UPDATE recipients SET state = 'attempting', attempted_at = ?
    WHERE send_id = ? AND row BETWEEN ? AND ? AND state = 'pending'`,
  claimOne: `UPDATE recipients SET state = 'attempting', attempted_at = ? WHERE send_id = ? AND row = ? AND state = 'pending'
    RETURNING row, number, cells`,
  release: `UPDATE recipients SET state = 'pending' WHERE send_id = ? AND row = ? AND state = 'attempting'`,
  settle: `UPDATE recipients SET state = ?, message_id = ?, status = ?, failure = ?, explanation = ?, settled_at = ?
    WHERE send_id = ? AND state = ? AND row BETWEEN ? AND ?`,
  findOther: `SELECT row FROM recipients WHERE send_id = ? AND row BETWEEN ? AND ? AND state <> 'attempting' LIMIT 1`,
  insertRequest:
    'INSERT INTO requests (send_id, first_row, last_row, message_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  interruptedSends: 'SELECT id FROM sends WHERE attempting > 0 ORDER BY created_at, id',
  doubtRecipients: `UPDATE recipients SET state = 'unknown', failure = ?, settled_at = ? WHERE send_id = ? AND state = ?`,
} as const;

export type Statements = Readonly<Record<keyof typeof STATEMENTS, StatementSync>>;

/** Prepares the hot path, so that nothing is looked up or waited for. */
export function prepareStatements(database: DatabaseSync): Statements {
  const prepared = Object.entries(STATEMENTS).map(([name, text]) => [
    name,
    database.prepare(compile(textOf(text, 'sqlite'), 'sqlite').text),
  ]);
  return Object.fromEntries(prepared) as Statements;
}
