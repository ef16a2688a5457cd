import { formSchema } from '../form/form.ts';
import { smsContent, smsFields, TEXT_MESSAGE, type TextMessage, textFacts } from '../sms/text-message.ts';
import type { Kind } from './kind.ts';

/** A flash SMS, shown at once and not kept by the phone: docs/wire.md row 10. */
export interface FlashMessage extends TextMessage {
  readonly kind: 'flash';
}

/** A flash SMS; docs/wire.md row 10. Its form takes `{sender, to, text, type?}`, with the rules of an SMS; it has no campaign name. */
export const flash: Kind<FlashMessage, 'flash'> = {
  ...TEXT_MESSAGE,
  noun: 'a flash SMS',
  title: 'Flash SMS',
  command: {
    description: 'Send a flash SMS, shown at once and not kept',
    usageHint: '[number text], [@group text] or help',
    examples: [
      '/flash +6591234567 The server room is over 40 degrees.',
      '/flash @oncall-sg Who can look at the server room?',
      '/flash',
    ],
    takesGroups: true,
  },
  channel: 'flash',
  form: (context) =>
    formSchema(smsFields(context), (fields) => ({
      to: fields.to,
      message: { kind: 'flash', ...smsContent(fields) },
    })),
  facts: textFacts,
};
