import type { DatabaseSync } from 'node:sqlite';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import { ALONE, UNSHARED } from '../alone.ts';
import { createAudienceStore } from '../audience-store.ts';
import { commonStores } from '../common-stores.ts';
import { createReplyStore } from '../reply-store.ts';
import { createRetention } from '../retention.ts';
import type { Memory } from '../stores.ts';
import { sqliteAudienceRows, sweepUnfinished } from './audience-rows.ts';
import { sqliteDatabase } from './database.ts';
import { addDeliveries } from './deliveries.ts';
import { createSqliteSendStore } from './send-store.ts';

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
