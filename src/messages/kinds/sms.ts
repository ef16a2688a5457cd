import { campaignName } from '../form/form.ts';
import { TEXT_MESSAGE, type TextMessage, textFacts, textForm } from '../sms/text-message.ts';
import { fact, type Kind } from './kind.ts';

/** An SMS without its recipients: docs/wire.md row 9. */
export interface SmsMessage extends TextMessage {
  readonly kind: 'sms';
  readonly campaignName?: string;
}

export const sms: Kind<SmsMessage, 'sms'> = {
  ...TEXT_MESSAGE,
  noun: 'an SMS',
  title: 'SMS',
  purpose: 'A text or a template, to any phone',
  command: {
    description: 'Send an SMS to a customer',
    usageHint: '[number text], [template number "value" …] or help',
    examples: [
      '/sms +919876501234 Your table is ready.',
      '/sms order_shipped +919876501234 "Asha" "A-1001"',
      '/sms',
    ],
  },
  channel: 'sms',
  settings: ['type', 'campaignName'],
  form: (context) => textForm('sms', context, { campaignName: campaignName(context) }),
  facts: (message) => [...textFacts(message), ...fact('Campaign', message.campaignName)],
};
