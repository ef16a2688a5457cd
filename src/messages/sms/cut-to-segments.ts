import { GSM_UNITS_ALONE } from '../limits.ts';
import { withLineFeeds } from '../text.ts';
import { measureSms } from './segments.ts';

/** Says that something followed. Three full stops: the one character for it would make a GSM text UCS-2. */
const ELLIPSIS = '...';
/** A cut goes back to the end of a word when that costs no more than this. */
const WORD_UNITS = 20;
/** More than any single character that people see takes. */
const LONGEST_CHARACTER = 100;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export interface CutText {
  /** At most as many parts as asked for; ends in three full stops when something was cut. */
  readonly text: string;
  /** What no longer fits; empty when everything does. */
  readonly cut: string;
}

/**
 * Cuts a text so that it travels in at most `segments` SMS parts (1 or more), after a word where one ends near, never
 * within a character as people see it. As much as possible stays: where a text is UCS-2 only because of what comes after
 * the cut, what stays is measured as GSM-7.
 */
export function cutToSegments(text: string, segments: number): CutText {
  const whole = withLineFeeds(text).trim();
  const fits = (candidate: string) => measureSms(candidate).segments <= segments;
  const most = segments * GSM_UNITS_ALONE;
  if (whole.length <= most && fits(whole)) return { text: whole, cut: '' };
  const ends = endsOfCharacters(whole.slice(0, most + LONGEST_CHARACTER));
  let low = 0;
  let high = ends.length;
  // A longer beginning never takes fewer parts, so the longest that fits is found by halving.
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
