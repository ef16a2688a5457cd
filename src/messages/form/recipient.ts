import type { z } from 'zod';
import { fail, ok } from '../../core/result.ts';
import { type CountryCode, exampleNumber, type Msisdn, parsePhoneNumber } from '../numbers/phone-number.ts';
import { type FormContext, optional, required } from './form.ts';

export const ONE_NUMBER_ONLY =
  'Enter one number. A message to several people is a bulk send, which needs a manager’s approval.';

/** Longer text is not searched for several numbers, because each word would be parsed. */
const LONGEST_READ_AS_LIST = 250;
const BETWEEN_NUMBERS = /[,;|&\n\r\u2028\u2029،，、；]/u;

/**
 * The leaf `to`: one phone number, as a person types it (see `parsePhoneNumber`). A form for many recipients takes
 * them from elsewhere: its leaf reads nothing.
 */
export function recipientField({ defaultCountry, recipients }: FormContext): z.ZodType<Msisdn | undefined> {
  if (recipients !== undefined) return optional({ label: 'To' }, () => ok(undefined));
  return required(
    {
      label: 'To',
      hint: 'One phone number, with + and the country code unless it is a local one.',
      placeholder: exampleNumber(defaultCountry),
    },
    'Enter the phone number of the recipient.',
    (typed) => readRecipient(typed, defaultCountry),
  );
}

/** One number out of what was typed; several get the sentence about approval. */
export function readRecipient(typed: string, defaultCountry: CountryCode, read = parsePhoneNumber) {
  const parts = typed.split(BETWEEN_NUMBERS).filter((part) => part.trim() !== '');
  if (parts.filter(looksLikeNumber).length > 1) return fail(ONE_NUMBER_ONLY);
  const [only = typed, ...others] = parts;
  const single = others.length === 0 ? only : typed;
  const parsed = read(single, defaultCountry);
  return !parsed.ok && isSeveral(single, defaultCountry) ? fail(ONE_NUMBER_ONLY) : parsed;
}

function looksLikeNumber(part: string): boolean {
  return !/\p{L}/u.test(part) && (part.match(/\p{Nd}/gu)?.length ?? 0) >= 3;
}

/** True for two plus signs, or when the text splits at a space into valid numbers. */
function isSeveral(typed: string, defaultCountry: CountryCode): boolean {
  if (typed.length > LONGEST_READ_AS_LIST) return false;
  const [, ...behindPlus] = typed.split(/[+＋]/u);
  const first = behindPlus.findIndex((part) => /\p{Nd}/u.test(part));
  if (behindPlus.slice(first + 1).some((part) => /^\s*\p{Nd}/u.test(part))) return true;
  const words = typed.split(/\s+/u);
  const isNumber = (from: number, to: number) =>
    parsePhoneNumber(words.slice(from, to).join(' '), defaultCountry).ok;
  const ends = words.map((_word, index) => index + 1);
  return ends.some((split) => isNumber(0, split) && ends.some((end) => isNumber(split, end)));
}
