import { fillColumns } from '../columns.ts';
import { GSM_UNITS_ALONE, GSM_UNITS_PER_PART, UCS2_UNITS_ALONE, UCS2_UNITS_PER_PART } from '../limits.ts';
import { codePointName, withLineFeeds } from '../text.ts';

/** How a text travels as SMS. */
export interface SmsMeasure {
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Septets (characters of the extension table count two) or UTF-16 units. */
  readonly units: number;
  /** Parts that are sent and billed; 0 for an empty text. */
  readonly segments: number;
  /** What one part holds: 160 or 153 septets, 70 or 67 UTF-16 units. */
  readonly unitsPerSegment: number;
  /** Units still free in the last part. */
  readonly remaining: number;
  /** The first character that the GSM alphabet lacks: the reason for UCS-2. */
  readonly firstNonGsm?: string;
}

/** GSM 03.38 basic character set, in table order; U+001B is the escape to the extension table. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** GSM 03.38 extension table: each takes two septets. */
const EXTENSION = new Set('\f^{}\\[~]|€');

/** Septets a character takes in the GSM alphabet, or undefined when it is not in it. */
export function septetsOf(character: string): 1 | 2 | undefined {
  if (BASIC.has(character)) return 1;
  return EXTENSION.has(character) ? 2 : undefined;
}

/**
 * Finds the encoding that a text needs and counts its parts, as GSM 03.40 and 03.38 have it: 160 septets in one
 * SMS or 153 a part, 70 UTF-16 units or 67 a part. Neither an escaped character nor a surrogate pair is split
 * between two parts, so a part may end one unit early.
 */
export function measureSms(text: string): SmsMeasure {
  const characters = [...text];
  const firstNonGsm = characters.find((character) => septetsOf(character) === undefined);
  if (firstNonGsm === undefined) {
    const sizes = characters.map((character) => septetsOf(character) ?? 0);
    return { encoding: 'GSM-7', ...count(sizes, GSM_UNITS_ALONE, GSM_UNITS_PER_PART) };
  }
  const sizes = characters.map((character) => character.length);
  return { encoding: 'UCS-2', ...count(sizes, UCS2_UNITS_ALONE, UCS2_UNITS_PER_PART), firstNonGsm };
}

function count(sizes: readonly number[], alone: number, perPart: number) {
  const units = sizes.reduce((sum, size) => sum + size, 0);
  if (units <= alone) {
    return { units, segments: units === 0 ? 0 : 1, unitsPerSegment: alone, remaining: alone - units };
  }
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > perPart) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return { units, segments, unitsPerSegment: perPart, remaining: perPart - used };
}

/**
 * One line for forms and results, e.g. `1 SMS · 45 of 160 characters (GSM-7)`; says which character makes a
 * text UCS-2, since that more than halves what fits.
 */
export function segmentsLine(text: string): string {
  const { encoding, units, segments, unitsPerSegment, remaining, firstNonGsm } = measureSms(text);
  const parts = segments === 1 ? '1 SMS' : `${segments} SMS parts`;
  const filled =
    segments > 1
      ? `${units} characters, ${unitsPerSegment} a part, ${remaining} left in the last`
      : `${units} of ${unitsPerSegment} characters`;
  const reason = firstNonGsm === undefined ? '' : ` because of ${shown(firstNonGsm)}`;
  return `${parts} · ${filled} (${encoding}${reason})`;
}

/** A character in quotes where a line can show it, or its code point where it cannot. */
function shown(character: string): string {
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `“${character}”` : codePointName(character);
}

/**
 * How many parts a text takes as the given rows fill it in, in one line: `1 to 3 SMS parts`. One row, or a text that is
 * the same for all, gets the whole account of `segmentsLine`.
 *
 * @param columns in the order of each row's values
 */
export function segmentsRange(
  text: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const texts = new Set(rows.map((values) => fillColumns(text, columns, values)));
  const [first = text] = texts;
  if (texts.size <= 1) return segmentsLine(first);
  let fewest = Number.POSITIVE_INFINITY;
  let most = 0;
  let unicode = 0;
  for (const filled of texts) {
    const { segments, encoding } = measureSms(filled);
    fewest = Math.min(fewest, segments);
    most = Math.max(most, segments);
    if (encoding === 'UCS-2') unicode += 1;
  }
  const parts =
    most === 1 ? '1 SMS' : fewest === most ? `${most} SMS parts` : `${fewest} to ${most} SMS parts`;
  const encodings = unicode === 0 ? 'GSM-7' : unicode === texts.size ? 'UCS-2' : 'GSM-7 or UCS-2';
  return `${parts} a recipient (${encodings})`;
}

/** Three full stops, because the character for an ellipsis would make a GSM text UCS-2. */
const ELLIPSIS = '...';
/** Most characters given up to cut at the end of a word. */
const WORD_UNITS = 20;
/** More code units than any visible character has. */
const LONGEST_CHARACTER = 100;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export interface CutText {
  /** At most as many parts as asked for; ends in three full stops when something was cut. */
  readonly text: string;
  /** What no longer fits; empty when everything does. */
  readonly cut: string;
}

/**
 * Cuts a text to at most `segments` SMS parts (1 or more), after a word if one ends near, never within a visible
 * character. Keeps as much as possible: what remains may need only GSM-7 when what is cut needed UCS-2.
 */
export function cutToSegments(text: string, segments: number): CutText {
  const whole = withLineFeeds(text).trim();
  const fits = (candidate: string) => measureSms(candidate).segments <= segments;
  const most = segments * GSM_UNITS_ALONE;
  if (whole.length <= most && fits(whole)) return { text: whole, cut: '' };
  const ends = endsOfCharacters(whole.slice(0, most + LONGEST_CHARACTER));
  let low = 0;
  let high = ends.length;
  // Binary search: a longer text never takes fewer parts.
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(whole.slice(0, ends[middle] ?? 0) + ELLIPSIS)) low = middle;
    else high = middle;
  }
  const end = backToWord(whole, ends[low] ?? 0);
  return { text: whole.slice(0, end).trimEnd() + ELLIPSIS, cut: whole.slice(end).trim() };
}

/** Where each character ends, from 0 on. */
function endsOfCharacters(text: string): readonly number[] {
  return [0, ...Array.from(characters.segment(text), ({ index, segment }) => index + segment.length)];
}

function backToWord(text: string, end: number): number {
  if (/^\s/.test(text.slice(end))) return end;
  const tail = text.slice(Math.max(0, end - WORD_UNITS), end);
  const space = tail.search(/\s\S*$/);
  return space === -1 ? end : end - tail.length + space;
}
