import type { Random } from '../../core/random.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { AudienceStore } from '../audience.ts';
import { createBackgroundWork } from '../background-work.ts';
import type { ApproverDirectory } from '../bulk.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { SendStore, TemplateCatalogue } from '../ports.ts';
import type { QuietHoursAt } from '../quiet-hours.ts';
import type { Send } from '../send.ts';
import type { ApprovalPolicy, FrequencyCap } from '../settings.ts';
import type { Lease } from '../sharing.ts';
import type { StoreTrouble } from '../store-trouble.ts';
import type { Tasks } from '../tasks.ts';

export interface BulkDependencies extends StoppableSurroundings {
  /** Only the dispatcher claims and settles. */
  readonly store: Omit<SendStore, 'claim' | 'claimAgain' | 'release' | 'settle'>;
  readonly audiences: AudienceStore;
  readonly catalogue: TemplateCatalogue;
  readonly dispatcher: Dispatcher;
  readonly quietHours: QuietHoursAt;
  readonly directory: ApproverDirectory;
  readonly policy: ApprovalPolicy;
  readonly frequencyCap?: FrequencyCap | undefined;
  readonly tasks: Tasks;
  readonly lease: Pick<Lease, 'replicas' | 'exclusive'>;
  readonly random: Random;
  readonly storeTrouble: StoreTrouble;
}

/** A send while this process looks at it or sends it. */
export interface Followed {
  /** Somebody asked for a look since the last one began. */
  again: boolean;
  /** Settled once nothing is due for it, or it is being sent. */
  readonly looked: PromiseWithResolvers<void>;
  isAtWork: boolean;
  /** As it was read before it was sent from last. */
  before?: Send | undefined;
  /** Since when recipients are left and nobody works on them, by the monotonic clock. */
  idleSince?: number | undefined;
}

export type BulkWork = ReturnType<typeof createWork>;

/** Makes what the parts of this folder share in one process. */
export function createWork(dependencies: BulkDependencies) {
  return {
    ...dependencies,
    background: createBackgroundWork('the work on bulk sends', dependencies),
    /** Drafts that this process is completing. */
    preparing: new Set<string>(),
    /** One for each send. */
    followed: new Map<string, Followed>(),
    /** Sends whose reminder is known to be recorded. */
    reminded: new Set<string>(),
    /** The quiet hours of the moment when each waiting send was looked at last. */
    quiet: new Map<string, ReturnType<QuietHoursAt>>(),
  };
}
