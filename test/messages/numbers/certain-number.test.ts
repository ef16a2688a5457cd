import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { given } from '../../../src/core/given.ts';
import { certainNumberIn, isCertainlyValid } from '../../../src/messages/numbers/certain-number.ts';

/** Numbers to compare on; every one is made from a seed, so that a failure comes back. */
const NUMBERS = 200_000;

/** A small generator of even numbers below 2^32 (Mulberry32); the sequence is the same everywhere. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const COUNTRIES = getCountries();

/** Half are near a real number of some country, half are any digits behind a real country code. */
function numberNear(random: (below: number) => number): string {
  const country = COUNTRIES[random(COUNTRIES.length)] ?? 'IN';
  return `+${getCountryCallingCode(country)}${nationalNear(country, random)}`;
}

function nationalNear(country: CountryCode, random: (below: number) => number): string {
  const example = (examples as Partial<Record<CountryCode, string>>)[country];
  if (example === undefined || random(2) === 0)
    return Array.from({ length: 3 + random(12) }, () => random(10)).join('');
  const kept = random(example.length);
  const rest = Array.from({ length: example.length - kept }, () => random(10)).join('');
  return `${example.slice(0, kept)}${rest}`;
}

/** Where a certain number is another than libphonenumber’s, and how many of its valid ones are certain. */
function compared(
  seed: number,
  numberOf: (random: (below: number) => number) => { readonly text: string; readonly country?: CountryCode },
  certainOf: (text: string, country: CountryCode) => string | undefined,
) {
  const random = seeded(seed);
  const counted = { yes: 0, valid: 0 };
  const differences: string[] = [];
  for (let n = 0; n < NUMBERS; n += 1) {
    const { text, country: defaultCountry } = numberOf(random);
    const parsed = parsePhoneNumberFromString(text, { ...given({ defaultCountry }), extract: false });
    const read = parsed?.isValid() ? parsed.number : undefined;
    if (read !== undefined) counted.valid += 1;
    const certain = certainOf(text, defaultCountry ?? 'IN');
    if (certain === undefined) continue;
    counted.yes += 1;
    if (read !== certain) differences.push(`${defaultCountry} ${text}`);
  }
  return { differences, share: counted.yes / counted.valid };
}

describe('a certain yes', () => {
  it(`is libphonenumber’s yes, on ${NUMBERS} numbers of all countries`, { timeout: 60_000 }, () => {
    const { differences, share } = compared(
      20_261_121,
      (random) => ({ text: numberNear(random) }),
      (text) => (isCertainlyValid(text) ? text : undefined),
    );
    expect(differences).toEqual([]);
    // Were it never certain, it would be of no use, and this test would prove nothing.
    expect(share).toBeGreaterThan(0.9);
  });

  it(`is libphonenumber’s number, on ${NUMBERS} numbers without +`, { timeout: 60_000 }, () => {
    const national = (random: (below: number) => number) => {
      const country = COUNTRIES[random(COUNTRIES.length)] ?? 'IN';
      return { country, text: nationalNear(country, random) };
    };
    const certainOf = (digits: string, country: CountryCode) => certainNumberIn(country, digits);
    const { differences, share } = compared(20_261_122, national, certainOf);
    expect(differences).toEqual([]);
    expect(share).toBeGreaterThan(0.7);
  });

  it('is given to a mobile number of every country but Argentina, where one may begin with a prefix', () => {
    const doubtful = COUNTRIES.filter((country) => {
      const example = (examples as Partial<Record<CountryCode, string>>)[country];
      return example !== undefined && !isCertainlyValid(`+${getCountryCallingCode(country)}${example}`);
    });
    expect(doubtful).toEqual(['AR']);
  });

  it.each([
    ['', 'nothing'],
    ['919812345678', 'no plus'],
    ['+91 98123 45678', 'spaces'],
    ['+91981234567', 'a digit too few'],
    ['+9198123456789', 'a digit too many'],
    ['+0919812345678', 'a country code that begins with 0'],
    ['+999123456789', 'no country'],
    ['+80012345678', 'a number of no country'],
    ['+919812345678 ', 'a blank at the end'],
    ['+919812345678\n', 'a line break at the end'],
    ['+९१९८१२३४५६७८', 'digits of another script'],
  ])('is not given to %j: %s', (text) => {
    expect(isCertainlyValid(text)).toBe(false);
  });
});
