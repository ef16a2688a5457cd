import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly key: boolean;
}

/** What has one row of its own, and is not what Herald has on record. */
const ABOUT_THE_FILE: readonly string[] = ['newest_copy', 'departure', 'alert_version'];

/**
 * Puts `count` rows into every table of Herald's file, with something in every column, found in the schema itself: a
 * table that is added later is filled too.
 *
 * @returns the names of the tables
 */
export function fillEveryTable(database: DatabaseSync, count: number): readonly string[] {
  const names = database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !ABOUT_THE_FILE.includes(name));
  database.exec('PRAGMA foreign_keys = OFF; BEGIN');
  for (const name of names) {
    const columns = database
      .prepare(`SELECT name, type, pk > 0 AS key FROM pragma_table_info(?)`)
      .all(name)
      .map((column) => ({ ...column, key: column.key === 1 }) as unknown as Column);
    const references = new Map(
      database
        .prepare('SELECT "from" AS own, "to" AS other, "table" AS owner FROM pragma_foreign_key_list(?)')
        .all(name)
        .map(({ own, other, owner }) => [String(own), { name: String(other), table: String(owner) }]),
    );
    const insert = database.prepare(
      `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (let row = 1; row <= count; row += 1) {
      const values = columns.map((column) => {
        const other = references.get(column.name);
        return other === undefined
          ? contentOf(name, column, row)
          : contentOf(other.table, { ...column, name: other.name, key: true }, row);
      });
      insert.run(...values);
    }
  }
  database.exec('COMMIT; PRAGMA foreign_keys = ON');
  const broken = database.prepare('PRAGMA foreign_key_check').all();
  if (broken.length > 0) throw new Error(`Rows refer to nothing: ${JSON.stringify(broken)}`);
  return names.toSorted();
}

function contentOf(table: string, { name, type, key }: Column, row: number): SQLInputValue {
  if (type === 'INTEGER') return row;
  if (type === 'BLOB') return Uint8Array.from([0, 255, row % 256, 92, 34]);
  const text = `${table} ${name} ${row}`;
  return key ? text : `${text} "quoted", {braces}, \\, ' 🛵 \u0000 end`;
}
