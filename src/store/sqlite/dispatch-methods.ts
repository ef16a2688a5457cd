import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { OverCap, Settled, Settlement } from '../../sends/outcome.ts';
import type { DispatchStore, NewRecipient } from '../../sends/ports.ts';
import type { RecipientRow } from '../../sends/send.ts';
import { claimedFrom, createCauseOf, outcomeColumns, recipientFrom } from '../rows.ts';
import { HERALD, underAllNames } from '../send-statements.ts';
import type { SqliteDatabase } from './database.ts';
import type { Statements } from './statements.ts';
import { createTally, type Tally } from './tally.ts';

type DispatchMethods = Omit<DispatchStore, 'markCanaryJudged'> & {
  addRecipients(sendId: string, recipients: readonly NewRecipient[]): Promise<void>;
};

/** The hot path: what dispatch calls for every batch, and the writing of recipients. */
export function dispatchMethods(
  sql: Statements,
  { transaction }: Pick<SqliteDatabase, 'transaction'>,
  pseudonym: Pseudonym | undefined,
): DispatchMethods {
  const { claim, claimAgain, release } = claims(sql);
  const { settle, skipOverCap } = outcomes(sql, pseudonym);
  return {
    skipOverCap: (asked) => transaction(() => skipOverCap(asked)),
    claim: (sendId, limit, attemptedAt) => transaction(() => claim(sendId, limit, attemptedAt)),
    claimAgain: (sendId, rows, attemptedAt) => transaction(() => claimAgain(sendId, rows, attemptedAt)),
    release: (sendId, rows) => transaction(() => release(sendId, rows)),
    rewind: (sendId) =>
      transaction(() => {
        sql.rewind.run(sendId);
      }),
    settle: (settlements) => transaction(() => settle(settlements)),
    addRecipients: (sendId, recipients) => transaction(() => addRecipients(sql, sendId, recipients)),
  };
}

/** Taking recipients for attempts, and giving them back. */
function claims(sql: Statements) {
  function claim(sendId: string, limit: number, attemptedAt: number): readonly RecipientRow[] {
    const send = sql.findSend.get(sendId);
    if (send?.state !== 'sending') return [];
    const rows = sql.claimable
      .all(sendId, Number(send.next_row), limit)
      .map((columns) => claimedFrom(sendId, attemptedAt, columns));
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    sql.claimRange.run(attemptedAt, sendId, first.row, last.row);
    sql.moveCursor.run(last.row + 1, attemptedAt, sendId);
    count(sendId, 'pending', 'attempting', rows.length);
    return rows;
  }

  function claimAgain(
    sendId: string,
    wanted: readonly number[],
    attemptedAt: number,
  ): readonly RecipientRow[] {
    if (sql.findSend.get(sendId)?.state !== 'sending') return [];
    const rows = wanted.flatMap((row) => sql.claimOne.all(attemptedAt, sendId, row).map(recipientFrom));
    if (rows.length === 0) return rows;
    sql.moveCursor.run(null, attemptedAt, sendId);
    count(sendId, 'pending', 'attempting', rows.length);
    return rows;
  }

  function count(...[sendId, from, to, howMany]: Parameters<Tally['move']>): void {
    const tally = createTally(sql);
    tally.move(sendId, from, to, howMany);
    tally.write();
  }

  function release(sendId: string, rows: readonly number[]): number {
    const released = rows.reduce((count, row) => count + Number(sql.release.run(sendId, row).changes), 0);
    count(sendId, 'attempting', 'pending', released);
    sql.wantPosts.run(sendId);
    return released;
  }

  return { claim, claimAgain, release };
}

/** Writing what became of recipients. */
function outcomes(sql: Statements, pseudonym: Pseudonym | undefined) {
  const causeOf = createCauseOf();

  function settle(settlements: readonly Settlement[]): Settled {
    const tally = createTally(sql);
    const written = settlements.filter((settlement) => settleOne(settlement, tally)).length;
    return { written, done: finishTouched(sql, tally, settlements.at(-1)?.settledAt ?? 0) };
  }

  /** Returns whether it was written. */
  function settleOne({ sendId, row, outcome, settledAt }: Settlement, tally: Tally): boolean {
    const columns = outcomeColumns(outcome);
    const { messageId, status, failure, explanation } = columns;
    // Nearly all come from `attempting`; asking for one state at a time tells which counter to lower.
    for (const from of ['attempting', 'pending'] as const) {
      const values = [outcome.state, messageId, status, failure, explanation, settledAt, sendId, from, row];
      if (sql.settle.run(...values).changes === 0) continue;
      tally.move(sendId, from, outcome.state, 1, causeOf(sendId, columns) ?? undefined);
      return true;
    }
    return false;
  }

  function skipOverCap({ sendId, recipients, most, since, failure, at }: OverCap): readonly number[] {
    const { numbers, countsOf } = underAllNames(
      recipients.map(({ number }) => number),
      pseudonym,
    );
    const sent = countsOf(sql.sentSince.all(JSON.stringify(numbers), since));
    const over = recipients.filter(({ number }) => (sent.get(number) ?? 0) > most).map(({ row }) => row);
    settle(over.map((row) => ({ sendId, row, outcome: { state: 'skipped', failure }, settledAt: at })));
    return over;
  }

  return { settle, skipOverCap };
}

function addRecipients(sql: Statements, sendId: string, recipients: readonly NewRecipient[]): void {
  if (sql.findSend.get(sendId)?.state !== 'draft') throw new Error('Recipients are added to drafts only.');
  const tally = createTally(sql);
  for (const { row, number, values, skipped } of recipients) {
    const why = skipped === undefined ? null : JSON.stringify(skipped);
    const state = skipped === undefined ? 'pending' : 'skipped';
    sql.insertRecipient.run(sendId, row, number, state, JSON.stringify(values), why);
    tally.move(sendId, undefined, state, 1, why ?? undefined);
  }
  tally.write();
  sql.growSend.run(recipients.length, sendId);
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
