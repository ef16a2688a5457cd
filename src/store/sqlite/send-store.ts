import type { DatabaseSync } from 'node:sqlite';
import type { Failure } from '../../sends/outcome.ts';
import type { NewSend, SendEvent, SendStore, SendTransition, Settlement } from '../../sends/ports.ts';
import type { Announcement, RecipientRow, Send, SendState } from '../../sends/send.ts';
import { mayMove } from '../../sends/states.ts';
import { recipientFrom, sendFrom } from './rows.ts';
import { prepareStatements } from './statements.ts';

/** Herald's own actor in the record, for what happens by itself. */
const HERALD = 'herald';

/** The `SendStore` on one SQLite file; `database` comes from `openDatabase`, and is closed by `close`. */
export function createSqliteSendStore(database: DatabaseSync): SendStore {
  const sql = prepareStatements(database);

  /** One durable transaction; an error inside rolls everything back and is thrown on. */
  async function transaction<T>(work: () => T): Promise<T> {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A failed COMMIT (a full disk, say) may have ended the transaction already.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  function insert(send: NewSend): { send: Send; created: boolean } {
    const { id, kind, message, origin, state, recipients, createdAt, requestKey } = send;
    const inserted = sql.insertSend.run(
      id,
      kind,
      JSON.stringify(message),
      origin.teamId,
      origin.userId,
      origin.channelId,
      state,
      recipients.length,
      createdAt,
      requestKey,
    );
    if (inserted.changes === 0)
      return { send: sendFrom(sql.findByRequestKey.get(requestKey)), created: false };
    for (const [row, recipient] of recipients.entries()) sql.insertRecipient.run(id, row, recipient.number);
    sql.insertEvent.run(id, createdAt, origin.userId, 'requested');
    return { send: sendFrom(sql.findSend.get(id)), created: true };
  }

  function move({ sendId, from, to, at, actor }: SendTransition): boolean {
    if (!mayMove(from, to)) throw new Error(`A send may not go from ${from} to ${to}.`);
    const moved = sql.moveSend.run(to, sendId, from).changes === 1;
    if (moved) sql.insertEvent.run(sendId, at, actor, to);
    return moved;
  }

  function settleOne({ sendId, row, outcome, settledAt }: Settlement): number {
    const accepted = outcome.state === 'accepted';
    const status = accepted ? outcome.status : outcome.failure.status;
    const { changes } = sql.settle.run(
      outcome.state,
      (accepted ? outcome.messageId : undefined) ?? null,
      status ?? null,
      accepted ? null : JSON.stringify(outcome.failure),
      settledAt,
      sendId,
      row,
    );
    return Number(changes);
  }

  function finish(sendId: string, at: number): void {
    sql.bumpRevision.run(sendId);
    if (sql.finishSend.run(sendId).changes === 1) sql.insertEvent.run(sendId, at, HERALD, 'done');
  }

  function settleAll(settlements: readonly Settlement[]): number {
    const touched = new Map<string, number>();
    let written = 0;
    for (const settlement of settlements) {
      if (settleOne(settlement) === 0) continue;
      written += 1;
      touched.set(settlement.sendId, settlement.settledAt);
    }
    for (const [sendId, at] of touched) finish(sendId, at);
    return written;
  }

  function claim(sendId: string, limit: number, attemptedAt: number): readonly RecipientRow[] {
    if (sql.findSend.get(sendId)?.state !== 'sending') return [];
    return sql.claim
      .all(attemptedAt, sendId, sendId, limit)
      .map(recipientFrom)
      .sort((a, b) => a.row - b.row);
  }

  function interrupt(failure: Failure, at: number): readonly string[] {
    const ids = sql.interruptedSends.all().map((row) => String(row.send_id));
    sql.interruptRecipients.run(JSON.stringify(failure), at);
    for (const id of ids) finish(id, at);
    return ids;
  }

  return {
    create: (send) => transaction(() => insert(send)),
    find: async (sendId) => {
      const columns = sql.findSend.get(sendId);
      return columns === undefined ? undefined : sendFrom(columns);
    },
    recipients: async (sendId) => sql.recipients.all(sendId).map(recipientFrom),
    moveSend: (transition) => transaction(() => move(transition)),
    claim: (sendId, limit, attemptedAt) => transaction(() => claim(sendId, limit, attemptedAt)),
    release: (sendId, row) => transaction(() => sql.release.run(sendId, row).changes === 1),
    settle: (settlements) => transaction(() => settleAll(settlements)),
    recoverInterrupted: (failure, at) => transaction(() => interrupt(failure, at)),
    findByState: async (states: readonly SendState[], limit) =>
      sql.findByStates.all(JSON.stringify(states), limit).map(sendFrom),
    markAnnounced: (sendId: string, revision: number, announcement: Announcement | undefined) =>
      transaction(() => {
        sql.markAnnounced.run(revision, announcement?.channelId ?? null, announcement?.ts ?? null, sendId);
      }),
    unannounced: async (limit) => sql.unannounced.all(limit).map(sendFrom),
    events: async (sendId): Promise<readonly SendEvent[]> =>
      sql.events.all(sendId).map((row) => ({
        sendId: String(row.send_id),
        at: Number(row.at),
        actor: String(row.actor),
        action: String(row.action),
      })),
    outcomesSince: async (since) =>
      Object.fromEntries(sql.outcomesSince.all(since).map((row) => [String(row.state), Number(row.count)])),
    close: async () => database.close(),
  };
}
