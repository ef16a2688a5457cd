import type { DatabaseSync } from 'node:sqlite';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { OwnershipStore, SendStore } from '../../sends/ports.ts';
import { type DeliveryStatus, rankOf } from '../../sends/replies/event.ts';
import type { NewDelivery } from '../../sends/replies/ports.ts';
import type { RecipientState, Send, SendState } from '../../sends/send.ts';
import { UNSETTLED } from '../../sends/states.ts';
import { commonStores } from '../common-stores.ts';
import { allClaimedFrom, failureColumns, sendFrom } from '../rows.ts';
import { endUnended } from '../send-statements.ts';
import { createSendStore } from '../send-store.ts';
import type { Runner } from '../sql.ts';
import { ALONE, type Memory, UNSHARED } from '../stores.ts';
import { type SqliteDatabase, sqliteDatabase } from './database.ts';
import {
  type Claims,
  createTally,
  dispatchMethods,
  finishTouched,
  prepareStatements,
  type Statements,
  type Tally,
} from './dispatch-methods.ts';
import { createNewestCopy, keepLogShort, type NewestCopy } from './newest-copy.ts';

/** Pages given back in one step: 2 MB, for which others wait. */
const STEP_PAGES = 500;

/**
 * Every store on one SQLite file, in the thread that opened it; `file` comes from `openDatabase`. Audiences that were
 * begun and not finished are swept.
 */
export function createSqliteStores(file: DatabaseSync, pseudonym?: Pseudonym): Memory {
  sweepUnfinished(file);
  const database = sqliteDatabase(file);
  return {
    ...commonStores(database, {
      pseudonym,
      owner: () => ({}),
      addDeliveries,
      giveBack: () => database.inTurn(() => giveBackPages(file)),
    }),
    sends: createSqliteSendStore(database, pseudonym),
    lease: ALONE,
    sharing: UNSHARED,
  };
}

/** Gives some of the free pages back to the disk at once, and returns how many. */
function giveBackPages(database: DatabaseSync): number {
  const free = () => Number(database.prepare('PRAGMA freelist_count').get()?.freelist_count);
  const before = free();
  if (before === 0) return 0;
  database.prepare(`PRAGMA incremental_vacuum(${STEP_PAGES})`).all();
  return before - free();
}

/** The `SendStore` on one SQLite file, which `close` closes. */
function createSqliteSendStore(database: SqliteDatabase, pseudonym?: Pseudonym): SendStore {
  const { file } = database;
  const statements = prepareStatements(file);
  const newest = createNewestCopy(file);
  const path = file.location();
  const log = path === null ? undefined : keepLogShort(file, path, newest.emptied);
  database.onCommit(() => {
    newest.committed();
    log?.committed();
  });
  const dispatch = dispatchMethods(statements, database, pseudonym);
  const ownership = ownershipMethods(statements, database, newest, dispatch);
  const claim: SendStore['claim'] = async (sendId, limit, at) =>
    allClaimedFrom(sendId, at, await ownership.claimLists(sendId, limit, at));
  const particulars = {
    ...dispatch,
    ...ownership,
    claim,
    close: () =>
      database.inTurn(() => {
        log?.close();
        newest.close();
        file.close();
      }),
  };
  return createSendStore(database, particulars, () => ({}), pseudonym);
}

const FIND_REPORTED = 'SELECT status, failure FROM deliveries WHERE send_id = :sendId AND row = :row';
const PUT_REPORTED = `INSERT OR REPLACE INTO deliveries (send_id, row, status, at, failure, explanation)
  VALUES (:sendId, :row, :status, :at, :failure, :explanation)`;
const COUNT_REPORTED = `INSERT INTO delivery_counts (send_id, status, failure, count, example)
  VALUES (:sendId, :status, :failure, :count, :explanation)
  ON CONFLICT (send_id, status, failure) DO UPDATE SET count = count + excluded.count,
    example = coalesce(example, excluded.example)`;

const NO_MORE = { count: -1, explanation: null };

