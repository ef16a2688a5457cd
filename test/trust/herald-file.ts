import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { E2eStack } from '../e2e/stack.ts';

type Rows = readonly Record<string, unknown>[];

/** What a question to Herald's database file is answered with, as whoever has the file might ask it. */
export function inFile(
  { dataDirectory }: Pick<E2eStack, 'dataDirectory'>,
  sql: string,
  ...given: readonly string[]
): Rows {
  const database = new DatabaseSync(join(dataDirectory, 'herald.db'), { timeout: 5_000 });
  try {
    return database.prepare(sql).all(...given);
  } finally {
    database.close();
  }
}

/** Every row of every table. */
export function tablesIn(stack: Pick<E2eStack, 'dataDirectory'>): Readonly<Record<string, Rows>> {
  const tables = inFile(stack, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  return Object.fromEntries(
    tables.map(({ name }) => [name, inFile(stack, `SELECT * FROM "${String(name)}"`)]),
  );
}
