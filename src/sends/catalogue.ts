import type { Template } from '../messages/template.ts';
import type { TemplateCatalogue } from './ports.ts';

interface Indexed {
  readonly template: Template;
  readonly name: string;
  readonly label: string;
  readonly sample: string;
}

/** A catalogue over the templates of `herald.yml`. Type-ahead ignores case and accents; every word must be found. */
export function createTemplateCatalogue(templates: readonly Template[]): TemplateCatalogue {
  const indexed = templates.map((template) => ({
    template,
    name: folded(template.name.replaceAll('_', ' ')),
    label: folded(template.label),
    sample: folded(template.text ?? ''),
  }));
  return {
    find: async (channel, name) =>
      templates.find((template) => template.channel === channel && template.name === name),
    search: async (channel, query, limit) =>
      ranked(
        indexed.filter(({ template }) => template.channel === channel),
        folded(query.replaceAll('_', ' ')),
      ).slice(0, limit),
  };
}

function ranked(candidates: readonly Indexed[], query: string): readonly Template[] {
  const words = query.split(/\s+/u).filter((word) => word !== '');
  return candidates
    .map((candidate) => ({ candidate, rank: rank(candidate, query, words) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank || a.candidate.label.localeCompare(b.candidate.label))
    .map(({ candidate }) => candidate.template);
}

const NOT_FOUND = 4;

/** 0: name or label starts with the query; 1: a word of them does; 2: they contain it; 3: only the sample does. */
function rank({ name, label, sample }: Indexed, query: string, words: readonly string[]): number {
  const titles = [name, label];
  if (titles.some((title) => title.startsWith(query))) return 0;
  if (titles.some((title) => title.includes(` ${query}`))) return 1;
  if (words.every((word) => titles.some((title) => title.includes(word)))) return 2;
  return words.every((word) => titles.some((title) => title.includes(word)) || sample.includes(word))
    ? 3
    : NOT_FOUND;
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase('en').trim();
}
