import { type CountryCode, parsePhoneNumber } from '../../../messages/numbers/phone-number.ts';
import type { Word } from '../../kit/templates/fit-values.ts';

/** A run of characters between white space, as a number may be spread over several. */
type NumberWord = Pick<Word, 'text' | 'target' | 'newLine'> & Partial<Pick<Word, 'quoted'>>;

/** Digits of any script with what stands between them; a `,` or `:` after the number is punctuation. */
const NUMBER_WORD = /^(?:tel:)?[\p{Nd}\p{Pd}\u2212./()[\]（）·•+＋]+[,;:&|]?$/u;
const DIGIT = /\p{Nd}/u;
const LIST_MARK = /[,;&|]$/;
const BETWEEN_NUMBERS = /^(?:[,;&|]|and|or)$/i;
const MOST_WORDS = 10;
/** Fewer digits than this at the start of a line are rather part of the text ("24 hours left"). */
const FEWEST_DIGITS = 5;
/** As many digits as this, after a comma or in one word, may be a number with a slip in it. */
const FEWEST_SLIP_DIGITS = 7;
/** A group of so few digits at the end of a number may be the first word of the text. */
const MOST_TEXT_DIGITS = 2;

/**
 * Finds the phone numbers that a line begins with. A number written with spaces can end at more than one place
 * when the text goes on with digits: every place is tried, and the number is sure only when one of them makes
 * a valid number. A line break, a second `+` or a comma ends it. Whatever follows it directly and is a number as
 * well, or is marked as one, is the next number and never a part of the text: two people were meant.
 *
 * @returns the numbers as typed, or as Slack reads them where it made a link; the count of words they take, 0 when the line
 * begins with none; `sure` when there is one, with one way to read it, and valid; `unclear` when it may end elsewhere
 */
export function leadingNumbers(words: readonly NumberWord[], country: CountryCode) {
  const parts = words.flatMap(partsOf);
  const numbers: string[] = [];
  let end = 0;
  let sure = true;
  let unclear = false;
  for (;;) {
    const from = pastSeparator(parts, end);
    const found = numberAt(parts, from, country);
    if (found === undefined || !(end === 0 ? found.meant : isNext(found, parts, end, from))) {
      unclear ||= end > 0 && isSlip(found, parts, end, from);
      break;
    }
    numbers.push(found.typed);
    sure &&= found.valid;
    unclear ||= found.unclear;
    end = from + found.parts;
  }
  const last = parts[end - 1];
  if (last === undefined) return { numbers: [], words: 0, sure: false, unclear: false };
  // "+65 9123 4567 8" and nothing else: rather a number with a digit too many than a message "8".
  const spaced = end > 1 && numbers.length === 1;
  unclear ||= spaced && end < parts.length && runOfOneNumber(parts).length === parts.length;
  return { numbers, words: last.word + 1, sure: sure && !unclear && numbers.length === 1, unclear };
}

/** A word, or one of several numbers that stand in one: `+6591234567,+6591234568`. */
interface Part extends NumberWord {
  /** Its place in the line. */
  readonly word: number;
  readonly goesOn: boolean;
}

/** `1,000` stays whole: it is no list. */
function partsOf(word: NumberWord, index: number): readonly Part[] {
  const listed = word.text.split(/(?<=[,;&|])/);
  const texts = listed.every((text) => !LIST_MARK.test(text) || text.length > 1) ? listed : [word.text];
  const isList = texts.every((text) => isNumberWord(text) && (/^[+＋]/.test(text) || digitsIn(text) >= 4));
  if (word.quoted || word.target !== undefined || texts.length === 1 || !isList)
    return [{ ...word, word: index, goesOn: false }];
  return texts.map((text, place) => ({
    text,
    newLine: place === 0 && word.newLine,
    word: index,
    goesOn: place < texts.length - 1,
  }));
}

interface FoundNumber {
  readonly typed: string;
  /** The number of parts it takes. */
  readonly parts: number;
  readonly valid: boolean;
  readonly unclear: boolean;
  /** True when nothing but a number can be meant at the start of a line. */
  readonly meant: boolean;
}

