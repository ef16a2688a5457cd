import type { AlertStore } from '../sends/alerts/ports.ts';
import type { AudienceStore } from '../sends/audience.ts';
import type { DraftStore } from '../sends/drafts.ts';
import type { Notes } from '../sends/notes.ts';
import type { NoticeStore } from '../sends/notices.ts';
import type { SendStore } from '../sends/ports.ts';
import type { PostStore } from '../sends/posts.ts';
import type { ConversationStore, ReplyStore } from '../sends/replies/ports.ts';
import type { RetentionStore } from '../sends/retention.ts';
import type { InputAttempts } from '../sends/set-aside.ts';
import type { Lease, Sharing } from '../sends/sharing.ts';
import type { Tasks } from '../sends/tasks.ts';
import type { TemplateStore } from '../sends/templates/store.ts';
import type { DatabaseFigures } from './observer.ts';

/** What one database keeps, by subject. */
export interface Memory {
  readonly sends: SendStore;
  readonly audiences: AudienceStore;
  readonly templates: TemplateStore;
  readonly drafts: DraftStore;
  readonly replies: ReplyStore;
  readonly conversations: ConversationStore;
  readonly alerts: AlertStore;
  readonly inputs: InputAttempts;
  readonly retention: RetentionStore;
  readonly notices: NoticeStore;
  readonly posts: PostStore;
  readonly lease: Lease;
  readonly sharing: Sharing;
}

/** All that Herald remembers; closing `sends` closes the whole. */
export interface Stores extends Memory {
  readonly tasks: Tasks;
  readonly notes: Notes;
  /** Absent where the database is this process's own. */
  readonly figures?: () => DatabaseFigures;
  /** How far this machine's clock is ahead of the database's, in milliseconds; absent where that has none of its own. */
  readonly ahead?: () => Promise<number>;
  /** How large the file and its log are; absent where the database is a server's. */
  readonly bytes?: () => { readonly file: number; readonly log: number };
  /** The id under which this process shares the database with others now. */
  readonly replica?: () => string | undefined;
}
