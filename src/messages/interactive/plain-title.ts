import type { Rule } from '../form/form.ts';

/*
 * Emoji and markdown, of which the interface document allows neither in a button's title, and only emoji in a header
 * ("Button" and "Header object").
 */

/**
 * Characters with Unicode's property Emoji; digits, # and * only when a keycap or the emoji style follows. Every emoji
 * sequence begins with such a character. Code points reserved for future emoji are included, because phones may know them
 * before Herald's runtime does.
 */
const EMOJI = /(?![0-9#*])\p{Emoji}|(?=\p{Cn})\p{Extended_Pictographic}|[0-9#*](?:\uFE0F|\u20E3)/u;

/**
 * Text that a chat app would format: words between two marks (*bold*, _italic_, ~struck~, `code`), or a heading, quotation
 * or bullet at the start. Marks inside words, or before a space, format nothing.
 */
const MARKDOWN: readonly { readonly isIn: (text: string) => boolean; readonly what: string }[] = [
  { isIn: (text) => hasMarked(text, /\*+/g, 3), what: '*…*' },
  { isIn: (text) => hasMarked(text, /_+/g, 3), what: '_…_' },
  { isIn: (text) => hasMarked(text, /~+/g, 2), what: '~…~' },
  { isIn: (text) => /`[^`\n]+`/u.test(text), what: '`…`' },
  { isIn: hasLink, what: '[…](…)' },
  { isIn: (text) => /^\s*#{1,6}\s/u.test(text), what: '# at the start' },
  { isIn: (text) => /^\s*>/u.test(text), what: '> at the start' },
  { isIn: (text) => /^\s*[*+-]\s/u.test(text), what: 'the bullet at the start' },
];

/** True for words on one line between two equal runs of a mark, at most `most` long, with no word directly outside. */
function hasMarked(text: string, runs: RegExp, most: number): boolean {
  let opening = '';
  let start = 0;
  for (const { 0: closing, index } of text.matchAll(runs)) {
    const before = text.slice(Math.max(0, start - opening.length - 2), start - opening.length);
    const behind = text.slice(index + closing.length, index + closing.length + 2);
    const isPair = opening === closing && closing.length <= most;
    // An expression that ends in $ overlooks letters of two code units there (V8 in Node 26).
    const isFree = ![[...before].at(-1) ?? '', behind].some((text) => /^[\p{L}\p{N}]/u.test(text));
    const words = text.slice(start, index);
    const isMarkable = words === words.trim() && !words.includes('\n');
    if (isPair && isFree && isMarkable) return true;
    opening = closing;
    start = index + closing.length;
  }
  return false;
}

/** `[label](address)`. */
function hasLink(text: string): boolean {
  const ends = /[)\s]/g;
  let end = -1;
  for (const { 0: label, index } of text.matchAll(/\[[^[\]\n]+\]\(/g)) {
    const from = index + label.length;
    if (end < from) {
      ends.lastIndex = from;
      end = ends.exec(text)?.index ?? text.length;
    }
    if (text.charAt(end) === ')' && end > from) return true;
  }
  return false;
}

/** No emoji. */
export const emojiProblem: Rule = (text, label) => {
  const found = EMOJI.exec(text)?.[0];
  return found && `${label} has an emoji (${found}), and none may stand here. Remove it.`;
};

/** No formatting. */
export const markdownProblem: Rule = (text, label) => {
  const found = MARKDOWN.find(({ isIn }) => isIn(text))?.what;
  return (
    found && `${label} is formatted with markdown (${found}), and it must be plain text. Remove the marks.`
  );
};

const visible = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At most so many characters, counted as limits.ts says; the sentence counts them as people see them. */
export function atMost(most: number): Rule {
  return (text, label) => {
    if (text.length <= most) return undefined;
    const seen = [...visible.segment(text)].length;
    const counted = seen === text.length ? '' : ` that count as ${text.length}`;
    return `${label} has ${seen} characters${counted}; at most ${most} are possible (an emoji counts as two or more). Shorten it by ${text.length - most}.`;
  };
}
