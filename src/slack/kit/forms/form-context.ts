import type { FormContext } from '../../../messages/form/form.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { SendingDependencies } from '../services.ts';

/** What the fields of a form depend on. */
export function formContext(
  { senders, terms, defaults }: Pick<SendingDependencies, 'senders' | 'terms' | 'defaults'>,
  template?: Template,
): FormContext {
  return {
    senders,
    ...(terms ? { terms } : {}),
    defaultCountry: defaults.country,
    ...(defaults.campaignName ? { defaultCampaignName: defaults.campaignName } : {}),
    ...(template ? { template } : {}),
  };
}
