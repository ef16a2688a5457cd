import { type Rule, readLine } from '../form/form.ts';
import { atMost } from '../interactive/plain-title.ts';
import { parsePhoneNumber } from '../numbers/phone-number.ts';
import type { Read } from '../transforms.ts';
import type { AddressCountry, AddressField } from './table.ts';

/** Reads a value of a field by the table's rules. Phone numbers become E.164. */
export function readAddressValue(
  { label, input, maxCharacters }: AddressField,
  country: AddressCountry,
): Read<string> {
  if (input === 'tel') return (typed) => parsePhoneNumber(typed, country);
  const length = maxCharacters === undefined ? [] : [atMost(maxCharacters)];
  return readLine(label, ...length, ...(input === 'number' ? [digitsOnly] : []));
}

const digitsOnly: Rule = (text, label) =>
  /^\d+$/.test(text) ? undefined : `${label} has digits only, such as 018956.`;
