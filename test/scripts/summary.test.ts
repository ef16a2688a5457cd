import { expect, it } from 'vitest';
import { type Report, summaryOf } from '../../scripts/ci/summary.ts';

const green: Report = { passed: 5, skipped: 0, failures: [] };
const red: Report = {
  passed: 4,
  skipped: 0,
  failures: [
    { file: 'test/e2e/a.test.ts', test: 'a card > is posted', error: 'expected 1 to be 2\n at a.test.ts:3' },
  ],
};

it('counts what passed', () => {
  expect(summaryOf([], [{ name: 'Tests', first: green, again: undefined }])).toEqual({
    text: '5 passed, 0 failed',
    failed: 0,
  });
});

it('names what failed, with its error, last', () => {
  const { text, failed } = summaryOf(['npm run check'], [{ name: 'Tests', first: red, again: undefined }]);
  expect(text).toBe(
    [
      'Tests: FAILED:',
      '  test/e2e/a.test.ts > a card > is posted',
      '      expected 1 to be 2',
      '       at a.test.ts:3',
      '',
      'FAILED: npm run check',
      '4 passed, 2 failed',
    ].join('\n'),
  );
  expect(failed).toBe(2);
});

it('does not fail for what passes alone, and lists it', () => {
  const { text, failed } = summaryOf([], [{ name: 'Tests', first: red, again: { ...green, passed: 3 } }]);
  expect(text).toContain('Tests: failed beside other tests, run once more alone:\n  test/e2e/a.test.ts');
  expect(text).toMatch(/\n5 passed, 0 failed$/);
  expect(failed).toBe(0);
});

it('fails for what fails twice', () => {
  const { text, failed } = summaryOf([], [{ name: 'Tests', first: red, again: { ...red, passed: 2 } }]);
  expect(text).toMatch(/Tests: FAILED:[\s\S]*\n4 passed, 1 failed$/);
  expect(failed).toBe(1);
});

it('says that something was skipped', () => {
  const { text } = summaryOf([], [{ name: 'Tests', first: { ...green, skipped: 2 }, again: undefined }]);
  expect(text).toBe('2 skipped; each prints its reason above.\n5 passed, 0 failed');
});
