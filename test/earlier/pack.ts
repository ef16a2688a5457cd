import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, escapeLiteral } from 'pg';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { UNOBSERVED } from '../../src/store/observer.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { PACKED_DAYS } from '../year/plan.ts';
import { liveDay } from '../year/sending.ts';
import { leaveOpen, ROWS_BELOW } from './open-sends.ts';

/*
 * Writes the databases of the version that it runs in as SQL, with what some days left in them and sends that have not
 * ended: `sqlite.sql` and `postgres.sql` beside this file. It was run once, in the tree of the morning of 22 November 2026
 * with this folder and test/year in it, and is run again when a later version is to be upgraded from:
 *
 *     node test/earlier/pack.ts postgres://…an empty database…
 */
const [url = ''] = process.argv.slice(2);
const written = (name: string) => new URL(name, import.meta.url);

await packSqlite();
await packPostgres();
process.exit();

async function packSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-pack-'));
  const file = join(folder, 'herald.db');
  const opened = await openSqliteStores(file, () => {});
  if (!opened.ok) throw new Error(opened.error);
  for (let day = 0; day < PACKED_DAYS; day += 1) await liveDay(opened.value, day);
  await leaveOpen(opened.value);
  await opened.value.sends.close();
  const database = new DatabaseSync(file);
  const made = database.prepare(`SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL`).all();
  const tables = made.filter(({ type, name }) => type === 'table' && !String(name).startsWith('sqlite_'));
  const rest = made.filter(({ type }) => type !== 'table');
  const version = database.prepare('PRAGMA user_version').get();
  const rows = tables.flatMap(({ name }) => {
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all();
    const list = columns.map((column) => `"${column.name}"`).join(', ');
    const quoted = columns.map((column) => `quote("${column.name}")`).join(` || ', ' || `);
    return database
      .prepare(`SELECT ${quoted} AS row FROM "${name}"`)
      .all()
      .map(({ row }) => `INSERT INTO "${name}" (${list}) VALUES (${row})`);
  });
  const lines = [...tables.map(({ sql }) => sql), ...rows, ...rest.map(({ sql }) => sql)];
  writeFileSync(
    written('sqlite.sql'),
    `${[...lines, `PRAGMA user_version = ${version?.user_version}`].join(';\n')};\n`,
  );
  rmSync(folder, { recursive: true });
}

async function packPostgres(): Promise<void> {
  const schema = await recordingSchema(async () => {
    const logger = createRecordingLogger();
    const surroundings = { clock: systemClock, random: systemRandom, logger, observer: UNOBSERVED };
    const opened = await openPostgresStores(url, surroundings);
    if (!opened.ok) throw new Error(opened.error);
    for (let day = 0; day < PACKED_DAYS; day += 1) await liveDay(opened.value, day);
    await leaveOpen(opened.value);
    await opened.value.sends.close();
  });
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query(
    `SELECT c.relname AS name,
       string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns,
       min(a.attname) FILTER (WHERE a.attidentity <> '') AS counted
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_versions'
     GROUP BY c.oid ORDER BY c.oid`,
  );
  const lines = [];
  for (const { name, columns, counted } of tables) {
    const { rows } = await client.query(`SELECT to_json(t)::text AS row FROM ${name} t ORDER BY 1`);
    if (rows.length === 0) continue;
    const json = escapeLiteral(`[${rows.map(({ row }) => row).join(',\n')}]`);
    lines.push(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM json_populate_recordset(NULL::${name},\n${json}) ON CONFLICT DO NOTHING`,
    );
    if (counted !== null)
      lines.push(
        `SELECT setval(pg_get_serial_sequence('${name}', '${counted}'), max(${counted})) FROM ${name}`,
      );
  }
  await client.end();
  writeFileSync(written('postgres.sql'), `${[...schema, ROWS_BELOW, ...lines].join(';\n')};\n`);
}

/** Every statement that makes the schema while `work` runs, as that version says them to the database. */
async function recordingSchema(work: () => Promise<void>): Promise<readonly string[]> {
  const said: string[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [asked] = args as [string | { text: string }];
    const text = typeof asked === 'string' ? asked : asked.text;
    if (/INSERT INTO schema_versions|TABLE IF NOT EXISTS schema_versions|CREATE (UNIQUE )?INDEX/.test(text))
      if (!text.includes('pgboss')) said.push(text.replace(' CONCURRENTLY', ''));
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    Client.prototype.query = query;
  }
  return said;
}
