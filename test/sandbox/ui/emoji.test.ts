import { expect, test } from 'vitest';
import { plainWords } from '../../../sandbox/ui/text/emoji.ts';

test('a plain text shows emoji by name unless it says that it has none', () => {
  expect(plainWords(':wave: 10:30:00 :acme:')).toBe('👋 10:30:00 :acme:');
  expect(plainWords(':wave:', true)).toBe('👋');
  expect(plainWords(':wave:', false)).toBe(':wave:');
});
