import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { z } from 'zod';
import { fail, ok, type Result } from '../../core/result.ts';
import { SHORT_CODE_MAX_DIGITS } from '../limits.ts';
import { reading } from '../transforms.ts';
import { certainNumberIn, isCertainlyValid } from './certain-number.ts';
import { isPseudonym } from './pseudonym.ts';

export type { CountryCode };

declare const msisdn: unique symbol;

/** A valid phone number in E.164, with its leading `+`. Only `parsePhoneNumber` makes one. */
export type Msisdn = string & { readonly [msisdn]: 'Msisdn' };

const INVISIBLE = /\p{Cf}/gu;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const PLUS_SIGNS = /[+＋﹢⁺]/gu;
const SEPARATORS = /[\s\p{Pd}\u2212./()[\]（）．・·]/gu;
const ROUNDED =
  'A spreadsheet has rounded this number and its last digits are lost: format the column as text and enter it again.';
const EXTENSION = /ext|x\s*\d|#|,/i;

/**
 * Reads a phone number as a person types or pastes it, and makes it E.164.
 *
 * Takes spaces, dashes, dots, slashes and brackets between the digits, digits of any script, invisible
 * direction marks, `tel:`, the apostrophe that makes text of it in a spreadsheet, and the international prefixes of the default country as well as `00`. Whether the number
 * exists is decided by the numbering plans of libphonenumber (`max` metadata), for every type of number.
 *
 * @param defaultCountry for numbers written without `+`; without it, `+` and the country code are required
 * @returns the number, or one sentence that says what is wrong and shows the right shape. The sentence
 *   repeats nothing that was typed, so it may be logged.
 */
export function parsePhoneNumber(
  input: string,
  defaultCountry: CountryCode | undefined,
): Result<Msisdn, string> {
  if (isCertainlyValid(input)) return ok(input as Msisdn);
  const typed = asciiDigits(input.replace(INVISIBLE, '').trim()).replace(/^'*(?:tel:\s*)?/i, '');
  if (typed === '') return fail(`Enter a phone number${shape(defaultCountry)}.`);
  const compact = typed.replace(PLUS_SIGNS, '+').replace(SEPARATORS, '');
  if (isCertainlyValid(compact)) return ok(compact as Msisdn);
  if (/^\d{1,15}(?:[.,]\d{0,15})?E\+?\d{1,2}$/i.test(typed)) return fail(ROUNDED);
  if (EXTENSION.test(typed)) {
    return fail(`An extension cannot be messaged: enter the number alone${shape(defaultCountry)}.`);
  }
  if (!/^\+?\d+$/.test(compact)) return fail(unreadable(compact, defaultCountry));
  const certain = defaultCountry && certainNumberIn(defaultCountry, compact);
  if (certain !== undefined) return ok(certain as Msisdn);
  const local = check(compact, defaultCountry);
  // `00` means "international" in most countries, but may be another prefix elsewhere.
  if (compact.startsWith('00'))
    return inOneWay(local, check(`+${compact.slice(2)}`, defaultCountry), defaultCountry);
  const isLocal = local.ok && local.value !== `+${compact}`;
  if (!isLocal || defaultCountry === undefined) return local;
  // Spreadsheets take the plus away. In Germany 4915112345678 is then a number of the town with the code 4915, too.
  return compact.startsWith(getCountryCallingCode(defaultCountry))
    ? inOneWay(local, check(`+${compact}`, defaultCountry), defaultCountry)
    : local;
}

/** A number of the shape and length that its country has, though no numbering plan may know it: for who wrote, never to send to. */
export function possibleNumber(international: string): Msisdn | undefined {
  const parsed = international.startsWith('+') ? parsePhoneNumberFromString(international) : undefined;
  return parsed?.isPossible() ? (parsed.number as string as Msisdn) : undefined;
}

/** A wrong reading would reach a stranger, so a number with two is refused. */
function inOneWay(
  local: Result<Msisdn, string>,
  international: Result<Msisdn, string>,
  defaultCountry: CountryCode | undefined,
): Result<Msisdn, string> {
  if (international.ok && local.ok && international.value !== local.value) {
    return fail(
      `This number can be read in two ways: write it with + and the country code${shape(defaultCountry)}.`,
    );
  }
  return local.ok ? local : international;
}

function check(compact: string, defaultCountry: CountryCode | undefined): Result<Msisdn, string> {
  const parsed = parsePhoneNumberFromString(compact, defaultCountry);
  if (parsed?.isValid()) return ok(parsed.number as string as Msisdn);
  return fail(whyInvalid(compact, parsed, defaultCountry));
}

function whyInvalid(
  compact: string,
  parsed: PhoneNumber | undefined,
  defaultCountry: CountryCode | undefined,
): string {
  if (compact.replace('+', '').length <= SHORT_CODE_MAX_DIGITS) {
    return `This is too short for a phone number; emergency and short service numbers cannot be messaged. Enter a full number${shape(defaultCountry)}.`;
  }
  const international = compact.startsWith('+');
  if (!international && !defaultCountry) {
    return `Start the number with + and the country code${shape(undefined)}.`;
  }
  if (!parsed) {
    return validatePhoneNumberLength(compact, defaultCountry) === 'TOO_LONG'
      ? `This is too long for a phone number. Check the digits${shape(defaultCountry)}.`
      : `No country has this country code. Write the number with + and the country code${shape(defaultCountry)}.`;
  }
  const country = parsed.country ?? (international ? undefined : defaultCountry);
  const place = country
    ? ` in ${countryName(country)} (+${parsed.countryCallingCode})`
    : ` with +${parsed.countryCallingCode}`;
  const advice = international
    ? `Check the digits${shape(country ?? parsed.getPossibleCountries()[0])}.`
    : `Check the digits${shape(country)}, or start with + and the country code if it is from another country.`;
  const plans = new Metadata();
  // It takes a calling code as well, though its type does not say so.
  plans.selectNumberingPlan((parsed.country ?? parsed.countryCallingCode) as CountryCode);
  const lengths = plans.numberingPlan?.possibleLengths() ?? [];
  const digits = parsed.nationalNumber.length;
  if (digits < Math.min(...lengths)) return `This number is too short for a number${place}. ${advice}`;
  if (digits > Math.max(...lengths)) return `This number is too long for a number${place}. ${advice}`;
  return `This is not a valid number${place}. ${advice}`;
}

function unreadable(compact: string, defaultCountry: CountryCode | undefined): string {
  if (/\p{L}/u.test(compact)) return `A phone number has digits only, no letters${shape(defaultCountry)}.`;
  if (compact.lastIndexOf('+') > 0)
    return `A + may stand only at the start of the number${shape(defaultCountry)}.`;
  return `A phone number has digits only${shape(defaultCountry)}.`;
}

/** The last four digits at most, and never more than half of the subscriber's: `+91 ••••• •3210`. */
export function maskNumber(number: Msisdn): string {
  if (isPseudonym(number)) return 'a number that was removed';
  const parsed = parsePhoneNumberFromString(number);
  // A stored number may have left its numbering plan; it must be masked all the same.
  const countryCode = parsed ? `+${parsed.countryCallingCode}` : '+';
  const formatted = parsed?.formatInternational().slice(countryCode.length) ?? ` ${number.slice(1)}`;
  return countryCode + maskDigits(formatted);
}

/** What should have been a number, with at most the last four digits shown, and never more than half of them. */
export function maskDigits(text: string): string {
  const digits = text.replace(/\P{Nd}/gu, '').length;
  let hidden = digits - Math.min(4, Math.floor(digits / 2));
  return text.replace(/\p{Nd}/gu, (digit) => (hidden-- > 0 ? '•' : digit));
}

/** The number in groups, for people who chose it themselves, such as a sender: `+91 98765 43210`. */
export function formatNumber(number: Msisdn): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}

