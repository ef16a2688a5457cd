import { given } from '../../core/given.ts';
import { campaignName, formSchema } from '../form/form.ts';
import { smsContent, smsFields, TEXT_MESSAGE, type TextMessage, textFacts } from '../sms/text-message.ts';
import { fact, type Kind } from './kind.ts';

/** An SMS without its recipients: docs/wire.md row 9. */
export interface SmsMessage extends TextMessage {
  readonly kind: 'sms';
  readonly campaignName?: string;
}

/**
 * An SMS; docs/wire.md row 9.
 *
 * Its form takes `{sender, to, text, type?, campaignName?}`; `type` is TRANS, PROMO or OTP, and the sender's own when left
 * open. Text: 1 to 3000 characters, sent as typed; whether it needs Unicode follows from it.
 */
export const sms: Kind<SmsMessage, 'sms'> = {
  ...TEXT_MESSAGE,
  noun: 'an SMS',
  title: 'SMS',
  command: {
    description: 'Send an SMS to a customer',
    usageHint: '[number text] or help',
    examples: ['/sms +919876501234 Your table is ready.', '/sms'],
  },
  channel: 'sms',
  settings: ['type', 'campaignName'],
  form: (context) =>
    formSchema({ ...smsFields(context), campaignName: campaignName(context) }, (fields) => ({
      to: fields.to,
      message: {
        kind: 'sms',
        ...smsContent(fields),
        ...given({ campaignName: fields.campaignName }),
      },
    })),
  facts: (message) => [...textFacts(message), ...fact('Campaign', message.campaignName)],
};
