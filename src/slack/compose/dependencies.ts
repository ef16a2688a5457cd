import type { Clock } from '../../core/clock.ts';
import type { ExpiringMap } from '../../core/expiring-map.ts';
import type { Logger } from '../../core/logger.ts';
import type { FormContext } from '../../messages/form/form.ts';
import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import type { Senders } from '../../messages/senders.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { BulkSends } from '../../sends/bulk.ts';
import type { DraftStore } from '../../sends/drafts.ts';
import type { Notes } from '../../sends/notes.ts';
import type { TemplateCatalogue } from '../../sends/ports.ts';
import type { SendService } from '../../sends/service.ts';
import type { Audiences } from '../audiences/port.ts';
import type { SlackFiles } from '../files/files.ts';
import type { SendAccess } from '../people/access.ts';
import type { ComposeForm } from './form-view.ts';
import type { OnCallGroups } from './group-line.ts';
import type { SetAside } from './set-aside.ts';
import type { ViewUpdates } from './view-updates.ts';

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

/** What a handler works with; `registerCompose` makes it once. */
export interface Compose extends ComposeDependencies {
  readonly views: ViewUpdates;
  /** Views whose list is being read: a second press waits for the same reading. */
  readonly reading: Set<string>;
  /** Forms whose list was ready only after they were closed, by the id of the closed view. */
  readonly closedForms: ExpiringMap<ComposeForm>;
  /** What was typed into parts of a form that are not shown now, by the view's id. */
  readonly setAside: SetAside;
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
