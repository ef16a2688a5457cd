import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { FormContext } from '../../messages/form.ts';
import type { MessageKind } from '../../messages/message.ts';
import type { CountryCode } from '../../messages/phone-number.ts';
import type { Senders } from '../../messages/senders.ts';
import type { Template } from '../../messages/template.ts';
import type { TemplateCatalogue } from '../../sends/ports.ts';
import type { SendService } from '../../sends/service.ts';
import type { ViewUpdates } from './view-updates.ts';

/** Who may send which kind. Answers from memory or within about a second. */
export interface SendAccess {
  /** A sentence that says why this person may not, or undefined when they may. */
  whyNot(kind: MessageKind, userId: string): Promise<string | undefined>;
}

export interface ComposeDependencies {
  readonly catalogue: TemplateCatalogue;
  readonly sends: Pick<SendService, 'submit'>;
  readonly senders: Senders;
  /** `defaults` of herald.yml. */
  readonly defaults: { readonly country: CountryCode; readonly campaignName?: string };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent: everyone in the workspace may send everything. */
  readonly access?: SendAccess;
}

/** What a handler works with; `registerCompose` makes it once. */
export interface Compose extends ComposeDependencies {
  readonly views: ViewUpdates;
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
