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

/** A group of tests, and what came of it when the files that failed were run once more, alone. */
export interface Group {
  readonly name: string;
  readonly first: Report;
  readonly again: Report | undefined;
}

const LINES_OF_ERROR = 25;

/**
 * The end of what CI prints: every failure by name, also those that a second run did not show, and as the last line
 * "N passed, N failed". It comes last because the beginning of a long output is what gets cut.
 *
 * A file that fails is run once more with nothing beside it. Passing then, it does not fail the whole; it is listed.
 */
export function summaryOf(checksFailed: readonly string[], groups: readonly Group[]) {
  const final = groups.map(({ first, again }) => again ?? first);
  const failed = checksFailed.length + sum(final.map(({ failures }) => failures.length));
  const passed = sum(groups.map(({ first, again }) => first.passed + recovered(first, again)));
  const skipped = sum(groups.map(({ first }) => first.skipped));
  const lines = [
    ...groups.flatMap(({ name, first, again }) =>
      again === undefined
        ? []
        : listOf(`${name}: failed beside other tests, run once more alone`, first.failures),
    ),
    ...groups.flatMap(({ name, first, again }) => listOf(`${name}: FAILED`, (again ?? first).failures)),
    ...checksFailed.map((check) => `FAILED: ${check}`),
    ...(skipped > 0 ? [`${skipped} skipped; each prints its reason above.`] : []),
    `${passed} passed, ${failed} failed`,
  ];
  return { text: lines.join('\n'), failed };
}

function recovered(first: Report, again: Report | undefined): number {
  if (again === undefined) return 0;
  const fixed = first.failures.length - again.failures.length;
  return Math.max(0, Math.min(fixed, again.passed));
}

function listOf(heading: string, failures: readonly Failure[]): readonly string[] {
  if (failures.length === 0) return [];
  return [
    `${heading}:`,
    ...failures.flatMap(({ file, test, error }) => [
      `  ${file ?? ''} > ${test}`,
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
