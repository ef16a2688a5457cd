import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { storable } from '../postgres/database.ts';
import type { Database, Row, Runner } from '../sql.ts';

/** A table that both databases have. */
export interface MovedTable {
  readonly name: string;
  /** The file's columns, with PostgreSQL's name of each one's type. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** What is about the file itself; the target counts its own commits of alerts. */
const STAYS: readonly string[] = ['alert_version', 'departure', 'newest_copy'];

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`;
const COLUMNS = 'SELECT name FROM pragma_table_info(?)';
const TYPES = `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`;

/**
 * Every table of the file in the order in which they were made: each after those that it refers to. Found in the schemas
 * themselves, so that a table that a later version adds is moved without being named here; throws when the target has no
 * place for one.
 */
export async function movedTables(source: DatabaseSync, target: Database): Promise<readonly MovedTable[]> {
  const types = new Map((await target.run(TYPES)).map(({ name, type }) => [name, String(type)]));
  function columnOf(table: string, name: string) {
    const type = types.get(`${table}.${name}`);
    if (type === undefined) throw new Error(`PostgreSQL has no column ${table}.${name} to move into.`);
    return { name, type };
  }
  const tables = source.prepare(TABLES).all();
  return tables
    .map(({ name }) => String(name))
    .filter((name) => !STAYS.includes(name))
    .map((table) => ({
      name: table,
      columns: source
        .prepare(COLUMNS)
        .all(table)
        .map(({ name }) => columnOf(table, String(name))),
    }));
}

/** The file's rows as PostgreSQL will give them back; one at a time, however many there are. */
function* sourceRows(source: DatabaseSync, { name, columns }: MovedTable): Generator<Row> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  for (const row of source.prepare(`SELECT ${names} FROM ${quoted(name)}`).iterate())
    yield Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asStored(value)]));
}

/** Bytes as the driver makes them, texts without what PostgreSQL cannot hold. */
function asStored(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : storable(value);
}

/** A name as SQL takes it, whatever it is; both databases quote alike. */
export function quoted(name: string): string {
  return `"${name}"`;
}

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
