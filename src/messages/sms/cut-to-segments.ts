import { GSM_UNITS_ALONE } from '../limits.ts';
import { withLineFeeds } from '../text.ts';
import { measureSms } from './segments.ts';

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
