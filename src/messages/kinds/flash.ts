import type { FormSchema } from '../form/field.ts';
import { type FormContext, formSchema } from '../form/form.ts';
import type { Draft, FlashMessage } from '../message.ts';
import { smsContent, smsFields } from '../sms/fields.ts';

/**
 * The form of a flash SMS, which the phone shows at once and does not keep; wire.md row 10.
 *
 * In: `{sender, to, text, type?}`, with the rules of an SMS; there is no campaign name. Issues carry the form's paths.
 */
export function flashForm(context: FormContext): FormSchema<Draft<FlashMessage>> {
  return formSchema(smsFields(context), (fields, refuse) => ({
    to: fields.to,
    message: { kind: 'flash', ...smsContent(fields, refuse) },
  }));
}
