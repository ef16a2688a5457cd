import { type CountryCode, parsePhoneNumber } from '../../messages/phone-number.ts';

/** A run of characters between white space, as a number may be spread over several. */
export interface NumberWord {
  readonly text: string;
  readonly target?: string | undefined;
  readonly quoted?: boolean | undefined;
  readonly newLine: boolean;
}

export interface LeadingNumber {
  /** How many words it takes; 0 when the line does not begin with a number. */
  readonly words: number;
  /** The number as typed, or Slack's own reading where it made a link of it; valid only when `sure`. */
  readonly typed: string;
  /** True when there is one way to read it, and that way is a valid number. */
  readonly sure: boolean;
  /** True when it is a valid number at more than one length, or in doubt at this one. */
  readonly unclear: boolean;
  /** True when another number follows: this was meant for several people. */
  readonly several: boolean;
}

const NONE: LeadingNumber = { words: 0, typed: '', sure: false, unclear: false, several: false };

/** Digits of any script with what stands between them; a `,` or `:` after the number is punctuation. */
const NUMBER_WORD = /^(?:tel:)?[+＋(（[]*[\p{Nd}\p{Pd}\u2212./()[\]（）·•+＋]+[,;:]?$/u;
const DIGIT = /\p{Nd}/u;
const LIST_MARK = /[,;&|]$/;
const MOST_WORDS = 10;
/** Fewer digits than this at the start of a line are rather part of the text ("24 hours left"). */
const FEWEST_DIGITS = 5;

/**
 * Finds the phone number that a line begins with. A number written with spaces can end at more than one place
 * when the text goes on with digits: every place is tried, and the number is sure only when one of them makes
 * a valid number. A line break, a second `+` or a comma ends it.
 */
export function leadingNumber(words: readonly NumberWord[], country: CountryCode): LeadingNumber {
  const first = words[0];
  if (first === undefined) return NONE;
  if (first.target !== undefined && DIGIT.test(first.target) && !first.target.includes('/')) {
    return whole(first.target, words, country);
  }
  if (first.quoted)
    return parsePhoneNumber(first.text, country).ok ? whole(first.text, words, country) : NONE;
  if (isList(first.text)) {
    const length = lengthOfList(words);
    return {
      words: length,
      typed: wordsTogether(words.slice(0, length)),
      sure: false,
      unclear: false,
      several: true,
    };
  }
  const run = runOfOneNumber(words);
  const candidates = run.map((_word, index) => joined(run.slice(0, index + 1)));
  const readings = candidates.flatMap((candidate, index) =>
    parsePhoneNumber(candidate, country).ok ? [index + 1] : [],
  );
  const length = readings[0];
  if (length === undefined) {
    const typed = joined(run);
    const meant = /^[+＋]/.test(typed) || digitsIn(typed) >= FEWEST_DIGITS;
    return meant ? { words: run.length, typed, sure: false, unclear: false, several: false } : NONE;
  }
  const typed = candidates[length - 1] ?? '';
  const several = anotherFollows(words, length, country);
  // "+65 9123 4567 8" and nothing else: rather a number with a digit too many than a message "8".
  const onlyDigitsLeft = length > 1 && run.length > length && run.length === words.length;
  const unclear = readings.length > 1 || onlyDigitsLeft;
  return { words: length, typed, sure: !unclear && !several, unclear, several };
}

function whole(typed: string, words: readonly NumberWord[], country: CountryCode): LeadingNumber {
  const several = anotherFollows(words, 1, country);
  const sure = parsePhoneNumber(typed, country).ok && !several;
  return { words: 1, typed, sure, unclear: false, several };
}

/** A second number: after a comma, or beginning with its own `+`, or linked as one by Slack. */
function anotherFollows(words: readonly NumberWord[], from: number, country: CountryCode): boolean {
  const skipped = /^(?:[,;&|]|and|or)$/i.test(words[from]?.text ?? '') ? from + 1 : from;
  const next = words[skipped];
  if (next === undefined || next.quoted) return false;
  const listed = skipped > from || LIST_MARK.test(words[from - 1]?.text ?? '');
  const marked =
    listed || /^[+＋]/.test(next.text) || (next.target !== undefined && !next.target.includes('/'));
  if (!marked) return false;
  const run = runOfOneNumber(words.slice(skipped));
  const attempts = [next.target ?? '', ...run.map((_word, index) => joined(run.slice(0, index + 1)))];
  return attempts.some((attempt) => parsePhoneNumber(attempt, country).ok);
}

function runOfOneNumber(words: readonly NumberWord[]): readonly NumberWord[] {
  const run: NumberWord[] = [];
  for (const [index, word] of words.slice(0, MOST_WORDS).entries()) {
    const opensAnother =
      index > 0 && (word.newLine || /^[+＋]/.test(word.text) || word.quoted || word.target !== undefined);
    if (opensAnother || !isNumberWord(word.text)) break;
    run.push(word);
    if (/[,;:]$/.test(word.text)) break;
  }
  return run;
}

/** `+6591234567,+6591234568` in one word; `1,000` is none. */
function isList(text: string): boolean {
  const parts = partsOf(text);
  return parts.length > 1 && parts.every((part) => isNumberWord(part) && digitsIn(part) >= FEWEST_DIGITS);
}

function lengthOfList(words: readonly NumberWord[]): number {
  const end = words.findIndex((word) => !partsOf(word.text).every(isNumberWord));
  return end < 0 ? words.length : end;
}

function partsOf(text: string): readonly string[] {
  return text.split(/[,;&|]/).filter((part) => part !== '');
}

function isNumberWord(text: string): boolean {
  return NUMBER_WORD.test(text) && (DIGIT.test(text) || text.length === 1);
}

function digitsIn(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

function joined(words: readonly NumberWord[]): string {
  return wordsTogether(words).replace(/[,;:]$/, '');
}

function wordsTogether(words: readonly NumberWord[]): string {
  return words.map((word) => word.text).join(' ');
}
