import type { DatabaseSync } from 'node:sqlite';
import { ALONE, UNSHARED } from '../alone.ts';
import type { Memory } from '../stores.ts';
import { createSqliteAlertStore } from './alert-store.ts';
import { createSqliteAudienceStore } from './audience-store.ts';
import { createSqliteDraftStore } from './draft-store.ts';
import { createSqliteInputAttempts } from './input-attempts.ts';
import { createSqliteReplyStore } from './reply-store.ts';
import { createSqliteSendStore } from './send-store.ts';
import { createSqliteTemplateStore } from './template-store.ts';

/** Every store on one SQLite file, in the thread that opened it; `database` comes from `openDatabase`. */
export function createSqliteStores(database: DatabaseSync): Memory {
  return {
    sends: createSqliteSendStore(database),
    audiences: createSqliteAudienceStore(database),
    templates: createSqliteTemplateStore(database),
    drafts: createSqliteDraftStore(database),
    replies: createSqliteReplyStore(database),
    alerts: createSqliteAlertStore(database),
    inputs: createSqliteInputAttempts(database),
    lease: ALONE,
    sharing: UNSHARED,
  };
}
