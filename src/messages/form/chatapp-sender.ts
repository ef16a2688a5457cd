import { formatNumber } from '../numbers/phone-number.ts';
import { type FormContext, senderChoice } from './form.ts';

/** The leaf `from`: one of the configured chat-app numbers. */
export function chatappSender({ senders }: FormContext) {
  return senderChoice(
    'From',
    senders.chatapp.map(({ number, label }) => ({
      value: number,
      label: `${label} (${formatNumber(number)})`,
      sender: number,
    })),
    'Choose the number that sends the message.',
  );
}
