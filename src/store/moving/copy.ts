import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Row, Runner } from '../sql.ts';
import { type MovedTable, quoted, sourceRows } from './tables.ts';

/** Rows that are in memory at once: the bodies of so many webhooks are some megabytes. */
const BATCH_ROWS = 200;

/** What a table holds, as far as a number and a digest can say. */
export interface Contents {
  readonly rows: number;
  /** 16 hexadecimal digits of the digest of all rows, in whatever order they stand. */
  readonly digest: string;
}

/** Copies one table, and yields after each batch what of it was read. */
export async function* copyTable(source: DatabaseSync, runner: Runner, table: MovedTable) {
  const digest = createDigest(table);
  let batch: Row[] = [];
  for (const row of sourceRows(source, table)) {
    digest.add(row);
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    await insert(runner, table, batch);
    batch = [];
    yield digest.contents();
  }
  await insert(runner, table, batch);
  yield digest.contents();
}

async function insert(runner: Runner, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const names = table.columns.map(({ name }) => quoted(name)).join(', ');
  const arrays = table.columns.map(({ name, type }) => `:${name}::${type}[]`).join(', ');
  await runner.change(
    `INSERT INTO ${quoted(table.name)} (${names}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays})`,
    Object.fromEntries(table.columns.map(({ name }) => [name, rows.map((row) => row[name])])),
  );
}

/** Reads a whole table back. */
export async function contentsOf(runner: Runner, table: MovedTable): Promise<Contents> {
  const digest = createDigest(table);
  const names = table.columns.map(({ name }) => quoted(name)).join(', ');
  await runner.change(`DECLARE reading NO SCROLL CURSOR FOR SELECT ${names} FROM ${quoted(table.name)}`);
  for (;;) {
    // Prepared for each table: a prepared statement keeps the columns of its rows.
    const rows = await runner.run(`FETCH ${BATCH_ROWS} FROM reading -- ${table.name}`);
    if (rows.length === 0) break;
    for (const row of rows) digest.add(row);
  }
  await runner.change('CLOSE reading');
  return digest.contents();
}

/**
 * Rows have a key and so are never equal: the exclusive or of their SHA-256 is a digest of them all that does not depend on
 * their order, which two databases need not have in common.
 */
function createDigest({ columns }: MovedTable) {
  const sum = Buffer.alloc(32);
  let rows = 0;
  return {
    add: (row: Row): void => {
      const digest = hash('sha256', JSON.stringify(columns.map(({ name }) => row[name])), 'buffer');
      for (const [place, byte] of digest.entries()) sum[place] = (sum[place] ?? 0) ^ byte;
      rows += 1;
    },
    contents: (): Contents => ({ rows, digest: sum.toString('hex').slice(0, 16) }),
  };
}
