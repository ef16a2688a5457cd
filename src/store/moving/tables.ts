import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { storable } from '../postgres/database.ts';
import type { Database, Row } from '../sql.ts';

/** One table as it is moved. */
export interface MovedTable {
  readonly name: string;
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Columns that the file has. */
  readonly read: readonly string[];
  /** Columns that are written, with PostgreSQL's name of each one's type. */
  readonly written: readonly { readonly name: string; readonly type: string }[];
  /** The column that PostgreSQL would number by itself. */
  readonly numbered?: string;
  /** What the target holds for a row of the file. */
  convert(row: Row): Row;
}

/** The replica that has claimed what the moved installation was attempting. It is dead, so its work is taken over. */
export const MOVED_REPLICA = 'R-MOVED';

/** Where the two databases say the same thing differently; columns that are added are the target's alone. */
const CONVERSIONS: Readonly<
  Record<string, { readonly added?: readonly string[]; convert(row: Row): Row } | undefined>
> = {
  // What people wrote may hold U+0000, which PostgreSQL takes within JSON only.
  audience_exclusions: {
    convert: (row) => ({ ...row, value: JSON.stringify(row.value), reason: JSON.stringify(row.reason) }),
  },
  recipients: {
    added: ['claimed_by'],
    convert: (row) => ({ ...row, claimed_by: row.state === 'attempting' ? MOVED_REPLICA : null }),
  },
};

/** What is about the file itself; the target counts its own commits of alerts. */
const STAYS: readonly string[] = ['alert_version', 'departure', 'log_identity', 'newest_copy'];

interface TargetColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly numbered: boolean;
}

const TARGET_COLUMNS = `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attidentity <> '' AS numbered
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`;

/**
 * Every table of the file, each after those that it refers to. Found in the schemas themselves, so that a table that
 * a later version adds is moved without being named here; throws when the target has no place for one.
 */
export async function movedTables(source: DatabaseSync, target: Database): Promise<readonly MovedTable[]> {
  const columns = await target.run<TargetColumn>(TARGET_COLUMNS);
  const names = source
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !STAYS.includes(name));
  return inOrder(source, names).map((name) =>
    movedTable(
      source,
      name,
      columns.filter(({ table }) => table === name),
    ),
  );
}

function movedTable(source: DatabaseSync, name: string, columns: readonly TargetColumn[]): MovedTable {
  const { added = [], convert } = CONVERSIONS[name] ?? { convert: (row: Row) => row };
  const found = source.prepare('SELECT name, pk FROM pragma_table_info(?)').all(name);
  const read = found.map((column) => String(column.name));
  const key = found
    .filter(({ pk }) => Number(pk) > 0)
    .toSorted((one, other) => Number(one.pk) - Number(other.pk))
    .map((column) => String(column.name));
  const written = [...read, ...added].map((wanted) => {
    const column = columns.find((one) => one.name === wanted);
    if (column === undefined) throw new Error(`PostgreSQL has no column ${name}.${wanted} to move into.`);
    return { name: wanted, type: column.type };
  });
  const numbered = columns.find((one) => one.numbered)?.name;
  return { name, key, read, written, convert, ...(numbered !== undefined && { numbered }) };
}

function inOrder(source: DatabaseSync, names: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  function add(name: string): void {
    if (ordered.includes(name)) return;
    const referred = source.prepare('SELECT "table" AS name FROM pragma_foreign_key_list(?)').all(name);
    for (const other of referred) if (other.name !== name) add(String(other.name));
    ordered.push(name);
  }
  for (const name of names) add(name);
  return ordered;
}

/** Where in a table reading goes on: the key of the last row that was read. */
export type Key = readonly SQLInputValue[];

/** The file's rows after `after`, converted, in the order of the key; one at a time, however many there are. */
export function* sourceRows(
  source: DatabaseSync,
  table: MovedTable,
  after: Key | undefined,
): Generator<{ readonly key: Key; readonly row: Row }> {
  const key = table.key.map(quoted).join(', ');
  const behind = after === undefined ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`;
  const rows = source
    .prepare(
      `SELECT ${table.read.map(quoted).join(', ')} FROM ${quoted(table.name)} ${behind} ORDER BY ${key}`,
    )
    .iterate(...(after ?? []));
  for (const row of rows) {
    const key = table.key.map((name) => row[name] as SQLInputValue);
    yield { key, row: asStored(table.convert(row)) };
  }
}

/** What PostgreSQL will give back: bytes as the driver makes them, texts without what it cannot hold. */
function asStored(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value) : storable(value),
    ]),
  );
}

/** A name as SQL takes it, whatever it is; both databases quote alike. */
export function quoted(name: string): string {
  return `"${name}"`;
}