function numberAt(parts: readonly Part[], from: number, country: CountryCode): FoundNumber | undefined {
  const first = parts[from];
  if (first === undefined) return undefined;
  if (isLinkedNumber(first)) return whole(first.target ?? '', country);
  if (first.quoted) {
    const quoted = whole(first.text, country);
    return quoted.valid ? quoted : undefined;
  }
  const run = runOfOneNumber(parts.slice(from, from + MOST_WORDS));
  if (run.length === 0) return undefined;
  const candidates = run.map((_part, index) => joined(run.slice(0, index + 1)));
  const readings = candidates.flatMap((candidate, index) =>
    parsePhoneNumber(candidate, country).ok ? [index + 1] : [],
  );
  const [length = run.length] = readings;
  const typed = candidates[length - 1] ?? '';
  const valid = readings.length > 0;
  const meant = valid || /^[+＋]/.test(typed) || digitsIn(typed) >= FEWEST_DIGITS;
  const unclear = valid && (readings.length > 1 || mayLackDigit(run.slice(0, length), country));
  return { typed, parts: length, valid, unclear, meant };
}

/**
 * True if the last group may be of the text, and have made a stranger's number of one that lacks a digit: it is short,
 * or what stands before it looks like a whole number, or would be one with any digit more.
 */
function mayLackDigit(number: readonly Part[], country: CountryCode): boolean {
  const before = number.slice(0, -1);
  if (before.length === 0) return false;
  return (
    digitsIn(number.at(-1)?.text ?? '') <= MOST_TEXT_DIGITS ||
    before.some(({ text }) => digitsIn(text) >= FEWEST_SLIP_DIGITS) ||
    [...'0123456789'].some((digit) => parsePhoneNumber(joined(before) + digit, country).ok)
  );
}

function whole(typed: string, country: CountryCode): FoundNumber {
  return { typed, parts: 1, valid: parsePhoneNumber(typed, country).ok, unclear: false, meant: true };
}

/** A further number: a valid one, or one that has its own `+`, was linked by Slack, or stands in the same word. */
function isNext({ valid, typed }: FoundNumber, parts: readonly Part[], end: number, from: number): boolean {
  const first = parts[from];
  if (first === undefined || first.quoted) return false;
  const isMarked = /^[+＋]/.test(typed) && digitsIn(typed) >= FEWEST_DIGITS;
  return valid || isMarked || isLinkedNumber(first) || parts[end - 1]?.goesOn === true;
}

/** True for something that is listed after a number, is none, and has as many digits. */
function isSlip(found: FoundNumber | undefined, parts: readonly Part[], end: number, from: number): boolean {
  const listed = from > end || LIST_MARK.test(parts[end - 1]?.text ?? '');
  return listed && !parts[from]?.quoted && digitsIn(found?.typed ?? '') >= FEWEST_SLIP_DIGITS;
}

/** True for what Slack made a link of to a phone number. */
export function isLinkedNumber({ target }: Pick<NumberWord, 'target'> = {}): boolean {
  return target !== undefined && DIGIT.test(target) && !/[/@]/.test(target);
}

function pastSeparator(parts: readonly Part[], end: number): number {
  return end > 0 && BETWEEN_NUMBERS.test(parts[end]?.text ?? '') ? end + 1 : end;
}

function runOfOneNumber(parts: readonly Part[]): readonly Part[] {
  const run: Part[] = [];
  for (const [index, part] of parts.entries()) {
    const opensAnother =
      index > 0 && (part.newLine || /^[+＋]/.test(part.text) || part.quoted || part.target !== undefined);
    if (opensAnother || !isNumberWord(part.text)) break;
    run.push(part);
    if (/[,;:&|]$/.test(part.text)) break;
  }
  return run;
}

function isNumberWord(text: string): boolean {
  return NUMBER_WORD.test(text) && (DIGIT.test(text) || text.length === 1);
}

function digitsIn(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

function joined(parts: readonly Part[]): string {
  return parts
    .map((part) => part.text)
    .join(' ')
    .replace(/[,;:&|]$/, '');
}
