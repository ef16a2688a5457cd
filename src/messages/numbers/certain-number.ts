import { Metadata } from 'libphonenumber-js/max';

/*
 * libphonenumber takes 6 µs for a number, most of the time of reading a list of a million; its own patterns, compiled
 * once, take 0.3 µs. They only confirm valid numbers: what does not match is left to libphonenumber (a test compares the
 * two on 300,000 numbers).
 */

/** The parts of libphonenumber's metadata that its type declarations leave out. */
interface Plans {
  selectNumberingPlan(country: string): void;
  readonly numberingPlan: NumberingPlan;
  /** The main country first. */
  getCountryCodesForCallingCode(digits: string): readonly string[] | undefined;
}

/** The numbering plan of one country. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  possibleLengths(): readonly number[] | undefined;
  leadingDigits(): string | undefined;
  nationalPrefixForParsing(): string | undefined;
  hasTypes(): boolean;
  type(name: string): { pattern(): string; possibleLengths(): readonly number[] | undefined } | undefined;
}

/** Every type of number that libphonenumber counts as valid. */
const TYPES = [
  'FIXED_LINE',
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
] as const;

/** E.164: at most 15 digits, and no country code begins with 0. */
const E164 = /^\+[1-9]\d{6,14}$/;
const LONGEST_CALLING_CODE = 3;

interface Country {
  /** If present, they alone decide the country. */
  readonly leadingDigits: RegExp | undefined;
  /** The whole national number of any type. */
  readonly valid: RegExp;
}

interface CallingCode {
  /** Numbers that begin with it are left to libphonenumber, which may remove it. */
  readonly prefix: RegExp | undefined;
  /** In libphonenumber's order: the first match counts. */
  readonly countries: readonly Country[];
}

const codes = new Map<string, CallingCode | undefined>();

/** True only for valid E.164 numbers with `+`. False means that libphonenumber must decide. */
export function isCertainlyValid(text: string): boolean {
  if (!E164.test(text)) return false;
  for (let length = 1; length <= LONGEST_CALLING_CODE; length += 1) {
    const code = callingCode(text.slice(1, 1 + length));
    if (code !== undefined) return matches(code, text.slice(1 + length));
  }
  return false;
}

function matches({ prefix, countries }: CallingCode, national: string): boolean {
  if (prefix?.test(national)) return false;
  const country = countries.find(({ leadingDigits, valid }) => (leadingDigits ?? valid).test(national));
  return country?.valid.test(national) ?? false;
}

/** Compiled on first use: a list has numbers of few countries. */
function callingCode(digits: string): CallingCode | undefined {
  if (!codes.has(digits)) codes.set(digits, compile(digits));
  return codes.get(digits);
}

function compile(digits: string): CallingCode | undefined {
  const plans = new Metadata() as unknown as Plans;
  const names = plans.getCountryCodesForCallingCode(digits);
  if (names === undefined) return undefined;
  const [main, ...others] = names.map((name) => {
    plans.selectNumberingPlan(name);
    const { numberingPlan } = plans;
    return { country: countryFrom(numberingPlan), prefix: numberingPlan.nationalPrefixForParsing() };
  });
  if (main === undefined) return undefined;
  return {
    prefix: main.prefix ? new RegExp(`^(?:${main.prefix})`) : undefined,
    countries: [main, ...others].map(({ country }) => country),
  };
}

function countryFrom(plan: NumberingPlan): Country {
  const leadingDigits = plan.leadingDigits();
  const national = plan.nationalNumberPattern();
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name);
    if (!type?.pattern()) return [];
    const lengths = type.possibleLengths();
    const ofLength = lengths ? `(?=(?:${lengths.map((length) => `\\d{${length}}`).join('|')})$)` : '';
    return [`${ofLength}(?:${type.pattern()})`];
  });
  const anyType = plan.hasTypes() ? `(?:${types.join('|')})` : national;
  return {
    leadingDigits: leadingDigits ? new RegExp(`^(?:${leadingDigits})`) : undefined,
    valid: new RegExp(`^(?=(?:${national})$)(?:${anyType})$`),
  };
}
