import { expect, test } from 'vitest';
import { insecureLink, readsOddly, unfilled } from '../../src/messages/text.ts';

test.each([
  ...['', '  ', 'null', 'NULL ', 'undefined', 'NaN', '#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'],
  ...['Dear {{name}}', 'Dear {{name', 'Dear {name}', 'Dear {first name}'],
])('“%s” reads oddly', (value) => {
  expect(readsOddly(value)).toBe(true);
});

test.each(['Asha', 'Nullarbor', 'N/A-1', '#1', '{}', '{ 1, 2 }', ':-{', 'undefined behaviour', '0'])(
  '“%s” does not',
  (value) => {
    expect(readsOddly(value)).toBe(false);
  },
);

test('what is left as typed, and links that are not https, are found', () => {
  expect(unfilled('Hello {name}!')).toBe('{name}');
  expect(insecureLink('at HTTP://a.test/b?c=1, now')).toBe('HTTP://a.test/b?c=1,');
  expect(insecureLink('at https://a.test')).toBeUndefined();
});

test('a long value is read in a moment', () => {
  const from = performance.now();
  for (const value of ['{'.repeat(100_000), `{a${' a'.repeat(100_000)}`, 'http://'.repeat(20_000)]) {
    readsOddly(value.replaceAll('{{', '{ '));
    insecureLink(value);
  }
  expect(performance.now() - from).toBeLessThan(1_000);
});
