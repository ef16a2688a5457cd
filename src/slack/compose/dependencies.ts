import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { BulkSends } from '../../sends/bulk.ts';
import type { DraftStore } from '../../sends/drafts.ts';
import type { Notes } from '../../sends/notes.ts';
import type { SendReader } from '../../sends/ports.ts';
import type { ConversationStore } from '../../sends/replies/ports.ts';
import type { SendService } from '../../sends/service.ts';
import type { SendingDependencies } from '../kit/forms/sending-dependencies.ts';
import type { Names } from '../kit/people/names.ts';

export interface ComposeDependencies extends SendingDependencies {
  readonly sends: Pick<SendService, 'submit'>;
  /** Of which something is taken over. */
  readonly store: Pick<SendReader, 'find' | 'recipients' | 'retriesOf'>;
  readonly bulkSends: Pick<BulkSends, 'request' | 'review'>;
  /** What is typed into parts that are not shown now is kept there. */
  readonly notes: Notes;
  readonly groups: OnCallGroups;
  readonly drafts: DraftStore;
  readonly names: Names;
  readonly conversations: Pick<ConversationStore, 'findEvent' | 'newestAnswer'>;
}

/** The groups of `alerts` in herald.yml. */
export interface OnCallGroups {
  readonly names: readonly string[];
  /** Numbers of those who are on call now. */
  numbersOf(group: string): Promise<readonly Msisdn[]>;
  /** A message to more of them than this waits for approval. */
  readonly approvalOver: number;
}
