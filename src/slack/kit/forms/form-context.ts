import { given } from '../../../core/given.ts';
import type { FormContext } from '../../../messages/form/form.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { SendingDependencies } from '../services.ts';

/** Gathers what the fields of a form depend on. */
export function formContext(
  { senders, terms, defaults }: Pick<SendingDependencies, 'senders' | 'terms' | 'defaults'>,
  template?: Template,
): FormContext {
  return {
    senders,
    defaultCountry: defaults.country,
    ...given({ terms, template, freeText: defaults.freeText, defaultCampaignName: defaults.campaignName }),
  };
}
