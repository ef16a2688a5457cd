import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Occasion, thisOccasion } from '../machine.ts';

/*
 * What attacks count and how long groups of tests take, as the last run that was kept wrote it: the documents take it from
 * here. A run with HERALD_FIGURES=1 is kept; any other leaves the tree as it is.
 */
const TOP = new URL('../../', import.meta.url);
const FILE = new URL('docs/figures.json', TOP);

export interface Attack {
  /** From the top of the repository. */
  readonly file: string;
  readonly test: string;
  readonly figure: string;
}

interface KeptFigures {
  /** By group of tests. */
  readonly durations: Readonly<Record<string, Occasion & { readonly seconds: number }>>;
  /** `full`: with HERALD_TRUST=full. */
  readonly attacks: readonly (Attack & { readonly on: string; readonly full: boolean })[];
}

export function keptFigures(): KeptFigures {
  return JSON.parse(readFileSync(FILE, 'utf8')) as KeptFigures;
}

/** Keeps how long a group took. */
export function keepDuration(group: string, seconds: number): void {
  change(({ durations, attacks }) => ({
    durations: { ...durations, [group]: { ...thisOccasion(), seconds } },
    attacks,
  }));
}

/** Keeps attacks in the place of all that was kept of their files. */
export function keepAttacks(attacks: readonly Attack[]): void {
  const { on } = thisOccasion();
  const full = process.env.HERALD_TRUST === 'full';
  const tried = new Set(attacks.map(({ file }) => file));
  change((kept) => ({
    durations: kept.durations,
    attacks: [
      ...kept.attacks.filter(({ file }) => !tried.has(file) && existsSync(new URL(file, TOP))),
      ...attacks.map((attack) => ({ on, full, ...attack })),
    ].toSorted((one, other) => `${one.file} ${one.test}`.localeCompare(`${other.file} ${other.test}`)),
  }));
}

function change(renew: (kept: KeptFigures) => KeptFigures): void {
  if (process.env.HERALD_FIGURES === undefined) return;
  writeFileSync(FILE, `${JSON.stringify(renew(keptFigures()), undefined, 2)}\n`);
}
