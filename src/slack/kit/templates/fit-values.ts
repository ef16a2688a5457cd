import type { Template } from '../../../messages/templates/template.ts';
import type { FormValues } from '../forms/read-state.ts';
import { CHECK_MEDIA, VALUES_UNQUOTED, valuesLeftOver } from './sentences.ts';
import type { Word } from './word.ts';

/** A line's values at the fields of a template's form. */
export interface FittedValues {
  /** By form path: `params`, `otp`, `content`, `header`. */
  readonly values: FormValues;
  /** True when there is one way to place them. Whether they are complete is for the form's schema to say. */
  readonly sure: boolean;
  readonly notes: readonly string[];
}

const EMPTY: FittedValues = { values: {}, sure: true, notes: [] };
const LINK = /^https?:\/\//i;

/** Places the values of a line, in order, into the fields of a template. What has no place is told, never dropped. */
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
      return fitCards(template.cards, words);
    case 'plain':
    case 'rich':
    case 'carousel-fixed':
      return words.length === 0 ? EMPTY : { values: {}, sure: false, notes: [leftOver(words)] };
  }
}

function fitPassword(words: readonly Word[]): FittedValues {
  if (words.length === 0) return EMPTY;
  const sure = words.length === 1;
  return { values: { otp: together(words) }, sure, notes: sure ? [] : [VALUES_UNQUOTED] };
}

function fitParams(count: number, words: readonly Word[]): FittedValues {
  if (count === 1 && words.length > 1 && words.every((word) => !word.quoted))
    return { values: { params: [together(words)] }, sure: false, notes: [VALUES_UNQUOTED] };
  const params = words.slice(0, count).map((word) => word.text);
  const surplus = words.slice(count);
  const unclear = count > 1 && hasUnquotedNeighbours(words);
  return {
    values: params.length > 0 ? { params } : {},
    sure: words.length === count && !unclear,
    notes: [...(unclear ? [VALUES_UNQUOTED] : []), ...(surplus.length > 0 ? [leftOver(surplus)] : [])],
  };
}

/** A header's link cannot be told from a value for sure: it is put in place, and the form opens. */
function fitWithMedia(template: Template, words: readonly Word[]): FittedValues {
  const count = template.placeholders.length;
  const [link, filename, ...surplus] = words.slice(count);
  const hasLink = link !== undefined && LINK.test(meaning(link));
  if (!hasLink) return { ...fitParams(count, words), sure: false };
  const fitted = fitParams(count, words.slice(0, count));
  const takesName = template.variant === 'document';
  const header = { link: meaning(link), ...(takesName && filename ? { filename: filename.text } : {}) };
  const unplaced = [...(takesName || filename === undefined ? [] : [filename]), ...surplus];
  const notes = [...fitted.notes, CHECK_MEDIA, ...(unplaced.length > 0 ? [leftOver(unplaced)] : [])];
  return { values: { ...fitted.values, header }, sure: false, notes };
}

function fitCards(cards: number, words: readonly Word[]): FittedValues {
  const content = words.slice(0, cards).map((word) => ({ fileUrl: meaning(word) }));
  const surplus = words.slice(cards);
  return {
    values: content.length > 0 ? { content } : {},
    sure: words.length === cards,
    notes: surplus.length > 0 ? [leftOver(surplus)] : [],
  };
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

function leftOver(words: readonly Word[]): string {
  return valuesLeftOver(words.map((word) => word.text));
}
