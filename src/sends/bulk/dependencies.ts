import type { Random } from '../../core/random.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { AudienceStore } from '../audience.ts';
import type { ApproverDirectory, BulkAnnouncer } from '../bulk.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type {
  AnnouncementStore,
  BulkStore,
  DispatchStore,
  OwnershipStore,
  SendReader,
  SendWriter,
  TemplateCatalogue,
} from '../ports.ts';
import type { QuietHoursAt } from '../quiet-hours.ts';
import type { Lease } from '../sharing.ts';
import type { StoreTrouble } from '../store-trouble.ts';
import type { Tasks } from '../tasks.ts';
import type { FrequencyCap } from './final-check.ts';
import type { ApprovalPolicy } from './policy.ts';

export interface BulkDependencies extends StoppableSurroundings {
  readonly store: SendReader &
    SendWriter &
    BulkStore &
    OwnershipStore &
    AnnouncementStore &
    Pick<DispatchStore, 'rewind'>;
  readonly audiences: AudienceStore;
  readonly catalogue: TemplateCatalogue;
  readonly dispatcher: Dispatcher;
  readonly announcer: BulkAnnouncer;
  readonly quietHours: QuietHoursAt;
  readonly directory: ApproverDirectory;
  readonly policy: ApprovalPolicy;
  readonly frequencyCap?: FrequencyCap | undefined;
  readonly tasks: Tasks;
  readonly lease: Pick<Lease, 'replicas' | 'exclusive'>;
  readonly random: Random;
  /** Notes that the store refuses writes. */
  readonly storeTrouble: StoreTrouble;
}
