import type { PoolClient } from 'pg';
import { fail, ok, type Result } from '../../core/result.ts';
import { FIRST_VERSION, UNRELEASED, unfitness } from '../schema.ts';
import type { PostgresDatabase } from './database.ts';
import { LOCKS } from './locks.ts';
import { LIMIT_STATEMENTS } from './pool.ts';
import { FIRST_SCHEMA } from './schema.ts';

/**
 * What makes the schema, applied in order and never edited after its release; `schema_versions` says which were. Each only
 * adds, because replicas of the version before go on beside those of this one. Indexes of large tables stand below.
 */
const MIGRATIONS: readonly string[] = [FIRST_SCHEMA];
const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length - 1;

/**
 * Indexes that versions after 0.1.0 bring, by name: their tables can be very large already. Built beside the work of other
 * replicas, which no transaction allows: so they stand outside the numbered migrations, and what broke off is built anew.
 */
const INDEXES: Readonly<Record<string, string>> = {};

/** The driver's own limit, which its types leave out: an index of a table with a hundred million rows takes minutes. */
const INDEXING_MS = 24 * 3_600_000;

/** Tables that were made up to this version and are not there: a dump was put back in part. */
async function lostTables(client: PoolClient, seen: number): Promise<readonly string[]> {
  const made = MIGRATIONS.slice(0, seen === 0 ? MIGRATIONS.length : seen - FIRST_VERSION + 1).join(';');
  const names = [...made.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name);
  const lost = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL';
  const { rows } = await client.query<{ name: string }>(lost, [names]);
  if (seen === 0) return rows.length === names.length ? [] : ['schema_versions'];
  return rows.map(({ name }) => name);
}

/**
 * Brings the database to this version's schema; of several replicas that start at once, one does it and the others
 * wait. Fails, before anything is touched, with the end of a sentence that begins with the database.
 */
export function migrate(database: PostgresDatabase): Promise<Result<undefined, string>> {
  return database.alone(LOCKS.migrating, async (client) => {
    await client.query('CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY)');
    const { rows } = await client.query('SELECT coalesce(max(version), 0) AS seen FROM schema_versions');
    const seen = Number(rows[0].seen);
    const unfit = unfitness(seen, SCHEMA_VERSION);
    if (unfit !== undefined) return fail(UNFIT[unfit]);
    const lost = await lostTables(client, seen);
    if (lost.length > 0)
      return fail(
        `lacks ${lost.join(', ')}: a dump was put back in part. Nothing was sent. Put the whole dump back into an empty database.`,
      );
    for (const [index, sql] of MIGRATIONS.entries()) {
      const version = FIRST_VERSION + index;
      if (version <= seen) continue;
      await withoutHurry(client, `BEGIN; ${sql}; INSERT INTO schema_versions VALUES (${version}); COMMIT`);
    }
    await buildIndexes(client);
    return ok(undefined);
  });
}

const UNFIT = {
  newer: 'was written by a newer Herald. Start that version, or name another database.',
  unreleased: `${UNRELEASED} Name an empty database, or go on with that commit.`,
} as const;

/** Builds what is missing, while others read and write. To be called by one replica at a time. */
export async function buildIndexes(client: PoolClient, indexes = INDEXES): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    const { rows } = await client.query(
      'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [name],
    );
    if (rows[0]?.indisvalid === true) continue;
    if (rows.length > 0) await withoutHurry(client, `DROP INDEX CONCURRENTLY ${name}`);
    await withoutHurry(client, `CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
  }
}

/** A statement that may take as long as it needs. */
export async function withoutHurry(client: PoolClient, text: string): Promise<void> {
  await client.query('SET statement_timeout = 0');
  const unhurried = { text, query_timeout: INDEXING_MS };
  await client.query(unhurried);
  await client.query(LIMIT_STATEMENTS);
}
