import type { DatabaseSync } from 'node:sqlite';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import { createAlertStore } from '../alert-store.ts';
import { ALONE, UNSHARED } from '../alone.ts';
import { createAudienceStore } from '../audience-store.ts';
import { createConversationStore } from '../conversation-store.ts';
import { createDraftStore } from '../draft-store.ts';
import { createInputAttempts } from '../input-attempts.ts';
import { createNoticeStore } from '../notice-store.ts';
import { createReplyStore } from '../reply-store.ts';
import { createRetention } from '../retention.ts';
import type { Memory } from '../stores.ts';
import { createTemplateStore } from '../template-store.ts';
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
    sends: createSqliteSendStore(database, pseudonym),
    audiences: createAudienceStore(database, sqliteAudienceRows(database), () => ({})),
    templates: createTemplateStore(database),
    drafts: createDraftStore(database),
    replies: createReplyStore(database, addDeliveries, pseudonym),
    conversations: createConversationStore(database),
    alerts: createAlertStore(database),
    inputs: createInputAttempts(database),
    retention: createRetention(database, pseudonym, () => database.inTurn(() => giveBackPages(file))),
    notices: createNoticeStore(database),
    lease: ALONE,
    sharing: UNSHARED,
  };
}
