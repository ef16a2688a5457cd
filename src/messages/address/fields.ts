import { fail, ok } from '../../core/result.ts';
import { type Read, readLine } from '../form/form.ts';
import { lengthProblem } from '../interactive/plain-title.ts';
import { parsePhoneNumber } from '../numbers/phone-number.ts';
import type { AddressCountry, AddressField } from './table.ts';

/** Reads a value of a field by the table's rules. Phone numbers become E.164. */
export function readAddressValue(
  { label, input, maxCharacters }: AddressField,
  country: AddressCountry,
): Read<string> {
  return (typed) => {
    if (input === 'tel') return parsePhoneNumber(typed, country);
    const line = readLine(label)(typed);
    if (!line.ok) return line;
    const long = maxCharacters === undefined ? undefined : lengthProblem(line.value, label, maxCharacters);
    if (long !== undefined) return fail(long);
    if (input === 'number' && !/^\d+$/.test(line.value))
      return fail(`${label} has digits only, such as 018956.`);
    return ok(line.value);
  };
}
