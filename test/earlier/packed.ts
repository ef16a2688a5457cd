import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Client } from 'pg';
import { FIRST_SCHEMA as SERVER_SCHEMA } from '../../src/store/postgres/migrations.ts';
import { FIRST_VERSION } from '../../src/store/schema.ts';
import { FIRST_SCHEMA as FILE_SCHEMA } from '../../src/store/sqlite/migrations.ts';

/** A packed row by its columns; those that are null are left out. */
type PackedRow = Readonly<Record<string, string | number | boolean>>;

export const PACKED = new URL('0.1.0.jsonl', import.meta.url);

/** What stands in the first line: the schema that the rows are of, which never changes. */
export const frozen = () => ({
  version: FIRST_VERSION,
  sqlite: hash('sha256', FILE_SCHEMA),
  postgres: hash('sha256', SERVER_SCHEMA),
});

export function read() {
  const [first = '', ...rows] = readFileSync(PACKED, 'utf8').trim().split('\n');
  return {
    frozen: JSON.parse(first) as ReturnType<typeof frozen>,
    rows: rows.map((line) => JSON.parse(line) as readonly [string, PackedRow]),
  };
}

/** A file as 0.1.0 has left it. */
export function unpackFile(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`${FILE_SCHEMA}; PRAGMA user_version = ${FIRST_VERSION}; DELETE FROM alert_version`);
  const columnsOf = database.prepare('SELECT name, type FROM pragma_table_info(?)');
  for (const [table, row] of read().rows) {
    const columns = columnsOf.all(table).filter(({ name }) => String(name) in row);
    // Of another database than a file.
    if (columns.length === 0 || table === 'newest_copy') continue;
    const values = columns.map(({ name, type }): SQLInputValue => {
      const value = row[String(name)] as SQLInputValue;
      return type === 'BLOB' ? Buffer.from(String(value).slice('\\x'.length), 'hex') : value;
    });
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    database
      .prepare(`INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...values);
  }
  database.close();
}

/** A PostgreSQL database as 0.1.0 has left it. */
export async function unpackServer(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE schema_versions (version INTEGER PRIMARY KEY); ${SERVER_SCHEMA};
    INSERT INTO schema_versions VALUES (${FIRST_VERSION})`);
  await client.end();
  await fillServer(url);
}

/** Writes the packed rows as 0.1.0 does, which names the columns that it knows. */
export async function fillServer(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('DELETE FROM alert_version; DELETE FROM newest_copy');
  const { rows } = read();
  for (const [table, row] of rows) {
    const columns = Object.keys(row)
      .map((name) => `"${name}"`)
      .join(', ');
    await client.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM json_populate_record(NULL::${table}, $1)`,
      [JSON.stringify(row)],
    );
  }
  for (const table of new Set(rows.map(([name]) => name)))
    await client.query(
      `SELECT setval(sequence, (SELECT max((to_json(t) ->> 'id')::bigint) FROM ${table} t))
       FROM pg_get_serial_sequence('${table}', (SELECT attname FROM pg_attribute
         WHERE attrelid = '${table}'::regclass AND attidentity <> '')) AS sequence WHERE sequence IS NOT NULL`,
    );
  await client.end();
}
