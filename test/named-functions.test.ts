import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DECLARED, readDocument, readText, TOP } from './written.ts';

/* Functions that ARCHITECTURE and the recipes of CONTRIBUTING name are declared in the files that they name. */

type Named = readonly [name: string, path: string];

const WAY = 'The way of a message, in the code';
const way = namedBy(/^\| `(\w+)` \| `([^`]+)` \|/gm, partOf('ARCHITECTURE.md', WAY));
const recipes = partOf('CONTRIBUTING.md', 'Recipes');
const named = [...recipes.matchAll(DECLARED)].flatMap(([, path = '', names = '']) =>
  namedBy(/`(\w+)`()/g, names).map(([name]): Named => [name, path]),
);

describe('documents', () => {
  it('name the eight functions that one message passes', () => {
    expect(way).toHaveLength(8);
  });

  it.each([
    'kind of message',
    'error code',
    'command',
    'subcommand',
    'post',
    'change of the schema',
    'column of recipients',
    'key of herald.yml',
    'source of alerts',
  ])('have a recipe for: %s', (what) => {
    expect(recipes).toMatch(new RegExp(`^### An? ${what}`, 'm'));
  });

  it.each([...way, ...named])('%s is declared in %s', (name, path) => {
    const [file] = [`src/${path}`, path].filter((one) => existsSync(new URL(one, TOP)));
    const text = file === undefined ? 'no such file' : readText(file);
    expect(new RegExp(`\\b(?:function|const|type|interface) ${name}\\b`).test(text)).toBe(true);
  });

  it('name many functions in their recipes', () => {
    expect(named.length).toBeGreaterThan(20);
  });
});

/** What stands below a heading of the second level. */
function partOf(document: string, heading: string): string {
  const { text } = readDocument(document);
  return text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

function namedBy(pattern: RegExp, text: string): readonly Named[] {
  return [...text.matchAll(pattern)].map(([, name = '', path = '']): Named => [name, path]);
}
