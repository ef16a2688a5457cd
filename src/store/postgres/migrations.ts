import type { PoolClient } from 'pg';
import { fail, ok, type Result } from '../../core/result.ts';
import { FIRST_VERSION, firstSchema, UNRELEASED, unfitness } from '../schema.ts';
import { LIMIT_STATEMENTS, LOCKS, type PostgresDatabase } from './database.ts';

/** Rows of a table that nobody may change or delete. */
const appendOnly = (table: string) => `
CREATE TRIGGER ${table}_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION keep_the_record();
`;

/**
 * What only PostgreSQL has of the schema of 0.1.0; see `../schema.ts`. Times of leases are TIMESTAMPTZ: the database's own
 * clock alone may judge them.
 */
export const FIRST_SCHEMA = firstSchema(
  'postgres',
  String.raw`
CREATE INDEX sends_by_template ON sends
  (substring(message from '"templateName":"((?:[^"\\]|\\.)*)"'), created_at);
ALTER TABLE sends ADD CHECK (pending >= 0), ADD CHECK (attempting >= 0);

-- Names of failures can be longer than an entry may be.
CREATE UNIQUE INDEX send_failures_by_cause ON send_failures (send_id, state, md5(failure));
CREATE UNIQUE INDEX delivery_counts_by_cause ON delivery_counts (send_id, status, md5(failure));
CREATE UNIQUE INDEX audiences_by_name ON audiences (lower(name));
CREATE INDEX audiences_unfinished ON audiences (id) WHERE digest IS NULL;

CREATE FUNCTION keep_the_record() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'the record is append-only'; END $$;
${appendOnly('send_events')}
${appendOnly('template_changes')}
${appendOnly('opt_out_removals')}

-- Replicas, and what each holds: sends and lists that it made and looks after, recipients that it attempts.
CREATE TABLE replicas (
  id TEXT COLLATE "C" PRIMARY KEY,
  lease_until TIMESTAMPTZ NOT NULL,
  void_claims INTEGER[] NOT NULL DEFAULT '{}', -- claims whose answer it did not get
  reaches_slack BOOLEAN NOT NULL DEFAULT true
);
ALTER TABLE sends ADD COLUMN owner TEXT COLLATE "C";
ALTER TABLE audiences ADD COLUMN owner TEXT COLLATE "C";
ALTER TABLE recipients ADD COLUMN claimed_by TEXT COLLATE "C", ADD COLUMN claim_number INTEGER;
ALTER TABLE input_attempts ADD COLUMN held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity';

-- Which replica does what only one is to do.
CREATE TABLE duties (name TEXT COLLATE "C" PRIMARY KEY, holder TEXT COLLATE "C" NOT NULL);
-- Replicas share this of a channel: how long to slow down, and whether its breaker is open.
CREATE TABLE channels (
  name TEXT COLLATE "C" PRIMARY KEY,
  holds INTEGER NOT NULL DEFAULT 0,
  held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
  broken BOOLEAN NOT NULL DEFAULT false,
  probe_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
  prober TEXT COLLATE "C",
  probed_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'
);
-- The cache that replicas share.
CREATE TABLE notes (
  key TEXT COLLATE "C" PRIMARY KEY,
  value TEXT,
  forget_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX notes_by_end ON notes (forget_at);
-- Locked by whoever keeps webhooks; holds nothing.
CREATE TABLE webhook_intake ();
-- Where the database stood when it was last used: see newest-copy.ts.
CREATE TABLE newest_copy (
  place TEXT NOT NULL
);
-- The file that was moved here.
CREATE TABLE arrival (
  alone BOOLEAN PRIMARY KEY DEFAULT true CHECK (alone),
  installation TEXT COLLATE "C" NOT NULL,
  source TEXT NOT NULL
);

-- Room is left on the pages of what changes, so that it is written where it stands; and the usual fifth of a table with a
-- hundred million rows would be twenty million dead ones.
ALTER TABLE recipients SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE deliveries SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE audience_rows SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- Few rows that change with every group: what is dead is swept before it slows the next one down.
ALTER TABLE sends SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE replicas SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE send_failures SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE delivery_counts SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
`,
);

/**
 * What makes the schema, applied in order and never edited after its release; `schema_versions` says which were. Each only
 * adds, because replicas of the version before go on beside those of this one.
 */
const MIGRATIONS: readonly string[] = [FIRST_SCHEMA];
const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length - 1;

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
    return ok(undefined);
  });
}

const UNFIT = {
  newer: 'was written by a newer Herald. Start that version, or name another database.',
  unreleased: `${UNRELEASED} Name an empty database, or go on with that commit.`,
} as const;

/** A statement that may take as long as it needs. */
export async function withoutHurry(client: PoolClient, text: string): Promise<void> {
  await client.query('SET statement_timeout = 0');
  const unhurried = { text, query_timeout: INDEXING_MS };
  await client.query(unhurried);
  await client.query(LIMIT_STATEMENTS);
}
