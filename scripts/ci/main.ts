import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Report, summaryOf } from './summary.ts';

/*
 * Everything that must hold, in the order in which it is quickest to hear that something does not. Each test runs once, and
 * one that fails has failed: what passes only now and then is a fault of the test or of Herald.
 */

/** What is run, and the script of package.json that runs it. */
const PLANS = { Tests: 'test', 'Crash tests': 'test:crash', 'Kept attacks': 'test:trust' };

const CHECKS = ['check', 'check:packages'];

const reports = mkdtempSync(join(tmpdir(), 'herald-ci-'));
try {
  const checksFailed = CHECKS.filter((script) => npmRun(script, {}) !== 0).map(
    (script) => `npm run ${script}`,
  );
  const groups = Object.entries(PLANS).map(([name, script]) => ({ name, report: run(script) }));
  const { text, failed } = summaryOf(checksFailed, groups);
  console.log(text);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true });
}

function run(script: string): Report {
  const path = join(reports, `${crypto.randomUUID()}.json`);
  const code = npmRun(script, { HERALD_TEST_REPORT: path });
  return reportAt(path, code);
}

function reportAt(path: string, code: number | null): Report {
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
  const env = { ...process.env, CI: 'true', ...environment };
  return spawnSync('npm', ['run', script], { stdio: 'inherit', env }).status;
}
