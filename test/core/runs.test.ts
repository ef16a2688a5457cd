import { expect, test } from 'vitest';
import { runsOf } from '../../src/core/runs.ts';

test.each([
  ['nothing', [], 1, ''],
  ['one', [7], 1, '7-7'],
  ['neighbours in any order, as numbers', [11, 9, 10, 2, 100, 101], 1, '2-2 9-11 100-101'],
  ['whoever is near enough', [1, 50, 151, 252, 353], 100, '1-50 151-151 252-252 353-353'],
])('%s as runs', (_, numbers, apart, runs) => {
  expect(
    runsOf(numbers, apart)
      .map((run) => run.join('-'))
      .join(' '),
  ).toBe(runs);
});
