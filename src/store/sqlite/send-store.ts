import type { DatabaseSync } from 'node:sqlite';
import type { NewSend, SendStore, SendTransition } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { mayMove } from '../../sends/states.ts';
import { HERALD } from '../actor.ts';
import { alertColumn, jsonColumn, sendFrom } from '../rows.ts';
import { bulkMethods } from './bulk-methods.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import { keepLogShort } from './log.ts';
import { createNewestCopy } from './newest-copy.ts';
import { ownershipMethods } from './ownership-methods.ts';
import { readMethods } from './read-methods.ts';
import { restoredMethod } from './restored-method.ts';
import { prepareStatements } from './statements.ts';
import { onCommit, transactionsOn } from './transaction.ts';

/** The `SendStore` on one SQLite file; `database` comes from `openDatabase`, and is closed by `close`. */
export function createSqliteSendStore(database: DatabaseSync): SendStore {
  const sql = prepareStatements(database);
  const newest = createNewestCopy(database);
  const file = database.location();
  const log = file === null ? undefined : keepLogShort(database, file);
  const transaction = transactionsOn(database);
  onCommit(database, () => {
    newest.committed();
    log?.committed();
  });

  function insert(send: NewSend): { send: Send; created: boolean } {
    const { id, kind, message, template, origin, state, recipients, createdAt, requestKey } = send;
    const inserted = sql.insertSend.run(
      id,
      kind,
      JSON.stringify(message),
      origin.teamId,
      origin.userId,
      origin.channelId,
      state,
      recipients.length,
      recipients.length,
      createdAt,
      requestKey,
      null,
      null,
      null,
      null,
      null,
      alertColumn(origin),
      jsonColumn(template),
    );
    if (inserted.changes === 0)
      return { send: sendFrom(sql.findByRequestKey.get(requestKey)), created: false };
    for (const [row, { number }] of recipients.entries()) {
      sql.insertRecipient.run(id, row, number, 'pending', null, null, null);
    }
    sql.insertEvent.run(id, createdAt, origin.userId, 'requested', null);
    return { send: sendFrom(sql.findSend.get(id)), created: true };
  }

  function move({ sendId, from, to, at, actor, reason, resumeAt }: SendTransition): boolean {
    if (!mayMove(from, to)) throw new Error(`A send may not go from ${from} to ${to}.`);
    const why = jsonColumn(reason);
    const moved = sql.moveSend.run(to, sendId, from, why, resumeAt ?? null, at).changes === 1;
    if (!moved) return false;
    sql.insertEvent.run(sendId, at, actor, to, why);
    // Nothing may be left of a send that is paused to the very end: then resuming it finishes it.
    if (to === 'sending' && sql.finishSend.run(sendId).changes === 1)
      sql.insertEvent.run(sendId, at, HERALD, 'done', null);
    return true;
  }

  const dispatch = dispatchMethods(sql, transaction);
  return {
    create: (send) => transaction(() => insert(send)),
    moveSend: (transition) => transaction(() => move(transition)),
    ...dispatch,
    ...ownershipMethods(sql, transaction, dispatch),
    ...bulkMethods(sql, transaction),
    ...readMethods(sql),
    stopRestored: restoredMethod(sql, transaction, newest),
    markAnnounced: (sendId, revision, announcement) =>
      transaction(() => {
        sql.markAnnounced.run(revision, announcement?.channelId ?? null, announcement?.ts ?? null, sendId);
      }),
    markThread: (sendId, { causesTs, end, deferral }) =>
      transaction(() => {
        sql.markTold.run(causesTs ?? null, end ?? null, deferral ?? null, sendId);
      }),
    markCanaryJudged: (sendId) =>
      transaction(() => {
        sql.markCanaryJudged.run(sendId);
      }),
    recordOnce: ({ sendId, action, at, actor, reason }) =>
      transaction(() => sql.recordOnce.run(sendId, at, actor, action, jsonColumn(reason)).changes === 1),
    close: async () => {
      log?.close();
      newest.close();
      database.close();
    },
  };
}
