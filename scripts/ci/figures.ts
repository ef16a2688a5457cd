import type { Reporter, TestCase } from 'vitest/node';
import { type Attack, keepAttacks } from './kept-figures.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What an attack did, in numbers: its line at the end of `npm run test:trust` and `npm run test:crash`. */
    figure?: string;
  }
}

const OUTCOMES = { passed: 'held   ', failed: 'FAILED ', skipped: 'not run', pending: 'not run' } as const;

/** A Vitest reporter that ends a run with one line for each attack that was tried. */
export default class FiguresReporter implements Reporter {
  readonly #lines: string[] = [];
  readonly #held: Attack[] = [];

  onTestCaseResult(test: TestCase): void {
    const { figure } = test.meta();
    const group = test.project.name;
    if (group !== 'trust' && (group !== 'crash' || figure === undefined)) return;
    const { state } = test.result();
    this.#lines.push(`  ${OUTCOMES[state]}  ${test.name}: ${figure ?? 'see above'}`);
    if (state === 'passed' && figure !== undefined)
      this.#held.push({ file: test.module.relativeModuleId, test: test.name, figure });
  }

  onTestRunEnd(): void {
    if (this.#lines.length > 0) console.log(['', 'What was tried:', ...this.#lines].join('\n'));
    keepAttacks(this.#held);
  }
}
