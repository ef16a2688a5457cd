import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { NewSend, SendStore, SendTransition } from '../sends/ports.ts';
import { mayMove } from '../sends/states.ts';
import { bulkSends } from './bulk-sends.ts';
import { insertSend } from './new-send.ts';
import { wantPostsOf, wantReminder } from './post-store.ts';
import { jsonColumn } from './rows.ts';
import { sendReads } from './send-reads.ts';
import { FINISH_SEND, FIRST_PENDING, HERALD, IS_AS_SEEN, LOCK_SEND, record } from './send-statements.ts';
import { type Database, type OwnerColumn, type Runner, sql } from './sql.ts';

const NUMBERS = {
  sqlite: `SELECT :id, key, value, 'pending' FROM json_each(:numbers)`,
  postgres: `SELECT :id, place - 1, number, 'pending'
    FROM unnest(:numbers::text[]) WITH ORDINALITY AS given (number, place)`,
};
const INSERT_NUMBERS = sql`INSERT INTO recipients (send_id, row, number, state) ${NUMBERS}`;
// Resuming begins at the first recipient that is left, because a released one may stand before the last claim.
const MOVE = `UPDATE sends SET state = :to, reason = :reason, resume_at = :resumeAt,
    next_row = CASE WHEN :to <> 'sending' THEN next_row ELSE ${FIRST_PENDING} END,
    active_at = CASE WHEN :to <> 'sending' THEN active_at ELSE :at END
  WHERE id = :sendId AND ${IS_AS_SEEN}`;
const RECORDED = `SELECT id FROM send_events WHERE send_id = :sendId AND action = :action
  AND (CAST(:reason AS TEXT) IS NULL OR (actor = :actor AND reason = :reason)) LIMIT 1`;

/** A table of one row, which changes only with the rules of alerts. */
const WRITE_THE_SAME = 'UPDATE alert_version SET version = version';

/** What each database does in its own way: the hot path, and who owns what of the dead. */
export type Particular =
  | 'claim'
  | 'claimAgain'
  | 'release'
  | 'rewind'
  | 'settle'
  | 'skipOverCap'
  | 'addRecipients'
  | 'recoverInterrupted'
  | 'adopt'
  | 'owns'
  | 'stopRestored'
  | 'close';

export function createSendStore(
  database: Database,
  particulars: Pick<SendStore, Particular>,
  owner: OwnerColumn,
  pseudonym?: Pseudonym,
): SendStore {
  async function create(runner: Runner, send: NewSend): ReturnType<SendStore['create']> {
    const inserted = await insertSend(runner, send, owner);
    const numbers = send.recipients.map(({ number }) => number);
    if (inserted?.created) await runner.change(INSERT_NUMBERS, { id: send.id, numbers });
    return inserted;
  }

  async function move(runner: Runner, asked: SendTransition): Promise<boolean> {
    const { sendId, from, to, at, actor, resumeAt, activeAt } = asked;
    if (!mayMove(from, to)) throw new Error(`A send may not go from ${from} to ${to}.`);
    const reason = jsonColumn(asked.reason);
    // First, so that whom others release meanwhile is seen where claims are to begin.
    if (to === 'sending') await runner.run(LOCK_SEND, { sendId });
    const moved = await runner.change(MOVE, { sendId, from, to, at, reason, resumeAt, activeAt });
    if (moved === 0) return false;
    await record(runner, { sendId, at, actor, action: to, reason });
    // Nothing may be left of a send that is paused to the very end: then resuming it finishes it.
    if (to === 'sending' && (await runner.change(FINISH_SEND, { sendId })) === 1)
      await record(runner, { sendId, at, actor: HERALD, action: 'done' });
    await wantPostsOf(runner, sendId, at);
    return true;
  }

  return {
    ...sendReads(database, pseudonym),
    ...bulkSends(database, owner),
    ...particulars,
    tryWrite: async () => {
      await database.change(WRITE_THE_SAME);
    },
    create: (send) => database.transaction((runner) => create(runner, send)),
    moveSend: (transition) => database.transaction((runner) => move(runner, transition)),
    recordOnce: (note) =>
      database.transaction(async (runner) => {
        const noted = { ...note, reason: jsonColumn(note.reason) };
        await runner.run(LOCK_SEND, noted);
        if ((await runner.run(RECORDED, noted)).length > 0) return false;
        await record(runner, noted);
        if (note.action === 'reminded') await wantReminder(runner, note.sendId, note.at);
        return true;
      }),
    markCanaryJudged: async (sendId) => {
      await database.change('UPDATE sends SET canary_judged = 1 WHERE id = :sendId', { sendId });
    },
  };
}
