import { expect, test } from 'vitest';
import { compilePattern, patternSchema } from '../../../src/sends/alerts/rules.ts';
import { processorMsSince } from '../../processor-time.ts';

test('a pattern matches letters of either case, with ^ and $ at the ends of lines', () => {
  expect(compilePattern('^state: (\\w+)$').find('Alarm\nState: FIRING\nx')).toEqual([
    'State: FIRING',
    'FIRING',
  ]);
  expect(compilePattern('a(b)?').find('xa')).toEqual(['a', '']);
  expect(compilePattern('firing').find('all is well')).toBeUndefined();
});

test('a pattern that would take for ever elsewhere takes no time', () => {
  const text = `${'a'.repeat(50_000)}!`;
  const begun = process.threadCpuUsage();
  expect(compilePattern('(a+)+$').find(text)).toBeUndefined();
  expect(processorMsSince(begun)).toBeLessThan(5_000);
});

test.each([
  ['a(?=b)', /look-ahead/],
  ['(?<!a)b', /look-behind/],
  ['(a)\\1', /back-references/],
  ['(', /cannot read: missing closing \)/],
  [3, /as text, in quotes/],
])('a pattern %s is refused in words', (source, words) => {
  const parsed = patternSchema.safeParse(source);
  expect(parsed.success ? '' : parsed.error.issues[0]?.message).toMatch(words);
});
