import { getCountries } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { fail, ok } from '../../../src/core/result.ts';
import {
  type CountryCode,
  countryCodeSchema,
  countryName,
  countryOf,
  digitsOf,
  exampleNumber,
  formatNumber,
  type Msisdn,
  maskNumber,
  msisdnSchema,
  parsePhoneNumber,
  spacedNumber,
} from '../../../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../../../src/messages/numbers/pseudonym.ts';
import { table } from '../../table.ts';

const msisdn = (number: string) => number as Msisdn;

const ACCEPTED: readonly [typed: string, country: CountryCode | undefined, number: string][] = [
  // As people write them at home.
  ['9876543210', 'IN', '+919876543210'],
  ["'+91 98765-43210", 'IN', '+919876543210'],
  ['+4915112345678', 'DE', '+4915112345678'],
  ['0491 5112345678', 'DE', '+494915112345678'],
  ['98765 43210', 'IN', '+919876543210'],
  ['098765-43210', 'IN', '+919876543210'],
  ['919876543210', 'IN', '+919876543210'],
  ['9123 4567', 'SG', '+6591234567'],
  ['(415) 555-2671', 'US', '+14155552671'],
  ['415.555.2671', 'US', '+14155552671'],
  ['1-415-555-2671', 'US', '+14155552671'],
  ['07911 123456', 'GB', '+447911123456'],
  ['020 7946 0018', 'GB', '+442079460018'],
  ['030/12345678', 'DE', '+493012345678'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['0412 345 678', 'AU', '+61412345678'],
  ['090-1234-5678', 'JP', '+819012345678'],
  ['06 6982 1234', 'IT', '+390669821234'],
  ['(11) 96123-4567', 'BR', '+5511961234567'],
  // Abroad, whatever the default country is.
  ['+91 98765 43210', 'SG', '+919876543210'],
  ['+65-9123-4567', 'IN', '+6591234567'],
  ['+44 (0)20 7946 0018', 'IN', '+442079460018'],
  ['+1 (415) 555–2671', 'IN', '+14155552671'],
  ['+52 55 1234 5678', 'IN', '+525512345678'],
  ['+49.30.12345678', 'US', '+493012345678'],
  ['+6591234567', undefined, '+6591234567'],
  // Toll-free, fixed line and numbers of no country are numbers too.
  ['+1 800 356 9377', 'IN', '+18003569377'],
  ['+883510012345', 'IN', '+883510012345'],
  // International prefixes.
  ['00 91 98765 43210', 'SG', '+919876543210'],
  ['0091-98765-43210', 'IN', '+919876543210'],
  ['0091 98765 43210', 'US', '+919876543210'],
  ['0065 9123 4567', 'SG', '+6591234567'],
  ['001 65 9123 4567', 'SG', '+6591234567'],
  ['011 91 98765 43210', 'US', '+919876543210'],
  ['0011 65 9123 4567', 'AU', '+6591234567'],
  ['010 65 9123 4567', 'JP', '+6591234567'],
  // As they are pasted.
  ['tel:+65-9123-4567', 'IN', '+6591234567'],
  ['TEL: +6591234567', 'IN', '+6591234567'],
  ['  +65\u00A09123\u00A04567 ', 'IN', '+6591234567'],
  ['\u202A+65 9123 4567\u202C', 'IN', '+6591234567'],
  ['+65\u200B91234567', 'IN', '+6591234567'],
  ['+65\u20119123\u22124567', 'IN', '+6591234567'],
  ['\t+65\n9123 4567', 'IN', '+6591234567'],
  // Other scripts' digits and full-width forms.
  ['＋６５　９１２３　４５６７', 'IN', '+6591234567'],
  ['९८७६५ ४३२१०', 'IN', '+919876543210'],
  ['+٩١ ٩٨٧٦٥ ٤٣٢١٠', 'SG', '+919876543210'],
  ['۹۸۷۶۵۴۳۲۱۰', 'IN', '+919876543210'],
  ['\u{1D7D7}\u{1D7EA}\u{1D7FD}65 43210', 'IN', '+919876543210'],
];

const EXAMPLE_IN = ', for example +91 81234 56789';
const SHORT = `This is too short for a phone number; emergency and short service numbers cannot be messaged. Enter a full number${EXAMPLE_IN}.`;
const ROUNDED =
  'A spreadsheet has rounded this number and its last digits are lost: format the column as text and enter it again.';
const LETTERS = `A phone number has digits only, no letters${EXAMPLE_IN}.`;
const EXTENSION = `An extension cannot be messaged: enter the number alone${EXAMPLE_IN}.`;
const NO_COUNTRY = `No country has this country code. Write the number with + and the country code${EXAMPLE_IN}.`;
const NOT_AMERICAN = 'This is not a valid number with +1. Check the digits, for example +1 201 555 0123.';
const IN_INDIA = `number in India (+91). Check the digits${EXAMPLE_IN}`;
const SINGAPOREAN =
  'This is not a valid number in Singapore (+65). Check the digits, for example +65 8123 4567.';
const TWO_WAYS = 'This number can be read in two ways: write it with + and the country code, for example';
const ELSEWHERE = ', or start with + and the country code if it is from another country.';

const REFUSED: readonly [typed: string, country: CountryCode | undefined, sentence: string][] = [
  ['', 'IN', `Enter a phone number${EXAMPLE_IN}.`],
  [' \u00A0\u200B', 'IN', `Enter a phone number${EXAMPLE_IN}.`],
  ['+', 'IN', `A phone number has digits only${EXAMPLE_IN}.`],
  ['100', 'IN', SHORT],
  ['112', 'IN', SHORT],
  ['+112', 'IN', SHORT],
  ['98765', 'IN', SHORT],
  ['57575', 'IN', SHORT],
  ['123456', 'IN', SHORT],
  ['+123456', 'IN', SHORT],
  ['1234567', 'IN', `This number is too short for a ${IN_INDIA}${ELSEWHERE}`],
  ['98765432', 'IN', `This is not a valid ${IN_INDIA}${ELSEWHERE}`],
  ['+91 98765', 'SG', `This number is too short for a ${IN_INDIA}.`],
  ['+91 98765 43210 99', 'SG', `This is not a valid ${IN_INDIA}.`],
  ['9123456789012345', 'IN', `This number is too long for a ${IN_INDIA}${ELSEWHERE}`],
  ['+91 00000 00000', 'IN', `This is not a valid ${IN_INDIA}.`],
  ['0000000000', 'IN', NO_COUNTRY],
  ['+65 1123 4567', 'IN', SINGAPOREAN],
  ['+1 555 555 5555', 'IN', NOT_AMERICAN],
  ['+1 659 123 4567', 'IN', NOT_AMERICAN],
  ['+999 123 4567', 'IN', NO_COUNTRY],
  ['+0 123 456 789', 'IN', NO_COUNTRY],
  ['98765 4321o', 'IN', LETTERS],
  ['1-800-FLOWERS', 'US', 'A phone number has digits only, no letters, for example +1 201 555 0123.'],
  ['ask Priya', 'IN', LETTERS],
  ['9.19812E+11', 'IN', ROUNDED],
  ['9,19812E11', 'IN', ROUNDED],
  ['+91 98765 43210 ext 5', 'IN', EXTENSION],
  ['+91 98765 43210 x5', 'IN', EXTENSION],
  ['+91 98765 43210 #5', 'IN', EXTENSION],
  ['tel:+919876543210;ext=5', 'IN', EXTENSION],
  ['+91 98765 43210,,5', 'IN', EXTENSION],
  ['++919876543210', 'IN', `A + may stand only at the start of the number${EXAMPLE_IN}.`],
  ['91+9876543210', 'IN', `A + may stand only at the start of the number${EXAMPLE_IN}.`],
  ['+91*9876543210', 'IN', `A phone number has digits only${EXAMPLE_IN}.`],
  ['😀', 'IN', `A phone number has digits only${EXAMPLE_IN}.`],
  ['9876543210', undefined, 'Start the number with + and the country code, for example +91 81234 56789.'],
  ['001 659 200 0000', 'SG', `${TWO_WAYS} +65 8123 4567.`],
  // Without its plus, a mobile number reads like one in a town.
  ['4915112345678', 'DE', `${TWO_WAYS} +49 1512 3456789.`],
  ['9'.repeat(40), 'IN', `This is too long for a phone number. Check the digits${EXAMPLE_IN}.`],
  [`+91${'9'.repeat(40)}`, 'IN', `This is too long for a phone number. Check the digits${EXAMPLE_IN}.`],
];

describe('parsePhoneNumber', () => {
  it.each(ACCEPTED)('reads %j in %s', (typed, country, number) => {
    expect(parsePhoneNumber(typed, country)).toEqual(ok(number));
  });

  it.each(REFUSED)('refuses %j in %s', (typed, country, sentence) => {
    expect(parsePhoneNumber(typed, country)).toEqual(fail(sentence));
  });
});

describe('maskNumber', () => {
  it.each([
    ['+919876543210', '+91 ••••• •3210'],
    ['+6591234567', '+65 •••• 4567'],
    ['+14155552671', '+1 ••• ••• 2671'],
    ['+6834002', '+683 ••02'],
    ['+883510012345', '+883 ••• ••2 345'],
  ])('shows of %s no more than its end', (number, masked) => {
    expect(maskNumber(msisdn(number))).toBe(masked);
  });

  it('says that a number was removed', () => {
    expect(maskNumber(msisdn(createPseudonym('a-key')('+919876543210')))).toBe('a number that was removed');
  });

  it('hides a stored number that no plan knows (any more)', () => {
    expect(maskNumber(msisdn('+9991234567890'))).toBe('+ •••••••••7890');
  });

  it('never shows more than four digits of the subscriber, whatever was accepted', () => {
    for (const [typed, country] of ACCEPTED) {
      const parsed = parsePhoneNumber(typed, country);
      if (!parsed.ok) throw new Error(parsed.error);
      const shown = maskNumber(parsed.value)
        .replace(/^\+\d+/, '')
        .replace(/\D/g, '');
      expect(shown).toBe(parsed.value.slice(-4));
    }
  });
});

describe('what is known of a number', () => {
  it.each(table`
+919876543210 | IN
+6591234567 | SG
+12042345678 | CA
+441534712345 | JE
+80012345678
+883510012345`)('has the country %s: %s, or none', (number = '', country) => {
    expect(countryOf(msisdn(number))).toBe(country);
  });

  it('writes it so that a spreadsheet keeps it as text', () => {
    const spaced = ['+919876543210', '+14155552671', '+35312345678', '+9991234567890'].map((one) =>
      spacedNumber(msisdn(one)),
    );
    expect(spaced).toEqual(['+91 9876543210', '+1 4155552671', '+353 12345678', '+9991234567890']);
  });

  it('has an example for every country, and a name', () => {
    expect([exampleNumber('IN'), exampleNumber('IN')]).toEqual(['+91 81234 56789', '+91 81234 56789']);
    expect([countryName('IN'), countryName('IN'), countryName('SG')]).toEqual([
      'India',
      'India',
      'Singapore',
    ]);
    expect(getCountries().filter((country) => !/^\+\d[\d -]+$/.test(exampleNumber(country)))).toEqual([]);
  });

  it('gives its digits without +, and its groups', () => {
    expect(digitsOf(msisdn('+919876543210'))).toBe('919876543210');
    expect(formatNumber(msisdn('+919876543210'))).toBe('+91 98765 43210');
  });
});

describe('the schemas', () => {
  const NOT_TEXT = 'Enter a phone number as text, in quotes, so that + is kept.';

  it('msisdnSchema parses like parsePhoneNumber and wants +', () => {
    expect(msisdnSchema.parse('+91 98765 43210')).toBe('+919876543210');
    expect(messages(msisdnSchema.safeParse('9876543210'))).toEqual([
      'Start the number with + and the country code, for example +91 81234 56789.',
    ]);
    expect(messages(msisdnSchema.safeParse(919876543210))).toEqual([NOT_TEXT]);
    expect(messages(msisdnSchema.safeParse(undefined))).toEqual([NOT_TEXT]);
  });

  it('countryCodeSchema takes countries with a numbering plan, in capitals', () => {
    expect(countryCodeSchema.parse('IN')).toBe('IN');
    for (const wrong of ['in', 'XX', 'IND', '', 91, undefined, 'toString']) {
      expect(messages(countryCodeSchema.safeParse(wrong))).toEqual([
        'Enter a country as two capital letters, such as IN.',
      ]);
    }
  });
});

function messages(result: z.ZodSafeParseResult<unknown>): string[] {
  return result.error?.issues.map((issue) => issue.message) ?? [];
}
