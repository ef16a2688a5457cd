import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Group, type Report, summaryOf } from './summary.ts';

/*
 * Everything that must hold, in the order in which it is quickest to hear that something does not.
 */

interface Plan {
  readonly name: string;
  /** A script of package.json. */
  readonly script: string;
  /** Whether a file that failed gets a second run. What breaks the promise once is broken: those files do not. */
  readonly again: boolean;
}

const CHECKS = ['check', 'check:packages'];

const PLANS: readonly Plan[] = [
  { name: 'Tests', script: 'test', again: true },
  { name: 'Crash tests', script: 'test:crash', again: false },
  { name: 'Kept attacks', script: 'test:trust', again: false },
];

const reports = mkdtempSync(join(tmpdir(), 'herald-ci-'));
try {
  const checksFailed = CHECKS.filter((script) => npmRun(script, [], {}) !== 0).map(
    (script) => `npm run ${script}`,
  );
  const { text, failed } = summaryOf(checksFailed, PLANS.map(groupOf));
  console.log(text);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true });
}

function groupOf(plan: Plan): Group {
  const first = run(plan, []);
  const files = new Set(first.failures.map(({ file }) => file));
  if (!plan.again || files.size === 0 || files.has(undefined))
    return { name: plan.name, first, again: undefined };
  const alone = [...files].filter((file) => file !== undefined);
  return { name: plan.name, first, again: run(plan, ['--no-file-parallelism', ...alone]) };
}

function run({ script }: Plan, argumentsOf: readonly string[]): Report {
  const path = join(reports, `${crypto.randomUUID()}.json`);
  const code = npmRun(script, argumentsOf, { HERALD_TEST_REPORT: path });
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

function npmRun(
  script: string,
  argumentsOf: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  // Tests that need PostgreSQL may not be left out: CI is set.
  const env = { ...process.env, CI: 'true', ...environment };
  return spawnSync('npm', ['run', script, '--', ...argumentsOf], { stdio: 'inherit', env }).status;
}
