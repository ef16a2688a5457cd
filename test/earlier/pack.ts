import { writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { startEmbedded } from '../postgres/server.ts';
import { openedStores } from '../run-command.ts';
import { leaveEverything } from './life.ts';
import { frozen, PACKED } from './packed.ts';

/*
 * Writes `0.1.0.jsonl` beside this file: the digests of the schema of 0.1.0, and the rows of a database with something in
 * every table. Until the release it is run again whenever that schema changes; from then on neither does:
 *
 *     npx node test/earlier/pack.ts
 */

/** Written by a move from a file only; and a table that is only locked. */
const EMPTY: readonly string[] = ['arrival', 'webhook_intake'];
const TABLES = `SELECT c.relname AS name,
    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
  FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_versions'
  GROUP BY c.oid ORDER BY c.oid`;

const server = await startEmbedded();
const stores = await openedStores(server.url);
await leaveEverything(stores);
await stores.sends.close();

const client = new Client({ connectionString: server.url });
await client.connect();
const lines = [JSON.stringify(frozen())];
for (const { name, columns } of (await client.query(TABLES)).rows) {
  if (EMPTY.includes(name)) continue;
  const { rows } = await client.query(
    `SELECT json_strip_nulls(to_json(t)) AS row FROM (SELECT ${columns} FROM ${name}) t ORDER BY to_json(t)::text`,
  );
  if (rows.length === 0) throw new Error(`Nothing stands in ${name}: life.ts leaves a row in every table.`);
  lines.push(...rows.map(({ row }) => JSON.stringify([name, row])));
}
writeFileSync(PACKED, `${lines.join('\n')}\n`);
await client.end();
await server.stop();
process.exit();
