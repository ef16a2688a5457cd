import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import type { Failure, Report } from './summary.ts';

/** What a test run, or a hook or a file, threw. */
interface Thrown {
  readonly message: string;
  readonly stack?: string | undefined;
  /** What a property test says of the case that it found. */
  readonly cause?: unknown;
}

/**
 * A Vitest reporter that keeps a run as a {@link Report}, in the file that `HERALD_TEST_REPORT` names: also what
 * failed outside of a test, which Vitest's own JSON leaves out.
 */
export default class CiReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Thrown[]): void {
    const path = process.env.HERALD_TEST_REPORT;
    if (path === undefined) throw new Error('HERALD_TEST_REPORT must name the file that the report goes to.');
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const withState = (state: string): number => cases.filter((test) => test.result().state === state).length;
    const report: Report = {
      passed: withState('passed'),
      skipped: withState('skipped'),
      failures: [
        ...modules.flatMap(failuresOf),
        ...unhandled.map((error) => ({
          file: undefined,
          test: 'outside of any test',
          error: wordsOf(error),
        })),
      ],
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

function failuresOf(module: TestModule): readonly Failure[] {
  const file = module.relativeModuleId;
  const of = (test: string, errors: readonly Thrown[]): Failure[] =>
    errors.map((error) => ({ file, test, error: wordsOf(error) }));
  return [
    ...of('the file itself', module.errors()),
    ...[...module.children.allSuites()].flatMap((suite) =>
      of(`${suite.fullName}, before or after`, suite.errors()),
    ),
    ...[...module.children.allTests('failed')].map((test) => ({
      file,
      test: test.fullName,
      error: (test.result().errors ?? []).map(wordsOf).join('\n'),
    })),
  ];
}

function wordsOf({ message, stack = '', cause }: Thrown): string {
  const where = stack.split('\n').filter((line) => /^\s+at |❯/.test(line) && !line.includes('node_modules'));
  return [message, ...where.slice(0, 4), ...(isThrown(cause) ? [`Because: ${wordsOf(cause)}`] : [])].join(
    '\n',
  );
}

function isThrown(cause: unknown): cause is Thrown {
  return (
    typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string'
  );
}
