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

/** A group of tests, and what came of it. */
interface Group {
  readonly name: string;
  readonly report: Report;
}

/**
 * Why a test is known to fail now and then, by its full name, until it is mended. It fails all the same; the reason spares
 * whoever reads it the search. Empty: none is known.
 */
const UNSTEADY: Readonly<Record<string, string>> = {};

const LINES_OF_ERROR = 25;

/**
 * The end of what CI prints: every failure by name, and as the last line "N passed, N failed". It comes last because the
 * beginning of a long output is what gets cut.
 */
export function summaryOf(
  checksFailed: readonly string[],
  groups: readonly Group[],
  unsteady: Readonly<Record<string, string>> = UNSTEADY,
) {
  const failed = checksFailed.length + sum(groups.map(({ report }) => report.failures.length));
  const passed = sum(groups.map(({ report }) => report.passed));
  const skipped = sum(groups.map(({ report }) => report.skipped));
  const lines = [
    ...groups.flatMap(({ name, report }) => listOf(`${name}: FAILED`, report.failures, unsteady)),
    ...checksFailed.map((check) => `FAILED: ${check}`),
    ...(skipped > 0 ? [`${skipped} skipped; each prints its reason above.`] : []),
    `${passed} passed, ${failed} failed`,
  ];
  return { text: lines.join('\n'), failed };
}

function listOf(
  heading: string,
  failures: readonly Failure[],
  unsteady: Readonly<Record<string, string>>,
): readonly string[] {
  if (failures.length === 0) return [];
  return [
    `${heading}:`,
    ...failures.flatMap(({ file, test, error }) => [
      `  ${file ?? ''} > ${test}`,
      ...(test in unsteady ? [`      Known to be unsteady: ${unsteady[test]}`] : []),
      ...error
        .split('\n')
        .slice(0, LINES_OF_ERROR)
        .map((line) => `      ${line}`),
    ]),
    '',
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