/** Countries by calling code; no code begins with another. */
const BY_CALLING_CODE: ReadonlyMap<string, readonly CountryCode[]> = Map.groupBy(getCountries(), (country) =>
  String(getCountryCallingCode(country)),
);

function callingCodeOf(number: Msisdn): string {
  const codes = [1, 2, 3].map((digits) => number.slice(1, 1 + digits));
  return codes.find((code) => BY_CALLING_CODE.has(code)) ?? '';
}

/** `+91 9876543210`: a spreadsheet keeps this as text, and would make 9.19877E+11 of the digits alone. */
export function spacedNumber(number: Msisdn): string {
  const code = callingCodeOf(number);
  return code === '' ? number : `+${code} ${number.slice(1 + code.length)}`;
}

/** The country of the number; undefined for numbers of no country, such as +800 and +883. */
export function countryOf(number: Msisdn): CountryCode | undefined {
  // Parsing takes long for a list of a million; most calling codes belong to one country.
  const [only, ...others] = BY_CALLING_CODE.get(callingCodeOf(number)) ?? [];
  return only !== undefined && others.length === 0 ? only : parsePhoneNumberFromString(number)?.country;
}

/** The digits without `+`, for channels that want the number so. */
export function digitsOf(number: Msisdn): string {
  return number.slice(1);
}

/** A phone number with `+` in herald.yml; see `parsePhoneNumber`. */
export const msisdnSchema: z.ZodType<Msisdn, string> = z
  .string('Enter a phone number as text, in quotes, so that + is kept.')
  .transform(reading((typed) => parsePhoneNumber(typed, undefined)));

/** ISO 3166-1 alpha-2 code of a country that has a numbering plan, in capitals. */
export const countryCodeSchema: z.ZodType<CountryCode, string> = z
  .string('Enter a country as two capital letters, such as IN.')
  .refine(isSupportedCountry, 'Enter a country as two capital letters, such as IN.');

/** A cache: a long list may show the same example for many thousand rows. */
const exampleNumbers = new Map<CountryCode, string>();

/** A number as one would write it in this country, for placeholders and sentences; it is nobody's. */
export function exampleNumber(country: CountryCode): string {
  return exampleNumbers.getOrInsertComputed(
    country,
    () =>
      getExampleNumber(country, examples)?.formatInternational() ?? `+${getCountryCallingCode(country)} …`,
  );
}

/** The end of a sentence that shows the right shape. */
function shape(country: CountryCode | undefined): string {
  return `, for example ${country ? exampleNumber(country) : '+91 81234 56789'}`;
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

const countryNames = new Map<string, string>();

/** In English, of an ISO 3166-1 alpha-2 code. */
export function countryName(country: string): string {
  return countryNames.getOrInsertComputed(country, () => COUNTRY_NAMES.of(country) ?? country);
}

/** In Unicode the ten digits of each script are consecutive, so a digit's value is its distance from the first. */
function asciiDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    let codePoint = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - 1))) {
      codePoint -= 1;
      value += 1;
    }
    return String(value % 10);
  });
}
