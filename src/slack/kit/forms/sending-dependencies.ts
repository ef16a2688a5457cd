import type { Surroundings } from '../../../core/surroundings.ts';
import type { CountryCode } from '../../../messages/numbers/phone-number.ts';
import type { Senders } from '../../../messages/senders.ts';
import type { ServiceTerms } from '../../../messages/service-terms.ts';
import type { Audiences } from '../../../sends/audiences/service.ts';
import type { BulkSends } from '../../../sends/bulk.ts';
import type { TemplateCatalogue } from '../../../sends/ports.ts';
import type { SlackFiles } from '../files/files.ts';
import type { Access } from '../people/access.ts';

/** What sending to many takes. */
export interface BulkDependencies {
  readonly audiences: Audiences;
  readonly bulkSends: Pick<BulkSends, 'request'>;
  readonly files: SlackFiles;
  /** `approvals` of herald.yml: more recipients than `over` wait for an approval, asked for in `channel`. */
  readonly approvals: { readonly over: number; readonly channel?: string | undefined };
}

/** What every way to send takes, by form, by line and by workflow. */
export interface SendingDependencies extends BulkDependencies, Surroundings {
  readonly catalogue: TemplateCatalogue;
  readonly senders: Senders;
  /** As `wire:` of herald.yml has them. */
  readonly terms?: ServiceTerms;
  /** `defaults` of herald.yml. */
  readonly defaults: { readonly country: CountryCode; readonly campaignName?: string };
  readonly access: Access;
}
