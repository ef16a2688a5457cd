import { distance } from 'fastest-levenshtein';
import type { Template } from './template.ts';

/**
 * An index over templates, built once and searched at every keystroke; the best match comes first. Ignores case, accents and underscores. Every word
 * must match: the beginning of name or label, another part of them, the sample text or, mistyped by a letter or two, a word
 * of name or label.
 */
export function createTemplateSearch(templates: readonly Template[]) {
  const collator = new Intl.Collator('en');
  const indexed = templates
    .map(indexedOf)
    .sort((a, b) => collator.compare(a.template.label, b.template.label));
  // Titles share most of their words, so each distinct word is compared once.
  const vocabulary = [...new Set(indexed.flatMap(({ titleWords }) => titleWords))];
  return (query: string): readonly Template[] => {
    const typed = folded(query);
    const words = wordsOf(typed);
    const alike = words.map((word) => new Set(vocabulary.filter((known) => isMistyped(word, known))));
    return indexed
      .map((candidate) => ({ template: candidate.template, rank: rankOf(candidate, typed, words, alike) }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => a.rank - b.rank)
      .map(({ template }) => template);
  };
}

function indexedOf(template: Template) {
  // Name and label.
  const titles = [folded(template.name), folded(template.label)];
  return {
    template,
    titles,
    titleWords: [...new Set(titles.flatMap(wordsOf))],
    sample: folded(template.text ?? ''),
  };
}

/** 0 for the best match; negative for none. */
function rankOf(
  { titles, titleWords, sample }: ReturnType<typeof indexedOf>,
  typed: string,
  words: readonly string[],
  alike: readonly ReadonlySet<string>[],
): number {
  const inTitles = (word: string) => titles.some((title) => title.includes(word));
  const isMistypedOf = (word: string, place: number) =>
    inTitles(word) || titleWords.some((known) => alike[place]?.has(known) === true);
  return [
    () => titles.some((title) => title.startsWith(typed)),
    () => words.every((word) => titleWords.some((known) => known.startsWith(word))),
    () => words.every(inTitles),
    () => words.every((word) => inTitles(word) || sample.includes(word)),
    () => words.every(isMistypedOf),
  ].findIndex((isMatch) => isMatch());
}

const SHORTEST_MISTYPED = 4;
const TWO_LETTERS_FROM = 8;

/** True when the typed word is one edit (two from eight letters on), or one swap, away from the beginning of the other. */
function isMistyped(word: string, known: string): boolean {
  if (word.length < SHORTEST_MISTYPED || known[0] !== word[0]) return false;
  const most = word.length >= TWO_LETTERS_FROM ? 2 : 1;
  if (isSwapped(word, known.slice(0, word.length))) return true;
  return [-1, 0, 1].some((more) => distance(word, known.slice(0, word.length + more)) <= most);
}

function isSwapped(word: string, known: string): boolean {
  const at = [...word].findIndex((letter, index) => letter !== known[index]);
  return (
    word[at] === known[at + 1] && word[at + 1] === known[at] && word.slice(at + 2) === known.slice(at + 2)
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

function folded(text: string): string {
  return text.replaceAll('_', ' ').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase('en').trim();
}
