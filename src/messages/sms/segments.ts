import { GSM_UNITS_ALONE, GSM_UNITS_PER_PART, UCS2_UNITS_ALONE, UCS2_UNITS_PER_PART } from '../limits.ts';
import { codePointName, withLineFeeds } from '../text.ts';

/** GSM 03.38 basic character set, in table order; U+001B is the escape to the extension table. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** GSM 03.38 extension table: each takes two septets. */
const EXTENSION = new Set('\f^{}\\[~]|€');

export function septetsOf(character: string): 1 | 2 | undefined {
  if (BASIC.has(character)) return 1;
  return EXTENSION.has(character) ? 2 : undefined;
}

/**
 * Finds the encoding that a text needs and counts its parts, as GSM 03.40 and 03.38 have it: 160 septets in one
 * SMS or 153 a part, 70 UTF-16 units or 67 a part. Neither an escaped character nor a surrogate pair is split
 * between two parts, so a part may end one unit early.
 */
export function measureSms(text: string) {
  const characters = [...text];
  /** The first character that the GSM alphabet lacks: the reason for UCS-2. */
  const firstNonGsm = characters.find((character) => septetsOf(character) === undefined);
  if (firstNonGsm === undefined) {
    const sizes = characters.map((character) => septetsOf(character) ?? 0);
    const counted = count(sizes, GSM_UNITS_ALONE, GSM_UNITS_PER_PART);
    return { encoding: 'GSM-7' as const, ...counted, firstNonGsm };
  }
  const sizes = characters.map((character) => character.length);
  return { encoding: 'UCS-2' as const, ...count(sizes, UCS2_UNITS_ALONE, UCS2_UNITS_PER_PART), firstNonGsm };
}

/**
 * `units`: septets (characters of the extension table count two) or UTF-16 units; `segments`: parts that are sent and billed, 0 for
 * an empty text; `unitsPerSegment`: what one part holds; `remaining`: units still free in the last part.
 */
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
 * One line for forms and results, e.g. `1 SMS · 45 of 160 characters`; says which character makes a text UCS-2, since that
 * more than halves what fits.
 */
export function segmentsLine(text: string): string {
  const { units, segments, unitsPerSegment, remaining, firstNonGsm } = measureSms(text);
  const parts = segments === 1 ? '1 SMS' : `${segments} SMS parts`;
  const filled =
    segments > 1
      ? `${units} characters, ${unitsPerSegment} a part, ${remaining} left in the last`
      : `${units} of ${unitsPerSegment} characters`;
  const reason = firstNonGsm === undefined ? '' : ` (fewer fit because of ${shown(firstNonGsm)})`;
  return `${parts} · ${filled}${reason}`;
}

function shown(character: string): string {
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `“${character}”` : codePointName(character);
}

/** Three full stops, because the character for an ellipsis would make a GSM text UCS-2. */
const ELLIPSIS = '...';
/** Most characters given up to cut at the end of a word. */
const WORD_UNITS = 20;
/** More code units than any visible character has. */
const LONGEST_CHARACTER = 100;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Cuts a text to at most `segments` SMS parts (1 or more), after a word if one ends near, never within a visible
 * character. Keeps as much as possible: what remains may need only GSM-7 when what is cut needed UCS-2.
 */
export function cutToSegments(text: string, segments: number) {
  const whole = withLineFeeds(text).trim();
  const fits = (candidate: string) => measureSms(candidate).segments <= segments;
  const most = segments * GSM_UNITS_ALONE;
  if (whole.length <= most && fits(whole)) return { text: whole, cut: '' };
  const seen = characters.segment(whole.slice(0, most + LONGEST_CHARACTER));
  // Where each character ends, from 0 on.
  const ends = [0, ...Array.from(seen, ({ index, segment }) => index + segment.length)];
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

function backToWord(text: string, end: number): number {
  if (/^\s/.test(text.slice(end))) return end;
  const tail = text.slice(Math.max(0, end - WORD_UNITS), end);
  const space = tail.search(/\s\S*$/);
  return space === -1 ? end : end - tail.length + space;
}
