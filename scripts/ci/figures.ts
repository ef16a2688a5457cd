import type { Reporter, TestCase } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** What an attack did, in numbers: one line of the table at the end of `npm run test:trust`. */
    figure?: string;
  }
}

const OUTCOMES = { passed: 'held   ', failed: 'FAILED ', skipped: 'not run', pending: 'not run' } as const;

/** A Vitest reporter that ends a run with one line for each attack that was tried. */
export default class FiguresReporter implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.project.name !== 'trust') return;
    const { figure = 'see above' } = test.meta();
    this.#lines.push(`  ${OUTCOMES[test.result().state]}  ${test.name}: ${figure}`);
  }

  onTestRunEnd(): void {
    if (this.#lines.length > 0) console.log(['', 'What was tried:', ...this.#lines].join('\n'));
  }
}
