import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Database, Row, Runner } from '../sql.ts';
import { type MovedTable, quoted, sourceRows } from './tables.ts';

/** What a table holds, as far as a number and a digest can say. */
export interface Contents {
  readonly rows: number;
  /** 16 hexadecimal digits of the digest of all rows, in whatever order they stand. */
  readonly digest: string;
}

export interface Comparison {
  readonly source: Contents;
  readonly target: Contents;
}

/** How much is fetched at once; the number of rows, a power of two, follows from how long they are. */
const FETCH_CHARACTERS = 4_000_000;
const FIRST_FETCH = 128;
const MOST_ROWS = 4_096;

/** Reads a whole table in both databases. */
export async function compareTable(
  source: DatabaseSync,
  target: Database,
  table: MovedTable,
): Promise<Comparison> {
  const [there, here] = [createDigest(table), createDigest(table)];
  for (const { row } of sourceRows(source, table, undefined)) there.add(row);
  await target.transaction((runner) => readAll(runner, table, (row) => here.add(row)));
  return { source: there.contents(), target: here.contents() };
}

export function agree({ source, target }: Comparison): boolean {
  return source.rows === target.rows && source.digest === target.digest;
}

/**
 * Rows have a key and so are never equal: the exclusive or of their SHA-256 is a digest of them all that does not depend on
 * their order, which two databases need not have in common.
 */
function createDigest({ written }: MovedTable) {
  const sum = Buffer.alloc(32);
  let rows = 0;
  return {
    /** Returns how long the row is, in characters. */
    add: (row: Row): number => {
      const text = textOf(row, written);
      const digest = hash('sha256', text, 'buffer');
      for (let place = 0; place < sum.length; place += 4)
        sum.writeInt32LE(sum.readInt32LE(place) ^ digest.readInt32LE(place), place);
      rows += 1;
      return text.length;
    },
    contents: (): Contents => ({ rows, digest: sum.toString('hex').slice(0, 16) }),
  };
}

/** One row as text, the same for both databases. */
export function textOf(row: Row, columns: MovedTable['written']): string {
  return JSON.stringify(
    columns.map(({ name }) => {
      const value = row[name];
      return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
    }),
  );
}

async function readAll(runner: Runner, table: MovedTable, each: (row: Row) => number): Promise<void> {
  const names = table.written.map(({ name }) => quoted(name)).join(', ');
  await runner.change(`DECLARE reading NO SCROLL CURSOR FOR SELECT ${names} FROM ${quoted(table.name)}`);
  for (let count = FIRST_FETCH; ; ) {
    // Prepared for each table: a prepared statement keeps the columns of its rows.
    const rows = await runner.run(`FETCH ${count} FROM reading -- ${table.name}`);
    if (rows.length === 0) return;
    const characters = rows.reduce((sum, row) => sum + each(row), 0);
    const fitting = Math.log2((rows.length * FETCH_CHARACTERS) / characters);
    count = Math.min(MOST_ROWS, 2 ** Math.max(0, Math.floor(fitting)));
  }
}
