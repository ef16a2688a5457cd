import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expressionsOf, fault } from './expressions.ts';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

/** Files whose expressions are put together while Herald runs, with what bounds the text that they meet. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/messages/numbers/certain-number.ts':
    'libphonenumber’s own patterns of a country; E164 has let at most 15 digits through before they are asked',
};

it('takes no longer than its text is long, whatever expression of src reads it', () => {
  const faults = globSync('src/**/*.ts', { cwd: TOP })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !(path in BOUNDED))
    .flatMap((path) =>
      expressionsOf(path, readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).flatMap((one) => {
        const why = fault(one);
        return why === undefined ? [] : [`${path}:${one.line} /${one.pattern ?? '…'}/${one.flags}: ${why}`];
      }),
    );
  expect(faults).toEqual([]);
});

describe('the check itself', () => {
  it.each([
    ['/(a+)+$/.test(text)'],
    ['/\\s+$/u.test(text)'],
    ['/(?<!x)a+b/.test(text)'],
    ['/^(.*)-\\1$/.test(text)'],
    ["new RegExp('a+')"],
    ["globalThis.RegExp(typed, 'g')"],
    ["text.match('(a+)+$')"],
    ['text.search(`a+$`)'],
  ])('finds a fault in %s', (source) => {
    expect(expressionsOf('x.ts', source).flatMap((one) => fault(one) ?? [])).toHaveLength(1);
  });

  it.each([['/ca+b/g'], ['/^\\s*x/'], ['/(?<=a)b{1,3}/u'], ['found.match(other)'], ['let a: RegExp = /a/']])(
    'finds none in %s',
    (source) => {
      expect(expressionsOf('x.ts', source).flatMap((one) => fault(one) ?? [])).toEqual([]);
    },
  );
});
