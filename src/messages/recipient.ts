import { ok, type Result } from '../core/result.ts';
import { required } from './form.ts';
import { type CountryCode, type Msisdn, parsePhoneNumber } from './phone-number.ts';

/** Said wherever somebody gives several numbers to something that sends to one. */
export const ONE_NUMBER_ONLY =
  'Enter one number. Sending to several people needs a manager’s approval, which cannot be asked for here.';

const BETWEEN_NUMBERS = /[,;|&\n\r\u2028\u2029،，、；]/u;

/** The leaf `to`: one phone number, as a person types it (see `parsePhoneNumber`). */
export function recipientField(defaultCountry: CountryCode) {
  return required(
    {
      label: 'To',
      hint: 'One phone number, with + and the country code unless it is a local one.',
      placeholder: '+91 98765 43210',
    },
    'Enter the phone number of the recipient.',
    (typed) => readRecipient(typed, defaultCountry),
  );
}

/** One number out of what was typed; several get the sentence about approval. */
export function readRecipient(typed: string, defaultCountry: CountryCode): Result<Msisdn, string> {
  const parts = typed.split(BETWEEN_NUMBERS).filter((part) => part.trim() !== '');
  if (parts.filter(looksLikeNumber).length > 1) return { ok: false, error: ONE_NUMBER_ONLY };
  const single = parts.length === 1 ? (parts[0] ?? '') : typed;
  const parsed = parsePhoneNumber(single, defaultCountry);
  if (parsed.ok) return ok(parsed.value);
  return isSeveral(single, defaultCountry) ? { ok: false, error: ONE_NUMBER_ONLY } : parsed;
}

function looksLikeNumber(part: string): boolean {
  return !/\p{L}/u.test(part) && (part.match(/\p{Nd}/gu)?.length ?? 0) >= 3;
}

/** Two plus signs, or a space at which the text falls into two valid numbers. */
function isSeveral(typed: string, defaultCountry: CountryCode): boolean {
  if (/[+＋].*\d.*[+＋]\s*\d/su.test(typed)) return true;
  const words = typed.trim().split(/[\s\p{Z}]+/u);
  return words.some((_word, index) => {
    if (index === 0) return false;
    const left = parsePhoneNumber(words.slice(0, index).join(' '), defaultCountry);
    // The rest may hold more than one number: its first words decide.
    return (
      left.ok &&
      words
        .slice(index)
        .some(
          (_rest, length) =>
            parsePhoneNumber(words.slice(index, index + length + 1).join(' '), defaultCountry).ok,
        )
    );
  });
}
