import type { StoppableSurroundings } from '../../../core/surroundings.ts';
import type { Audience } from '../../../sends/audience.ts';
import type {
  AnnouncementStore,
  BulkStore,
  OwnershipStore,
  SendReader,
  TemplateCatalogue,
} from '../../../sends/ports.ts';
import type { RefusedPosts } from '../../../sends/refused-posts.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import type { SlackFiles } from '../../kit/files/files.ts';
import type { LinkTo } from '../../kit/posting/links.ts';
import type { Placing } from '../../kit/posting/placing.ts';
import type { CardSettings } from '../../kit/services.ts';
import type { FactSources } from '../approve/facts.ts';

export interface BulkAnnouncerDependencies extends StoppableSurroundings {
  readonly placing: Placing;
  readonly linkTo: LinkTo;
  readonly store: FactSources['store'] &
    Pick<SendReader, 'retriesOf' | 'outcomesOverTime'> &
    Pick<BulkStore, 'setApprovalCard'> &
    Pick<AnnouncementStore, 'markAnnounced' | 'markThread' | 'markTold'> &
    Pick<OwnershipStore, 'announces'>;
  /** What customers and their phones answered. */
  readonly answers: Answers;
  readonly audiences: { find(audienceId: string): Promise<Audience | undefined> };
  readonly catalogue: TemplateCatalogue;
  readonly files: Pick<SlackFiles, 'sendTo' | 'upload' | 'isShowable'>;
  /** `approvals.channel` of herald.yml; absent: where the send was asked for. */
  readonly approvalChannel: string | undefined;
  readonly cardSettings: CardSettings;
  readonly refusedPosts: RefusedPosts;
}
