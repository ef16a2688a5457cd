import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One line of the table: what was compared, and one figure a round. */
export interface Row {
  readonly work: string;
  /** As it stands in the table, such as `≥ 1.0`; absent for what is only counted. */
  readonly goal?: string;
  /** Ratios, unless `unit` says otherwise. */
  readonly figures: readonly number[];
  readonly unit?: string;
  /** Digits after the point; two for ratios, else none. */
  readonly digits?: number;
  /** What was measured in absolute terms, or why nothing was. */
  readonly note?: string;
}

/**
 * Measures some rows in so many rounds; what is compared takes turns, because a machine has good and bad minutes. `recipients` is how many
 * are on record where that is what is measured.
 */
export type Benchmark = (rounds: number, recipients: number) => Promise<readonly Row[]>;

/** The middle value; of an even number of values the upper middle one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The middle one, and the smallest and the largest where there are several. */
export function figureText({ figures, unit = '', digits = unit === '' ? 2 : 0 }: Row): string {
  if (figures.length === 0) return '–';
  const middle = `${median(figures).toFixed(digits)}${unit}`;
  if (figures.length === 1) return middle;
  return `${middle} (${Math.min(...figures).toFixed(digits)}–${Math.max(...figures).toFixed(digits)})`;
}

/** The ratio within each round. */
export function ratios(of: readonly number[], to: readonly number[]): readonly number[] {
  return of.map((value, round) => value / (to[round] ?? Number.NaN));
}

/** As `12,345 a second`. */
export function perSecondText(rate: number): string {
  return `${Math.round(rate).toLocaleString('en-US')} a second`;
}

/**
 * Runs one contender of `contenders/` in a process of its own, and returns what it says of itself.
 *
 * @param folder where it was built, as `NAME.js`; without, its sources are run, which takes memory that no operator's Herald takes
 */
export async function contend<Figures>(
  name: string,
  args: readonly (string | number)[],
  folder?: string,
): Promise<Figures> {
  const sources = fileURLToPath(new URL(`./contenders/${name}.ts`, import.meta.url));
  const child = fork(folder === undefined ? sources : join(folder, `${name}.js`), args.map(String));
  const exited = once(child, 'exit');
  const said = await Promise.race([once(child, 'message'), exited.then(([code]) => ({ code }))]);
  if (!Array.isArray(said)) throw new Error(`${name} ended with code ${said.code} and said nothing`);
  await exited;
  return said[0] as Figures;
}
