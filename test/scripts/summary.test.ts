import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  expect(summaryOf([], green)).toEqual({
    text: '5 passed, 0 failed',
    failed: 0,
  });
});

it('names what failed, with its error, last', () => {
  const { text, failed } = summaryOf(['npm run check'], red);
  expect(text).toBe(
    [
      'Tests that FAILED:',
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

it.each([
  ['a push', undefined, ['check', 'check:packages', 'test:all']],
  ['the night', 'nightly', ['check', 'check:packages', 'test:all', 'test:mutation']],
])(
  'runs each group of %s once: a test that fails has failed, even if it would pass the next time',
  (_of, HERALD_TESTS, scripts) => {
    const folder = mkdtempSync(join(tmpdir(), 'herald-ci-test-'));
    const npm = join(folder, 'npm');
    // Stands for npm: the tests fail the first time it is asked for.
    writeFileSync(
      npm,
      `#!/bin/sh
[ "$2" = test:all ] && [ ! -e '${folder}/failed' ] && touch '${folder}/failed' && report='${JSON.stringify(red)}' || report='${JSON.stringify(green)}'
echo "$2" >> '${folder}/asked'
[ -z "$HERALD_TEST_REPORT" ] || printf '%s' "$report" > "$HERALD_TEST_REPORT"
`,
      { mode: 0o700 },
    );
    const main = fileURLToPath(new URL('../../scripts/ci/main.ts', import.meta.url));
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, HERALD_TESTS };
    const { status, stdout } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' });
    const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n');
    rmSync(folder, { recursive: true });
    expect(asked).toEqual(scripts);
    expect(stdout).toMatch(/4 passed, 1 failed\n$/);
    expect(status).toBe(1);
  },
);

it('says that something was skipped', () => {
  const { text } = summaryOf([], { ...green, skipped: 2 });
  expect(text).toBe('2 skipped; each prints its reason above.\n5 passed, 0 failed');
});
