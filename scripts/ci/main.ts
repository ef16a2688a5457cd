import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Report, summaryOf } from './summary.ts';

/*
 * Everything that must hold, in the order in which it is quickest to hear that something does not. Each test runs once, and
 * one that fails has failed: what passes only now and then is a fault of the test or of Herald. With HERALD_TESTS=nightly
 * each attack is tried as often as it is meant to be, both stores run with both transports, and sources are changed to see
 * whether a test notices.
 */
const IS_NIGHTLY = process.env.HERALD_TESTS === 'nightly';

const CHECKS = ['check', 'check:packages'];
/** Takes the longest. */
const LAST = IS_NIGHTLY ? ['test:mutation'] : [];

const reports = mkdtempSync(join(tmpdir(), 'herald-ci-'));
try {
  const checksFailed = failing(CHECKS);
  const report = runTests();
  checksFailed.push(...failing(LAST));
  const { text, failed } = summaryOf(checksFailed, report);
  console.log(text);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true });
}

function failing(scripts: readonly string[]): string[] {
  return scripts.filter((script) => npmRun(script, {}) !== 0).map((script) => `npm run ${script}`);
}

function runTests(): Report {
  const path = join(reports, 'tests.json');
  const code = npmRun('test:all', { HERALD_TEST_REPORT: path });
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    if (code === 0 || report.failures.length > 0) return report;
    return { ...report, failures: [{ test: 'the whole run', error: `Vitest ended with code ${code}.` }] };
  } catch (error) {
    const failure = {
      test: 'the whole run',
      error: `Vitest ended with code ${code} and left no report: ${error}`,
    };
    return { passed: 0, skipped: 0, failures: [failure] };
  }
}

function npmRun(script: string, environment: Readonly<Record<string, string>>) {
  // Tests that need PostgreSQL may not be left out: CI is set.
  const env = {
    ...process.env,
    ...(IS_NIGHTLY && { HERALD_TRUST: 'full' }),
    CI: 'true',
    ...environment,
  };
  return spawnSync('npm', ['run', script], { stdio: 'inherit', env }).status;
}
