import type { AlertStore } from '../../src/sends/alerts/ports.ts';
import type { Database } from '../../src/store/sql.ts';
import type { Memory } from '../../src/store/stores.ts';
import { describeAlertStore } from './alert-contract.ts';
import { describeAudienceStore } from './audience-contract.ts';
import { describeDoubts } from './doubt-contract.ts';
import { describeDraftStore } from './draft-contract.ts';
import { describeFinding } from './finding-contract.ts';
import { describeInputAttempts } from './input-contract.ts';
import { describeLongestTexts } from './longest-texts-contract.ts';
import { describeMessageIds } from './message-id-contract.ts';
import { describeNoticeStore } from './notice-contract.ts';
import { describePeople } from './person-contract.ts';
import { describePosts } from './post-contract.ts';
import { describeReplyStore } from './reply-contract.ts';
import { describeTemplateStore } from './template-contract.ts';

interface OpenedStores extends Memory {
  readonly database: Database;
  /** Opens the alerts of another process on the same data. */
  another(): Promise<AlertStore>;
}

/** All that both databases must do alike, of one process. @param open fresh, empty stores */
export function describeStores(name: string, open: () => Promise<OpenedStores>): void {
  describeAudienceStore(name, open);
  describePeople(name, open);
  describeInputAttempts(name, open);
  describePosts(name, open);
  describeNoticeStore(name, open);
  describeDraftStore(name, async () => (await open()).drafts);
  describeTemplateStore(name, async () => (await open()).templates);
  describeAlertStore(name, open);
  describeFinding(name, open);
  describeLongestTexts(name, open);
  describeReplyStore(name, open);
  describeMessageIds(name, open);
  describeDoubts(name, open);
}
