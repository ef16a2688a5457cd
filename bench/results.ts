import { readFileSync, writeFileSync } from 'node:fs';
import { type Occasion, thisOccasion } from '../scripts/machine.ts';
import type { Row } from './row.ts';

/*
 * What was measured last of everything: `results.json`, from which `npm run documents` takes each measured figure that a
 * document has.
 */
const FILE = new URL('./results.json', import.meta.url);

// The work of rows that a document speaks of.
export const ONE_REPLICA = 'one replica on PostgreSQL / the embedded store';
export const THREE_REPLICAS = 'three replicas / one, a service that takes 100 ms';
export const LOG_BYTES = 'PostgreSQL’s log (WAL) for each recipient';
export const TRANSACTIONS = 'PostgreSQL’s transactions for each recipient';

/** A row as it was measured last. */
export interface Result extends Row, Occasion {
  readonly rounds: number;
  /** Processes that others had running or waiting when it began, over a minute. */
  readonly load: number;
}

/** Bytes for each recipient in a PostgreSQL table whose pages are filled to `filledTo` percent. */
interface Pages {
  readonly filledTo: number;
  readonly before: number;
  readonly after: number;
  readonly log: number;
  /** Percent of the changes of recipients that were written where the row stands. */
  readonly inPlace: number;
}

/** What `node bench/storage.ts` measured last. */
export interface Storage extends Occasion {
  readonly recipients: number;
  readonly pages: readonly Pages[];
  /** Bytes of a row, indexes included, by table. */
  readonly rows: Readonly<Record<string, number>>;
}

interface Results {
  readonly rows: readonly Result[];
  readonly storage: Storage;
}

export function lastResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results;
}

/** Keeps rows in the place of what was measured of the same work before; what could not be measured leaves that. */
export function keepRows(rows: readonly Row[], { rounds, load }: Pick<Result, 'rounds' | 'load'>): void {
  const results = lastResults();
  const measured = rows
    .filter(({ figures }) => figures.length > 0)
    .map((row) => ({ ...row, figures: row.figures.map(rounded), ...thisOccasion(), rounds, load }));
  const known = new Map(results.rows.map((row) => [row.work, row]));
  for (const row of measured) known.set(row.work, row);
  write({ ...results, rows: [...known.values()] });
}

export function keepStorage(storage: Omit<Storage, keyof Occasion>): void {
  write({ ...lastResults(), storage: { ...thisOccasion(), ...storage } });
}

function rounded(figure: number): number {
  return Number(figure.toPrecision(4));
}

function write(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, undefined, 2)}\n`);
}
