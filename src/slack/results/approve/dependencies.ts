import type { Clock } from '../../../core/clock.ts';
import type { ExpiringMap } from '../../../core/expiring-map.ts';
import type { Logger } from '../../../core/logger.ts';
import type { CountryCode, Msisdn } from '../../../messages/numbers/phone-number.ts';
import type { Audience } from '../../../sends/audience.ts';
import type { ApproverDirectory, BulkAnnouncer, BulkSends } from '../../../sends/bulk.ts';
import type { SendReader, TemplateCatalogue } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import type { SendService } from '../../../sends/service.ts';

export interface ApprovalDependencies {
  readonly bulkSends: Pick<BulkSends, 'approve' | 'reject' | 'withdraw'>;
  readonly announcer: Pick<BulkAnnouncer, 'showApproval'>;
  readonly store: Pick<SendReader, 'find' | 'recipients' | 'approvals' | 'failures' | 'events'>;
  readonly audiences: { find(audienceId: string): Promise<Audience | undefined> };
  readonly catalogue: TemplateCatalogue;
  /** Test messages are sends of their own. */
  readonly sends: Pick<SendService, 'submit'>;
  readonly directory: ApproverDirectory;
  /** `defaults` of herald.yml. */
  readonly defaults: { readonly country: CountryCode };
  /** Opens a send that was taken back as a form; returns a sentence when that failed. */
  readonly onEdit: (send: Send, triggerId: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the handlers work with; `registerApproval` makes it once. */
export interface Approving extends ApprovalDependencies {
  /** Where each person had their last test sent; kept in memory only. */
  readonly testNumbers: ExpiringMap<Msisdn>;
}
