import { TEXT_MESSAGE, type TextMessage, textFacts, textForm } from '../sms/text-message.ts';
import type { Kind } from './kind.ts';

/** A flash SMS, shown at once and not kept by the phone: docs/wire.md row 10. */
export interface FlashMessage extends TextMessage {
  readonly kind: 'flash';
}

/** Its form has the rules of that of an SMS, without a campaign name. */
export const flash: Kind<FlashMessage, 'flash'> = {
  ...TEXT_MESSAGE,
  noun: 'a flash SMS',
  title: 'Flash SMS',
  purpose: 'Shown over everything at once and not kept: for alerts',
  command: {
    description: 'Send a flash SMS, shown at once and not kept',
    usageHint: '[number text], [template number "value" …], [@group text] or help',
    examples: [
      '/flash +6591234567 The server room is over 40 degrees.',
      '/flash @oncall-sg Who can look at the server room?',
      '/flash',
    ],
    takesGroups: true,
  },
  channel: 'flash',
  form: (context) => textForm('flash', context),
  facts: textFacts,
};