/** Keeps of each recipient the best that was reported; counters move along. */
async function addDeliveries(runner: Runner, given: readonly NewDelivery[]): Promise<readonly string[]> {
  const changed = new Set<string>();
  for (const delivery of given) if (await addDelivery(runner, delivery)) changed.add(delivery.sendId);
  return [...changed];
}

async function addDelivery(runner: Runner, delivery: NewDelivery): Promise<boolean> {
  const { sendId, status } = delivery;
  const [before] = await runner.run<{ status: DeliveryStatus; failure: string | null }>(
    FIND_REPORTED,
    delivery,
  );
  if (before !== undefined && rankOf(before.status) >= rankOf(status)) return false;
  const { failure, explanation } = failureColumns(delivery.failure);
  if (before !== undefined)
    await runner.change(COUNT_REPORTED, { ...NO_MORE, ...before, sendId, failure: before.failure ?? '' });
  await runner.change(PUT_REPORTED, { ...delivery, failure, explanation });
  await runner.change(COUNT_REPORTED, { sendId, status, failure: failure ?? '', count: 1, explanation });
  return true;
}

/** Removes the lists that were not finished: whoever began them is dead. */
function sweepUnfinished(file: DatabaseSync): void {
  const unfinished = '(SELECT id FROM audiences WHERE digest IS NULL)';
  file.exec(`BEGIN IMMEDIATE;
    DELETE FROM audience_rows WHERE audience_id IN ${unfinished};
    DELETE FROM audience_exclusions WHERE audience_id IN ${unfinished};
    DELETE FROM audiences WHERE digest IS NULL; COMMIT`);
}

/**
 * One process has the file, so whoever wrote what was there when it was opened is dead, and nobody dies while it is open.
 */
function ownershipMethods(
  sql: Statements,
  { transaction, inTurn }: SqliteDatabase,
  newest: NewestCopy,
  { claimLists, claimAgain }: Claims,
): OwnershipStore & Omit<Claims, 'release'> {
  const leftBehind = new Set(sql.unfinishedSends.all().map(({ id }) => String(id)));
  /** From the first claim on, what is `attempting` may be this process's own. */
  let claimed = false;

  /** Makes whoever is in these states unknown; the counters are left to be written. */
  function doubt(ids: readonly string[], states: readonly RecipientState[], why: string, at: number): Tally {
    const tally = createTally(sql);
    for (const id of ids) {
      for (const state of states) {
        const written = Number(sql.doubtRecipients.run(why, at, id, state).changes);
        tally.move(id, state, 'unknown', written, written > 0 ? why : undefined);
      }
    }
    return tally;
  }

  function adopt(states: readonly SendState[], limit: number): readonly Send[] {
    const adopted = [...leftBehind]
      .flatMap((id) => sql.findSend.all(id).map(sendFrom))
      .filter(({ state }) => states.includes(state))
      .slice(0, limit);
    for (const { id } of adopted) leftBehind.delete(id);
    return adopted;
  }

  return {
    recoverInterrupted: (failure, at) =>
      transaction(() => {
        if (claimed) return [];
        const interrupted = sql.interruptedSends.all().map((row) => String(row.id));
        finishTouched(sql, doubt(interrupted, ['attempting'], JSON.stringify(failure), at), at);
        sql.rewind.run(null);
        return interrupted;
      }),
    adopt: (states, limit) => inTurn(() => adopt(states, limit)),
    owns: (sendId) => inTurn(() => sql.findSend.get(sendId) !== undefined),
    claimLists: (...which) => {
      claimed = true;
      return claimLists(...which);
    },
    claimAgain: (...which) => {
      claimed = true;
      return claimAgain(...which);
    },
    stopRestored: async (failure, at) => {
      if (!newest.isOlder()) return undefined;
      const stopped = await transaction(async (runner) => {
        const why = JSON.stringify(failure);
        const ended = await endUnended(runner, why, at);
        doubt(ended, UNSETTLED, why, at).write();
        newest.begin();
        return ended;
      });
      newest.begun();
      return stopped;
    },
  };
}
