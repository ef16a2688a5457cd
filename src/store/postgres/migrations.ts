import type { PoolClient } from 'pg';
import { fail, ok, type Result } from '../../core/result.ts';
import { FIRST_VERSION, UNRELEASED, unfitness } from '../schema.ts';
import type { PostgresDatabase } from './database.ts';
import { buildIndexes, withoutHurry } from './indexes.ts';
import { LOCKS } from './locks.ts';
import { FIRST_SCHEMA } from './schema.ts';

/**
 * What makes the schema, applied in order and never edited after its release; `schema_versions` says which were. Each only
 * adds, because replicas of the version before go on beside those of this one. Indexes stand in indexes.ts.
 */
const MIGRATIONS: readonly string[] = [FIRST_SCHEMA];
const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length - 1;

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
