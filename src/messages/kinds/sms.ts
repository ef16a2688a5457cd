import type { FormSchema } from '../form/field.ts';
import { campaignName, type FormContext, formSchema, given } from '../form/form.ts';
import type { Draft, SmsMessage } from '../message.ts';
import { smsContent, smsFields } from '../sms/fields.ts';

/**
 * The form of an SMS to one number; wire.md row 9.
 *
 * In: `{sender, to, text, type?, campaignName?}`; `type` is TRANS, PROMO or OTP, and the sender's own when left open.
 * Text: 1 to 3000 characters, sent as typed; whether it needs Unicode follows from it. Issues carry the form's paths.
 */
export function smsForm(context: FormContext): FormSchema<Draft<SmsMessage>> {
  const shape = { ...smsFields(context), campaignName: campaignName(context) };
  return formSchema(shape, (fields, refuse) => ({
    to: fields.to,
    message: {
      kind: 'sms',
      ...smsContent(fields, refuse),
      ...given('campaignName', fields.campaignName),
    },
  }));
}
