import type { DatabaseSync } from 'node:sqlite';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { SendStore } from '../../sends/ports.ts';
import { ALONE, UNSHARED } from '../alone.ts';
import { createAudienceStore } from '../audience-store.ts';
import { commonStores } from '../common-stores.ts';
import { createReplyStore } from '../reply-store.ts';
import { createRetention } from '../retention.ts';
import { createSendStore } from '../send-store.ts';
import type { Memory } from '../stores.ts';
import { sqliteAudienceRows, sweepUnfinished } from './audience-rows.ts';
import { type SqliteDatabase, sqliteDatabase } from './database.ts';
import { addDeliveries } from './deliveries.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import { keepLogShort } from './log.ts';
import { createNewestCopy } from './newest-copy.ts';
import { ownershipMethods } from './ownership-methods.ts';
import { prepareStatements } from './statements.ts';

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
    ...commonStores(database),
    sends: createSqliteSendStore(database, pseudonym),
    audiences: createAudienceStore(database, sqliteAudienceRows(database), () => ({})),
    replies: createReplyStore(database, addDeliveries, pseudonym),
    retention: createRetention(database, pseudonym, () => database.inTurn(() => giveBackPages(file))),
    lease: ALONE,
    sharing: UNSHARED,
  };
}

/** Gives some of the free pages at once back to the disk. Returns how many. */
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
  const particulars = {
    ...dispatch,
    ...ownershipMethods(statements, database, newest, dispatch),
    close: () =>
      database.inTurn(() => {
        log?.close();
        newest.close();
        file.close();
      }),
  };
  return createSendStore(database, particulars, () => ({}), pseudonym);
}
