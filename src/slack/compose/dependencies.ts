import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { FormContext } from '../../messages/form/form.ts';
import type { CountryCode, Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Senders } from '../../messages/senders.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { BulkSends } from '../../sends/bulk.ts';
import type { DraftStore } from '../../sends/drafts.ts';
import type { Notes } from '../../sends/notes.ts';
import type { TemplateCatalogue } from '../../sends/ports.ts';
import type { SendService } from '../../sends/service.ts';
import type { Audiences } from '../audiences/port.ts';
import type { SlackFiles } from '../kit/files/files.ts';
import type { SendAccess } from '../kit/people/access.ts';

/** What sending to many takes. */
export interface BulkDependencies {
  readonly audiences: Audiences;
  readonly bulkSends: Pick<BulkSends, 'request'>;
  readonly files: SlackFiles;
  /** `approvals` of herald.yml: more recipients than `over` wait for an approval, asked for in `channel`. */
  readonly approvals: { readonly over: number; readonly channel?: string };
}

export interface ComposeDependencies {
  readonly catalogue: TemplateCatalogue;
  readonly sends: Pick<SendService, 'submit'>;
  readonly senders: Senders;
  /** `defaults` of herald.yml. */
  readonly defaults: { readonly country: CountryCode; readonly campaignName?: string };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent: forms send to one number only. */
  readonly bulk?: BulkDependencies;
  /** What is typed into parts that are not shown now is kept there. */
  readonly notes: Notes;
  /** Absent: there are no on-call groups. */
  readonly groups?: OnCallGroups;
  /** Absent: forms cannot be kept. */
  readonly drafts?: DraftStore;
  /** Absent: everyone in the workspace may send everything. */
  readonly access?: SendAccess;
}

/** What the fields of a form depend on. */
export function formContext({ senders, defaults }: ComposeDependencies, template?: Template): FormContext {
  return {
    senders,
    defaultCountry: defaults.country,
    ...(defaults.campaignName ? { defaultCampaignName: defaults.campaignName } : {}),
    ...(template ? { template } : {}),
  };
}

/** The groups of `alerts` in herald.yml. */
export interface OnCallGroups {
  readonly names: readonly string[];
  /** Numbers of those who are on call now. */
  numbersOf(group: string): Promise<readonly Msisdn[]>;
  /** A message to more of them than this waits for approval. */
  readonly approvalOver: number;
}
