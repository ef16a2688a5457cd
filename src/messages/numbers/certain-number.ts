import { Metadata } from 'libphonenumber-js/max';

/*
 * libphonenumber takes 6 µs for a number, most of the time of reading a list of a million; its own patterns, compiled
 * once, take 0.3 µs. They only confirm valid numbers: what does not match is left to libphonenumber (a test compares the
 * two on 400,000 numbers).
 */

/** The parts of libphonenumber's metadata that its type declarations leave out. */
interface Plans {
  selectNumberingPlan(country: string): void;
  readonly numberingPlan: NumberingPlan;
  /** The main country first. */
  getCountryCodesForCallingCode(digits: string): readonly string[] | undefined;
}

interface NumberingPlan {
  callingCode(): string;
  IDDPrefix(): string;
  nationalNumberPattern(): string;
  possibleLengths(): readonly number[] | undefined;
  leadingDigits(): string | undefined;
  nationalPrefixForParsing(): string | undefined;
  hasTypes(): boolean;
  type(name: string): { pattern(): string; possibleLengths(): readonly number[] | undefined } | undefined;
}

/** Every type of number that libphonenumber counts as valid, the most frequent first. */
const TYPES = [
  'MOBILE',
  'FIXED_LINE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
] as const;

/** E.164, with its `+`: a calling code of at most three digits, and at most 15 digits in all. */
const SHORTEST = 8;
const LONGEST = 16;
const LONGEST_CALLING_CODE = 3;

/** Compiled on first use: a list has numbers of few countries. */
const patterns = new Map<string, RegExp | undefined>();

/** True only for valid E.164 numbers with `+`. False means that libphonenumber must decide. */
export function isCertainlyValid(text: string): boolean {
  if (text[0] !== '+' || text.length < SHORTEST || text.length > LONGEST) return false;
  for (let length = 1; length <= LONGEST_CALLING_CODE; length += 1) {
    const pattern = patterns.getOrInsertComputed(text.slice(1, 1 + length), compile);
    if (pattern !== undefined) return pattern.test(text);
  }
  return false;
}

const nationals = new Map<string, { readonly code: string; readonly doubtful: RegExp }>();

/**
 * The E.164 number of digits that are certainly a national number of this country, and cannot be read in another way.
 * Undefined means that libphonenumber must decide.
 */
export function certainNumberIn(country: string, digits: string): string | undefined {
  const { code, doubtful } = nationals.getOrInsertComputed(country, nationalOf);
  const number = `+${code}${digits}`;
  return !doubtful.test(digits) && isCertainlyValid(number) ? number : undefined;
}

/** Doubtful is what may begin with a prefix of any kind, or with the calling code. */
function nationalOf(country: string) {
  const plans = new Metadata() as unknown as Plans;
  plans.selectNumberingPlan(country);
  const { numberingPlan: plan } = plans;
  const code = plan.callingCode();
  const prefixes = [code, '00', plan.IDDPrefix(), plan.nationalPrefixForParsing() || code];
  return { code, doubtful: new RegExp(`^(?:${prefixes.join('|')})`) };
}

/** Whole numbers with this calling code; undefined when there is no such code. */
function compile(callingCode: string): RegExp | undefined {
  const plans = new Metadata() as unknown as Plans;
  const [main, ...others] = plans.getCountryCodesForCallingCode(callingCode) ?? [];
  if (main === undefined) return undefined;
  const planOf = (country: string) => {
    plans.selectNumberingPlan(country);
    return plans.numberingPlan;
  };
  // libphonenumber may remove a prefix, so numbers that begin with it are left to it.
  const prefix = planOf(main).nationalPrefixForParsing();
  const national = [main, ...others].map(planOf).reduceRight(orElse, '(?!)');
  return new RegExp(`^\\+${callingCode}${prefix ? `(?!${prefix})` : ''}(?:${national})$`);
}

/** The national numbers of a country, or else of those after it; leading digits, if it has any, alone decide for it. */
function orElse(others: string, plan: NumberingPlan): string {
  const digits = plan.leadingDigits();
  return digits
    ? `(?=${digits})(?:${validIn(plan)})|(?!${digits})(?:${others})`
    : `${validIn(plan)}|${others}`;
}

function validIn(plan: NumberingPlan): string {
  const national = `(?=(?:${plan.nationalNumberPattern()})$)`;
  if (!plan.hasTypes()) return `${national}\\d+`;
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name);
    if (!type?.pattern()) return [];
    const lengths = type.possibleLengths();
    const ofLength = lengths ? `(?=(?:${lengths.map((length) => `\\d{${length}}`).join('|')})$)` : '';
    return [`${ofLength}(?:${type.pattern()})`];
  });
  return `${national}(?:${types.join('|')})`;
}
