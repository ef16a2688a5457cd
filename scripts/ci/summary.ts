/** One thing that failed in a run of Vitest. */
export interface Failure {
  /** Relative to the project; absent when no file was at fault. */
  readonly file?: string | undefined;
  readonly test: string;
  /** Message and place, of any length. */
  readonly error: string;
}

/** What one run of Vitest came to. */
export interface Report {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

const LINES_OF_ERROR = 25;

/**
 * The end of what CI prints: every failure by name, and as the last line "N passed, N failed". It comes last because the
 * beginning of a long output is what gets cut.
 */
export function summaryOf(checksFailed: readonly string[], { passed, skipped, failures }: Report) {
  const failed = checksFailed.length + failures.length;
  const lines = [
    ...(failures.length > 0 ? ['Tests that FAILED:', ...failures.flatMap(linesOf), ''] : []),
    ...checksFailed.map((check) => `FAILED: ${check}`),
    ...(skipped > 0 ? [`${skipped} skipped; each prints its reason above.`] : []),
    `${passed} passed, ${failed} failed`,
  ];
  return { text: lines.join('\n'), failed };
}

function linesOf({ file, test, error }: Failure): readonly string[] {
  const lines = error.split('\n').slice(0, LINES_OF_ERROR);
  return [`  ${file ?? ''} > ${test}`, ...lines.map((line) => `      ${line}`)];
}
