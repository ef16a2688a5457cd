import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readText, TOP } from './written.ts';

/* Words that the glossary of ARCHITECTURE.md replaces stand in no code, comment or document. */

/** What to say instead, by the word; parts of identifiers count as words. */
const REPLACED: readonly (readonly [instead: string, words: RegExp])[] = [
  ['announce, notify, answer, say', /^(?:told|untold|tell|tells|teller|telling)$/],
  ['act', /^deeds?$/],
];

const files = globSync(['*.md', 'docs/*.md', 'src/**/*.ts'], { cwd: fileURLToPath(TOP) });

it.each(files)('%s uses the words of the glossary', (path) => {
  const lines = readText(path).split('\n');
  const found = lines.flatMap((line, index) =>
    wordsOf(line).flatMap((word) =>
      REPLACED.filter(([, words]) => words.test(word)).map(
        ([instead]) => `line ${index + 1}: ${word}; say: ${instead}`,
      ),
    ),
  );
  expect(found).toEqual([]);
});

it('reads words out of identifiers', () => {
  expect(wordsOf('isTold TOLD_EVERY tellOthers(deed) indeed')).toEqual(
    expect.arrayContaining(['told', 'every', 'tell', 'deed', 'indeed']),
  );
});

function wordsOf(line: string): readonly string[] {
  const parts = line.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? [];
  return parts.map((part) => part.toLowerCase());
}
