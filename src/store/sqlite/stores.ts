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
import { giveBackPages } from './vacuum.ts';

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
