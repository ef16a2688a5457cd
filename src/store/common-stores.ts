import { createAlertStore } from './alert-store.ts';
import { createConversationStore } from './conversation-store.ts';
import { createDraftStore } from './draft-store.ts';
import { createInputAttempts } from './input-attempts.ts';
import { createNoticeStore } from './notice-store.ts';
import { createPostStore } from './post-store.ts';
import type { Database } from './sql.ts';
import { createTemplateStore } from './template-store.ts';

/** The stores in which nothing differs between the databases but a word of SQL. */
export function commonStores(database: Database) {
  return {
    templates: createTemplateStore(database),
    drafts: createDraftStore(database),
    conversations: createConversationStore(database),
    alerts: createAlertStore(database),
    inputs: createInputAttempts(database),
    notices: createNoticeStore(database),
    posts: createPostStore(database),
  };
}
