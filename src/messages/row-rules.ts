import { type AddressFieldName, readAddressValue } from './address/fields.ts';
import { notOfCountry } from './address/form.ts';
import { INTERACTIVE_TEXTS, readBody } from './interactive/form.ts';
import type { Message } from './message.ts';
import type { Msisdn } from './numbers/phone-number.ts';
import { personalFields } from './personalise.ts';

/**
 * Why a message that was made out of one row of a list breaks a rule of its kind, in a sentence; undefined when it
 * keeps them. Whether its texts are there and readable at all is for `textProblem` to say.
 */
export function rowProblem(message: Message, number: Msisdn): string | undefined {
  if (message.kind === 'interactive') {
    for (const { path, text } of personalFields(message)) {
      const read = INTERACTIVE_TEXTS[path]?.(text);
      if (read?.ok === false) return read.error;
    }
  }
  if (message.kind !== 'address') return undefined;
  const body = readBody(message.body);
  if (!body.ok) return body.error;
  for (const [name, text] of Object.entries(message.values)) {
    const value = readAddressValue(name as AddressFieldName, message.country)(text);
    if (!value.ok) return value.error;
  }
  return notOfCountry(number, message.country);
}
