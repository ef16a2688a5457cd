import type { DatabaseSync } from 'node:sqlite';
import { storable } from '../postgres/database.ts';
import type { Database, Row } from '../sql.ts';

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
export function* sourceRows(source: DatabaseSync, { name, columns }: MovedTable): Generator<Row> {
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
