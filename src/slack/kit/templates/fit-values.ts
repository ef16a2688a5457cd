import type { Template } from '../../../messages/templates/template.ts';
import type { FormValues } from '../forms/read-state.ts';

/** One word of a command line, or a quoted value. */
export interface Word {
  readonly text: string;
  readonly quoted: boolean;
  /** The target of the link, when the word is one. */
  readonly target?: string;
  /** The quotes around or inside it can be read in more than one way. */
  readonly doubtful: boolean;
  /** True when a line break stands between this word and the one before. */
  readonly newLine: boolean;
}

/** A line's values at the fields of a template's form. */
export interface FittedValues {
  /** Keyed by form path: `params`, `otp`, `content`, `header`. */
  readonly values: FormValues;
  /** True when nothing was guessed. Whether they are complete and right is for the form's schema to say. */
  readonly sure: boolean;
  readonly notes: readonly string[];
}

const LINK = /^https?:\/\//i;

/** Places the values of a line, in order, into the fields of a template. A note names each that has no place. */
export function fitValues(template: Template, words: readonly Word[]): FittedValues {
  switch (template.variant) {
    case 'otp':
      return fitPassword(words);
    case 'text':
    case 'variables':
      return fitParams(template.placeholders.length, words);
    case 'document':
    case 'image':
    case 'video':
      return fitWithMedia(template, words);
    case 'carousel-images':
      return fitEach(template.cards, words, (cards) => ({
        content: cards.map((word) => ({ fileUrl: meaning(word) })),
      }));
    case 'plain':
    case 'rich':
    case 'carousel-fixed':
      return fitEach(0, words, () => ({}));
  }
}

function fitPassword(words: readonly Word[]): FittedValues {
  if (words.length === 0) return { values: {}, sure: true, notes: [] };
  const sure = words.length === 1;
  return { values: { otp: together(words) }, sure, notes: sure ? [] : [VALUES_UNQUOTED] };
}

/** Puts each of the first `count` words into a place of its own. */
function fitEach(
  count: number,
  words: readonly Word[],
  put: (placed: readonly Word[]) => FormValues,
): FittedValues {
  const values = count > 0 && words.length > 0 ? put(words.slice(0, count)) : {};
  return { values, sure: words.length === count, notes: leftOver(words.slice(count)) };
}

function fitParams(count: number, words: readonly Word[]): FittedValues {
  if (count === 1 && words.length > 1 && words.every((word) => !word.quoted))
    return { values: { params: [together(words)] }, sure: false, notes: [VALUES_UNQUOTED] };
  const fitted = fitEach(count, words, (placed) => ({ params: placed.map((word) => word.text) }));
  const isUnclear = count > 1 && hasUnquotedNeighbours(words);
  return isUnclear ? { ...fitted, sure: false, notes: [VALUES_UNQUOTED, ...fitted.notes] } : fitted;
}

/** A header's link is never known from a value for sure: it is put in place, and the form opens. */
function fitWithMedia(template: Template, words: readonly Word[]): FittedValues {
  const count = template.placeholders.length;
  const [link, filename, ...surplus] = words.slice(count);
  const hasLink = link !== undefined && LINK.test(meaning(link));
  if (!hasLink) return { ...fitParams(count, words), sure: false };
  const fitted = fitParams(count, words.slice(0, count));
  const takesName = template.variant === 'document';
  const header = { link: meaning(link), ...(takesName && filename ? { filename: filename.text } : {}) };
  const unplaced = [...(takesName || filename === undefined ? [] : [filename]), ...surplus];
  const notes = [...fitted.notes, CHECK_MEDIA, ...leftOver(unplaced)];
  return { values: { ...fitted.values, header }, sure: false, notes };
}

/** Two words side by side without quotes: one value with a space, or two? */
function hasUnquotedNeighbours(words: readonly Word[]): boolean {
  return words.some((word, index) => index > 0 && !word.quoted && words[index - 1]?.quoted === false);
}

/** Slack's link target: of `example.com/a.png` typed, it is the one with the scheme. */
function meaning(word: Word): string {
  return word.target ?? word.text;
}

function together(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ');
}

function leftOver(words: readonly Word[]): readonly string[] {
  return words.length === 0 ? [] : [valuesLeftOver(words.map((word) => word.text))];
}

const VALUES_UNQUOTED =
  'Words without quotes may be one value or several. Check which word belongs where; a line with each value in quotes is sent at once.';

export const CHECK_MEDIA = 'Check the link before you send.';

export function valuesLeftOver(values: readonly string[]): string {
  return `The template has no place for: ${values.map((value) => `“${value}”`).join(', ')}.`;
}
