import type { DatabaseSync } from 'node:sqlite';
import type { Database, Row } from '../sql.ts';
import { type MovedTable, quoted, sourceRows } from './tables.ts';
import { textOf } from './verify.ts';

/** Where two tables differ, as far as the rows of the file tell. */
export interface Differences {
  /** Rows of the file that the target does not have, or has with other contents. */
  readonly count: number;
  /** Key of the first such row, for people. */
  readonly first: string | undefined;
}

const BATCH_ROWS = 1_000;

/** Keys that are somebody's phone number are not shown. */
const PRIVATE_KEYS: readonly string[] = ['number'];

/** Compares row by row; asked only when the digests of the tables do not agree. */
export async function differencesOf(
  source: DatabaseSync,
  target: Database,
  table: MovedTable,
): Promise<Differences> {
  let count = 0;
  let first: string | undefined;
  let batch: Row[] = [];

  async function compareBatch(): Promise<void> {
    const found = await sameRows(target, table, batch);
    for (const row of batch) {
      if (found.has(textOf(row, table.written))) continue;
      count += 1;
      first ??= shownKey(row, table);
    }
    batch = [];
  }

  for (const { row } of sourceRows(source, table, undefined)) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) await compareBatch();
  }
  await compareBatch();
  return { count, first };
}

/** What the target has under the keys of these rows, as text. */
async function sameRows(
  target: Database,
  table: MovedTable,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  const names = table.written.map(({ name }) => `t.${quoted(name)}`).join(', ');
  const typeOf = (wanted: string) => table.written.find(({ name }) => name === wanted)?.type;
  const arrays = table.key.map((name) => `:${name}::${typeOf(name)}[]`).join(', ');
  const key = table.key.map(quoted).join(', ');
  const found = await target.run(
    `SELECT ${names} FROM unnest(${arrays}) AS given (${key}) JOIN ${quoted(table.name)} t USING (${key})`,
    Object.fromEntries(table.key.map((name) => [name, rows.map((row) => row[name])])),
  );
  return new Set(found.map((row) => textOf(row, table.written)));
}

function shownKey(row: Row, { key }: MovedTable): string {
  return key
    .map((name) => `${name} ${PRIVATE_KEYS.includes(name) ? '(not shown)' : String(row[name])}`)
    .join(', ');
}
