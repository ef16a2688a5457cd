import type { DatabaseSync } from 'node:sqlite';
import type { Database, Row, Runner } from '../sql.ts';
import { type Key, type MovedTable, quoted, sourceRows } from './tables.ts';

/** A batch ends at so many rows or so many characters, whichever comes first: memory does not grow with the file. */
const BATCH_ROWS = 5_000;
const BATCH_CHARACTERS = 4_000_000;

/** How far one table has got. */
interface Progress {
  readonly after: Key | undefined;
  readonly rows: number;
  readonly complete: boolean;
}

const FIND_PROGRESS = 'SELECT after, rows, complete FROM arrival_tables WHERE name = :name';
const BEGIN_TABLE = 'INSERT INTO arrival_tables (name) VALUES (:name) ON CONFLICT DO NOTHING';
// What somebody else has moved meanwhile is not moved again: then nothing is updated.
const ADVANCE = `UPDATE arrival_tables SET after = coalesce(:after, after), rows = rows + :rows, complete = :complete
   WHERE name = :name AND rows = :before AND NOT complete`;
/** The rows and how far they reach are written together: after a crash of the server both are there or neither. */
const NOT_WAITING = 'SET LOCAL synchronous_commit = off';

export interface Copying {
  readonly source: DatabaseSync;
  readonly target: Database;
  readonly table: MovedTable;
  readonly stopping: AbortSignal;
  /** Called after each batch with how many rows of the table have been moved. */
  progressed(rows: number): void;
}

/**
 * Moves what is left of one table, in batches that are each one transaction with the place that was reached.
 *
 * @returns how many rows the table has in the target, or undefined when it was stopped before the end
 */
export async function copyTable(copying: Copying): Promise<number | undefined> {
  const { source, target, table, stopping } = copying;
  const progress = await progressOf(target, table.name);
  let { rows } = progress;
  if (progress.complete) return rows;
  for (const batch of batches(source, table, progress.after)) {
    await target.transaction(async (runner) => {
      await runner.change(NOT_WAITING);
      await insert(runner, table, batch.rows);
      await note(runner, table, rows, { after: batch.last, rows: batch.rows.length, complete: false });
    });
    rows += batch.rows.length;
    copying.progressed(rows);
    if (stopping.aborted) return undefined;
  }
  await note(target, table, rows, { after: undefined, rows: 0, complete: true });
  return rows;
}

async function progressOf(target: Database, name: string): Promise<Progress> {
  await target.change(BEGIN_TABLE, { name });
  const [found] = await target.run<{ after: string | null; rows: number; complete: boolean }>(FIND_PROGRESS, {
    name,
  });
  if (found === undefined) throw new Error(`The progress of ${name} is gone.`);
  const { after, rows, complete } = found;
  return { after: after === null ? undefined : (JSON.parse(after) as Key), rows, complete };
}

async function note(runner: Runner, { name }: MovedTable, before: number, reached: Progress): Promise<void> {
  const after = reached.after && JSON.stringify(reached.after);
  const noted = await runner.change(ADVANCE, { ...reached, name, before, after });
  if (noted === 0) throw new Error(`Another process moves the table ${name} at the same time.`);
}

function* batches(source: DatabaseSync, table: MovedTable, after: Key | undefined) {
  let rows: Row[] = [];
  let characters = 0;
  let last: Key | undefined;
  for (const { key, row } of sourceRows(source, table, after)) {
    rows.push(row);
    last = key;
    for (const value of Object.values(row)) characters += lengthOf(value);
    if (rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield { rows, last };
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield { rows, last };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}

async function insert(runner: Runner, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const names = table.written.map(({ name }) => quoted(name)).join(', ');
  const arrays = table.written.map(({ name, type }) => `:${name}::${type}[]`).join(', ');
  const own = table.numbered === undefined ? '' : 'OVERRIDING SYSTEM VALUE';
  await runner.change(
    `INSERT INTO ${quoted(table.name)} (${names}) ${own} SELECT * FROM unnest(${arrays})`,
    Object.fromEntries(table.written.map(({ name }) => [name, rows.map((row) => row[name])])),
  );
}
