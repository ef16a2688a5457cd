import type { PoolClient } from 'pg';
import { fail, ok, type Result } from '../../core/result.ts';
import { ALERT_SCHEMA } from './alert-schema.ts';
import type { PostgresDatabase } from './database.ts';
import { buildIndexes, withoutHurry } from './indexes.ts';
import { LOCKS } from './locks.ts';
import { RECORD_SCHEMA } from './record-schema.ts';

/*
 * The schema's history, applied in order and never edited afterwards, in one file however long it grows. The columns are those of the embedded
 * store, where their meaning is told; times are milliseconds since the epoch, except those of leases, which only
 * the database's own clock may judge. Texts that people wrote stand as JSON, because PostgreSQL takes no U+0000.
 *
 * `owner` is the replica that made a send or list and looks after it, `claimed_by` the one that attempts a recipient.
 *
 * Room is left on the pages of recipients and no index covers what an attempt changes, so that an attempt is written
 * where the recipient stands. Names of failures can be longer than an index entry may be: their hash stands for them.
 *
 * Longer than a file should be, because a history stays in one piece.
 *
 * `newest_copy` holds where the database stood when it was last used: see newest-copy.ts.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE replicas (
    id TEXT COLLATE "C" PRIMARY KEY,
    lease_until TIMESTAMPTZ NOT NULL,
    void_claims INTEGER[] NOT NULL DEFAULT '{}'
  );

  CREATE TABLE sends (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    team_id TEXT NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    channel_id TEXT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    recipient_count INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    request_key TEXT COLLATE "C" NOT NULL UNIQUE,
    revision INTEGER NOT NULL DEFAULT 0,
    announced_revision INTEGER NOT NULL DEFAULT 0,
    announcement_channel TEXT,
    announcement_ts TEXT,
    next_row INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
    attempting INTEGER NOT NULL DEFAULT 0 CHECK (attempting >= 0),
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    not_sent INTEGER NOT NULL DEFAULT 0,
    unknown INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    audience TEXT,
    digest TEXT,
    approvals_needed INTEGER,
    expires_at BIGINT,
    card_channel TEXT,
    card_ts TEXT,
    start_at BIGINT,
    reason TEXT,
    retry_of TEXT,
    resume_at BIGINT,
    causes_ts TEXT,
    end_told TEXT,
    owner TEXT COLLATE "C"
  ) WITH (fillfactor = 50);
  CREATE INDEX sends_by_state ON sends (state, created_at);
  CREATE INDEX sends_by_user ON sends (user_id, created_at);
  CREATE INDEX sends_by_time ON sends (created_at);
  CREATE INDEX sends_untold ON sends (created_at)
    WHERE audience IS NOT NULL AND state IN ('done', 'stopped') AND end_told IS DISTINCT FROM 'all';
  CREATE INDEX sends_unannounced ON sends (created_at) WHERE revision > announced_revision AND audience IS NULL;

  CREATE TABLE recipients (
    send_id TEXT COLLATE "C" NOT NULL,
    row INTEGER NOT NULL,
    number TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    cells TEXT,
    message_id TEXT,
    status INTEGER,
    failure TEXT,
    attempted_at BIGINT,
    settled_at BIGINT,
    claimed_by TEXT COLLATE "C",
    claim_number INTEGER,
    PRIMARY KEY (send_id, row)
  ) WITH (fillfactor = 60);
  CREATE INDEX recipients_by_number ON recipients (number);

  CREATE TABLE send_failures (
    send_id TEXT COLLATE "C" NOT NULL REFERENCES sends (id),
    state TEXT COLLATE "C" NOT NULL,
    failure TEXT COLLATE "C" NOT NULL,
    count INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX send_failures_by_cause ON send_failures (send_id, state, md5(failure));

  CREATE TABLE approvals (
    send_id TEXT COLLATE "C" NOT NULL REFERENCES sends (id),
    user_id TEXT COLLATE "C" NOT NULL,
    digest TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (send_id, user_id)
  );

  CREATE TABLE send_events (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    send_id TEXT COLLATE "C" NOT NULL REFERENCES sends (id),
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    reason TEXT
  );
  CREATE INDEX send_events_by_send ON send_events (send_id, id);
  CREATE FUNCTION keep_the_record() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the record is append-only'; END $$;
  CREATE TRIGGER send_events_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON send_events
    FOR EACH STATEMENT EXECUTE FUNCTION keep_the_record();

  CREATE TABLE audiences (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C",
    source TEXT NOT NULL,
    file_name TEXT,
    columns TEXT NOT NULL,
    number_column TEXT,
    counts TEXT,
    digest TEXT,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    owner TEXT COLLATE "C"
  );
  CREATE UNIQUE INDEX audiences_by_name ON audiences (lower(name));
  CREATE INDEX audiences_unfinished ON audiences (id) WHERE digest IS NULL;
  CREATE TABLE audience_rows (
    audience_id TEXT COLLATE "C" NOT NULL,
    row INTEGER NOT NULL,
    number TEXT NOT NULL,
    cells TEXT NOT NULL,
    PRIMARY KEY (audience_id, row)
  );
  CREATE TABLE audience_exclusions (
    audience_id TEXT COLLATE "C" NOT NULL,
    row INTEGER NOT NULL,
    value TEXT NOT NULL,
    cause TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (audience_id, row)
  );
  CREATE TABLE opt_outs (
    number TEXT COLLATE "C" PRIMARY KEY,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    source TEXT NOT NULL
  );

  CREATE TABLE templates (
    channel TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    definition TEXT NOT NULL,
    archived INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (channel, name)
  );
  CREATE TABLE webhooks (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest TEXT COLLATE "C" NOT NULL,
    received_at BIGINT NOT NULL,
    content_type TEXT,
    body BYTEA NOT NULL,
    repeats INTEGER NOT NULL DEFAULT 0,
    due_at BIGINT,
    postponed INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX webhooks_due ON webhooks (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX webhooks_by_digest ON webhooks (digest, received_at);
  CREATE TABLE webhook_intake ();
  CREATE TABLE customer_events (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook_id BIGINT NOT NULL REFERENCES webhooks (id),
    key TEXT COLLATE "C" NOT NULL UNIQUE,
    event TEXT NOT NULL,
    send_id TEXT COLLATE "C" REFERENCES sends (id),
    number TEXT COLLATE "C",
    label TEXT COLLATE "C",
    opted_out INTEGER NOT NULL,
    told_at BIGINT
  );
  CREATE INDEX customer_events_untold ON customer_events (id) WHERE told_at IS NULL;
  CREATE INDEX customer_events_by_send ON customer_events (send_id, label, number) WHERE send_id IS NOT NULL;
  CREATE TABLE reply_tallies (
    send_id TEXT COLLATE "C" NOT NULL REFERENCES sends (id),
    label TEXT COLLATE "C" NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (send_id, label)
  );
  CREATE TABLE deliveries (
    send_id TEXT COLLATE "C" NOT NULL,
    row INTEGER NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    failure TEXT,
    PRIMARY KEY (send_id, row)
  );
  CREATE TABLE delivery_counts (
    send_id TEXT COLLATE "C" NOT NULL REFERENCES sends (id),
    status TEXT COLLATE "C" NOT NULL,
    failure TEXT COLLATE "C" NOT NULL,
    count INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX delivery_counts_by_cause ON delivery_counts (send_id, status, md5(failure));

  CREATE TABLE drafts (
    owner TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    form TEXT NOT NULL,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (owner, kind, name)
  );
  CREATE TABLE template_changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    channel TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    revision INTEGER NOT NULL,
    action TEXT NOT NULL,
    source TEXT NOT NULL,
    actor TEXT NOT NULL,
    at BIGINT NOT NULL,
    definition TEXT NOT NULL,
    UNIQUE (channel, name, revision)
  );
  CREATE TRIGGER template_changes_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON template_changes
    FOR EACH STATEMENT EXECUTE FUNCTION keep_the_record();
  `,
  `
  CREATE TABLE newest_copy (
    place TEXT NOT NULL
  );
  `,
  'ALTER TABLE sends ADD COLUMN hold_told BIGINT',
  `
  CREATE TABLE arrival (
    alone BOOLEAN PRIMARY KEY DEFAULT true CHECK (alone),
    installation TEXT COLLATE "C" NOT NULL,
    attempt INTEGER NOT NULL,
    source TEXT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL
  );
  CREATE TABLE arrival_tables (
    name TEXT COLLATE "C" PRIMARY KEY,
    after TEXT,
    rows BIGINT NOT NULL DEFAULT 0,
    complete BOOLEAN NOT NULL DEFAULT false
  );

  -- An index that looked at the revision had every group of outcomes move its send in all indexes of sends.
  ALTER TABLE sends ADD COLUMN unannounced BOOLEAN
    GENERATED ALWAYS AS (CASE WHEN audience IS NULL THEN revision > announced_revision END) STORED;
  DROP INDEX sends_unannounced;
  CREATE INDEX sends_unannounced ON sends (created_at) WHERE unannounced;

  -- The usual fifth of a table with a hundred million rows would be twenty million dead ones.
  ALTER TABLE recipients SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.05);
  ALTER TABLE deliveries SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
  ALTER TABLE audience_rows SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
  -- Few rows that change with every group: what is dead is swept before it slows the next one down.
  ALTER TABLE sends SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
  ALTER TABLE replicas SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
  ALTER TABLE send_failures SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  ALTER TABLE delivery_counts SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  `,
  // Only additions: replicas of the version before go on beside those of this one.
  `
  CREATE TABLE duties (name TEXT COLLATE "C" PRIMARY KEY, holder TEXT COLLATE "C" NOT NULL);
  CREATE TABLE channels (
    name TEXT COLLATE "C" PRIMARY KEY,
    holds INTEGER NOT NULL DEFAULT 0,
    held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    broken BOOLEAN NOT NULL DEFAULT false,
    probe_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    prober TEXT COLLATE "C",
    probed_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'
  );
  CREATE TABLE notes (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT,
    forget_at TIMESTAMPTZ NOT NULL
  );
  CREATE INDEX notes_by_end ON notes (forget_at);
  ALTER TABLE sends ADD COLUMN canary_judged INTEGER NOT NULL DEFAULT 0;
  UPDATE sends SET canary_judged = 1 WHERE accepted + rejected + not_sent + unknown > 0;
  `,
  ALERT_SCHEMA,
  // False while a replica does not reach Slack.
  'ALTER TABLE replicas ADD COLUMN can_tell BOOLEAN NOT NULL DEFAULT true',
  RECORD_SCHEMA,
  `
  CREATE TABLE input_attempts (
    source TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    attempts INTEGER NOT NULL,
    set_aside_at BIGINT,
    held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (source, id)
  );
  `,
  `
  ALTER TABLE sends ADD COLUMN active_at BIGINT;
  UPDATE sends SET active_at = coalesce((SELECT max(attempted_at) FROM recipients WHERE send_id = sends.id), created_at)
    WHERE state = 'sending';
  `,
  `
  ALTER TABLE sends ADD COLUMN approval_over INTEGER;
  ALTER TABLE sends ADD COLUMN retry_group TEXT COLLATE "C";
  CREATE INDEX sends_by_original ON sends (retry_of) WHERE retry_of IS NOT NULL;
  `,
  // What the service says of a failure, in its own words: of each recipient, and of one for each cause.
  `
  ALTER TABLE recipients ADD COLUMN explanation TEXT;
  ALTER TABLE send_failures ADD COLUMN example TEXT;
  ALTER TABLE deliveries ADD COLUMN explanation TEXT;
  ALTER TABLE delivery_counts ADD COLUMN example TEXT;
  `,
  // Who wrote a webhook's body: one without an id is a repetition only while its sender wrote nothing else.
  `
  ALTER TABLE webhooks ADD COLUMN sender TEXT COLLATE "C";
  CREATE INDEX webhooks_by_sender ON webhooks (sender, id) WHERE sender IS NOT NULL;
  CREATE INDEX customer_events_by_person ON customer_events (send_id, number, id) WHERE label IS NOT NULL;
  `,
  // From which line of its record on who asked for a bulk send was not told; and the message with its report.
  `
  ALTER TABLE sends ADD COLUMN untold_from INTEGER;
  ALTER TABLE sends ADD COLUMN report_ts TEXT COLLATE "C";
  CREATE INDEX sends_untold_from ON sends (created_at) WHERE untold_from IS NOT NULL;
  `,
  // Conversations with customers: where their words stand, who closed them, and which sends answer them from there.
  `
  ALTER TABLE sends ADD COLUMN thread_ts TEXT COLLATE "C";
  ALTER TABLE customer_events ADD COLUMN asked_at BIGINT;
  ALTER TABLE customer_events ADD COLUMN closed_by TEXT COLLATE "C";
  ALTER TABLE customer_events ADD COLUMN channel_id TEXT COLLATE "C";
  ALTER TABLE customer_events ADD COLUMN thread_ts TEXT COLLATE "C";
  ALTER TABLE customer_events ADD COLUMN ts TEXT COLLATE "C";
  CREATE TABLE thread_hints (
    channel_id TEXT COLLATE "C" NOT NULL,
    thread_ts TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (channel_id, thread_ts, user_id)
  );
  `,
  'ALTER TABLE sends ADD COLUMN picture TEXT',
  // What whoever runs Herald is told of, and how many recipients nobody has decided about.
  `
  CREATE TABLE notices (
    name TEXT COLLATE "C" PRIMARY KEY,
    what TEXT NOT NULL,
    since BIGINT NOT NULL,
    over_at BIGINT,
    told INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX send_failures_unknown ON send_failures (send_id) WHERE state = 'unknown';
  `,
  // What retention removed of a send: since when anything is, up to which row its numbers are (-1: all), and its texts. Of
  // a webhook: nothing (0), its body (1), or its answers as well (2).
  `
  ALTER TABLE sends ADD COLUMN removed_at BIGINT;
  ALTER TABLE sends ADD COLUMN numbers_removed_to INTEGER;
  ALTER TABLE sends ADD COLUMN texts_removed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE webhooks ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
  `,
  // The number that was left beside what retention had removed.
  'UPDATE webhooks SET sender = NULL WHERE sender IS NOT NULL AND removed > 0',
  // A move begins from empty: nothing is gone on with.
  'DROP TABLE arrival_tables; ALTER TABLE arrival DROP COLUMN attempt; DROP INDEX IF EXISTS sends_by_announcement',
  // The outbox: one row a message that is to stand in Slack once, see sends/posts.ts.
  `
  CREATE TABLE posts (
    mark TEXT COLLATE "C" PRIMARY KEY,
    subject TEXT COLLATE "C" NOT NULL,
    channel_id TEXT NOT NULL,
    since BIGINT NOT NULL,
    wanted INTEGER NOT NULL,
    shown INTEGER NOT NULL DEFAULT 0,
    due_at BIGINT NOT NULL,
    noted_at BIGINT NOT NULL DEFAULT 0,
    rest_ms INTEGER NOT NULL DEFAULT 0,
    at_channel TEXT,
    ts TEXT,
    digest TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    refused_since BIGINT
  );
  CREATE INDEX posts_due ON posts (noted_at, due_at) WHERE wanted > shown;
  CREATE INDEX posts_of_subject ON posts (subject) WHERE wanted > shown;
  `,
];

function tablesOf(migrations: readonly string[]): readonly string[] {
  const tables = new Set<string>();
  for (const [, how, name = ''] of migrations.join(';').matchAll(/(CREATE|DROP) TABLE (\w+)/g))
    if (how === 'CREATE') tables.add(name);
    else tables.delete(name);
  return [...tables];
}

/** Tables of the first so many migrations that are not there: a dump was put back in part. */
async function lostTables(client: PoolClient, seen: number): Promise<readonly string[]> {
  const made = tablesOf(seen === 0 ? MIGRATIONS : MIGRATIONS.slice(0, seen));
  const lost = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL';
  const { rows } = await client.query<{ name: string }>(lost, [made]);
  if (seen === 0) return rows.length === made.length ? [] : ['schema_versions'];
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
    if (seen > MIGRATIONS.length)
      return fail('was written by a newer Herald. Start that version, or name another database.');
    const lost = await lostTables(client, seen);
    if (lost.length > 0)
      return fail(
        `lacks ${lost.join(', ')}: a dump was put back in part. Nothing was sent. Put the whole dump back into an empty database.`,
      );
    for (const [index, sql] of MIGRATIONS.entries()) {
      if (index < seen) continue;
      await withoutHurry(client, `BEGIN; ${sql}; INSERT INTO schema_versions VALUES (${index + 1}); COMMIT`);
    }
    await buildIndexes(client);
    return ok(undefined);
  });
}
