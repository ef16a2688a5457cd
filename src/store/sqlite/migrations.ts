import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ALERT_SCHEMA } from './alert-schema.ts';
import { RECORD_SCHEMA } from './record-schema.ts';

/**
 * The schema's history, applied in order and never edited afterwards, in one file however long it grows. `PRAGMA user_version` counts how many a
 * file has seen.
 *
 * Times are milliseconds since the epoch. `revision` counts the changes people are told of,
 * `announced_revision` what the channel knows.
 *
 * A send counts its recipients by state in its own row, and failures by cause in `send_failures`: progress is
 * read every second, and must not walk over a million recipients. `next_row` is where the next claim begins; no
 * index on the state is kept, because every attempt would have to move its entry twice.
 *
 * `newest_copy` tells copies of the database apart: its position moves on with whatever an older copy must not take
 * for undone (see newest-copy.ts).
 *
 * Longer than a file should be, because a history stays in one piece.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sends (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    team_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    state TEXT NOT NULL,
    recipient_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    request_key TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL DEFAULT 0,
    announced_revision INTEGER NOT NULL DEFAULT 0,
    announcement_channel TEXT,
    announcement_ts TEXT
  ) STRICT;
  CREATE INDEX sends_by_state ON sends (state, created_at);
  CREATE INDEX sends_unannounced ON sends (created_at) WHERE revision > announced_revision;

  CREATE TABLE recipients (
    send_id TEXT NOT NULL REFERENCES sends (id),
    row INTEGER NOT NULL,
    number TEXT NOT NULL,
    state TEXT NOT NULL,
    message_id TEXT,
    status INTEGER,
    failure TEXT,
    attempted_at INTEGER,
    settled_at INTEGER,
    PRIMARY KEY (send_id, row)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recipients_open ON recipients (send_id, state, row) WHERE state IN ('pending', 'attempting');
  CREATE INDEX recipients_settled ON recipients (settled_at) WHERE settled_at IS NOT NULL;

  CREATE TABLE send_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    send_id TEXT NOT NULL REFERENCES sends (id),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL
  ) STRICT;
  CREATE INDEX send_events_by_send ON send_events (send_id, id);
  CREATE TRIGGER send_events_keep BEFORE UPDATE ON send_events
    BEGIN SELECT RAISE(ABORT, 'the record of sends is append-only'); END;
  CREATE TRIGGER send_events_stay BEFORE DELETE ON send_events
    BEGIN SELECT RAISE(ABORT, 'the record of sends is append-only'); END;
  `,
  `
  DROP INDEX recipients_open;
  DROP INDEX recipients_settled;
  ALTER TABLE recipients ADD COLUMN cells TEXT;

  ALTER TABLE sends ADD COLUMN next_row INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN attempting INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN rejected INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN not_sent INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN unknown INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sends ADD COLUMN audience TEXT;
  ALTER TABLE sends ADD COLUMN digest TEXT;
  ALTER TABLE sends ADD COLUMN approvals_needed INTEGER;
  ALTER TABLE sends ADD COLUMN expires_at INTEGER;
  ALTER TABLE sends ADD COLUMN card_channel TEXT;
  ALTER TABLE sends ADD COLUMN card_ts TEXT;
  ALTER TABLE sends ADD COLUMN start_at INTEGER;
  ALTER TABLE sends ADD COLUMN reason TEXT;
  ALTER TABLE sends ADD COLUMN retry_of TEXT;
  UPDATE sends SET
    pending = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'pending'),
    attempting = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'attempting'),
    accepted = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'accepted'),
    rejected = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'rejected'),
    not_sent = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'not_sent'),
    unknown = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'unknown'),
    skipped = (SELECT count(*) FROM recipients WHERE send_id = sends.id AND state = 'skipped');
  CREATE INDEX sends_by_user ON sends (user_id, created_at);
  CREATE INDEX sends_by_time ON sends (created_at);
  DROP INDEX sends_unannounced;
  CREATE INDEX sends_unannounced ON sends (created_at) WHERE revision > announced_revision AND audience IS NULL;

  CREATE TABLE send_failures (
    send_id TEXT NOT NULL REFERENCES sends (id),
    state TEXT NOT NULL,
    failure TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (send_id, state, failure)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE approvals (
    send_id TEXT NOT NULL REFERENCES sends (id),
    user_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (send_id, user_id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE send_events ADD COLUMN reason TEXT;
  `,
  `
  CREATE TABLE audiences (
    id TEXT PRIMARY KEY,
    name TEXT COLLATE NOCASE UNIQUE,
    source TEXT NOT NULL,
    file_name TEXT,
    columns TEXT NOT NULL,
    number_column TEXT,
    counts TEXT,
    digest TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE audience_rows (
    audience_id TEXT NOT NULL,
    row INTEGER NOT NULL,
    number TEXT NOT NULL,
    cells TEXT NOT NULL,
    PRIMARY KEY (audience_id, row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audience_exclusions (
    audience_id TEXT NOT NULL,
    row INTEGER NOT NULL,
    value TEXT NOT NULL,
    cause TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (audience_id, row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE opt_outs (
    number TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    source TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE sends ADD COLUMN resume_at INTEGER;
  ALTER TABLE sends ADD COLUMN causes_ts TEXT;
  ALTER TABLE sends ADD COLUMN end_told TEXT;
  UPDATE sends SET end_told = 'all' WHERE state IN ('done', 'stopped');
  CREATE INDEX sends_untold ON sends (created_at)
    WHERE audience IS NOT NULL AND state IN ('done', 'stopped') AND end_told IS NOT 'all';
  `,
  `
  CREATE TABLE templates (
    channel TEXT NOT NULL,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    archived INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (channel, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE template_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel TEXT NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    action TEXT NOT NULL,
    source TEXT NOT NULL,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL,
    definition TEXT NOT NULL,
    UNIQUE (channel, name, revision)
  ) STRICT;
  CREATE TRIGGER template_changes_keep BEFORE UPDATE ON template_changes
    BEGIN SELECT RAISE(ABORT, 'the history of templates is append-only'); END;
  CREATE TRIGGER template_changes_stay BEFORE DELETE ON template_changes
    BEGIN SELECT RAISE(ABORT, 'the history of templates is append-only'); END;
  `,
  `
  CREATE TABLE drafts (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    form TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (owner, kind, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    content_type TEXT,
    body BLOB NOT NULL,
    repeats INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    postponed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX webhooks_due ON webhooks (due_at, id) WHERE due_at IS NOT NULL;
  CREATE INDEX webhooks_by_digest ON webhooks (digest, received_at);

  CREATE TABLE customer_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id INTEGER NOT NULL REFERENCES webhooks (id),
    key TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    send_id TEXT REFERENCES sends (id),
    number TEXT,
    label TEXT,
    opted_out INTEGER NOT NULL,
    told_at INTEGER
  ) STRICT;
  CREATE INDEX customer_events_untold ON customer_events (id) WHERE told_at IS NULL;
  CREATE INDEX customer_events_by_send ON customer_events (send_id, label, number) WHERE send_id IS NOT NULL;
  CREATE TABLE reply_tallies (
    send_id TEXT NOT NULL REFERENCES sends (id),
    label TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (send_id, label)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE deliveries (
    send_id TEXT NOT NULL REFERENCES sends (id),
    row INTEGER NOT NULL,
    status TEXT NOT NULL,
    at INTEGER NOT NULL,
    failure TEXT,
    PRIMARY KEY (send_id, row)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE delivery_counts (
    send_id TEXT NOT NULL REFERENCES sends (id),
    status TEXT NOT NULL,
    failure TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (send_id, status, failure)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE newest_copy (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    generation TEXT NOT NULL,
    position INTEGER NOT NULL,
    marked INTEGER NOT NULL
  ) STRICT;
  INSERT INTO newest_copy VALUES (1, lower(hex(randomblob(16))), (SELECT count(*) FROM send_events), 0);
  CREATE TRIGGER record_moves_on AFTER INSERT ON send_events
    BEGIN UPDATE newest_copy SET position = position + 1; END;
  CREATE TRIGGER claims_move_on AFTER UPDATE OF attempting ON sends WHEN NEW.attempting > OLD.attempting
    BEGIN UPDATE newest_copy SET position = position + 1; END;
  CREATE TRIGGER opt_outs_move_on AFTER INSERT ON opt_outs
    BEGIN UPDATE newest_copy SET position = position + 1; END;
  `,
  'ALTER TABLE sends ADD COLUMN hold_told INTEGER',
  `
  ALTER TABLE sends ADD COLUMN canary_judged INTEGER NOT NULL DEFAULT 0;
  UPDATE sends SET canary_judged = 1 WHERE accepted + rejected + not_sent + unknown > 0;
  `,
  ALERT_SCHEMA,
  RECORD_SCHEMA,
  `
  CREATE TABLE input_attempts (
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    set_aside_at INTEGER,
    PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  `,
  // Numbers are written when a list is prepared, message ids with the outcomes: claims touch neither index.
  `
  DROP INDEX IF EXISTS recipients_by_number;
  CREATE INDEX IF NOT EXISTS recipients_of_number ON recipients (number);
  CREATE INDEX IF NOT EXISTS recipients_by_message ON recipients (message_id) WHERE message_id IS NOT NULL;

  ALTER TABLE sends ADD COLUMN active_at INTEGER;
  UPDATE sends SET active_at = coalesce((SELECT max(attempted_at) FROM recipients WHERE send_id = sends.id), created_at)
    WHERE state = 'sending';
  `,
  `
  CREATE TABLE log_identity (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    follows TEXT NOT NULL,
    id TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE sends ADD COLUMN approval_over INTEGER;
  ALTER TABLE sends ADD COLUMN retry_group TEXT;
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
  ALTER TABLE webhooks ADD COLUMN sender TEXT;
  CREATE INDEX webhooks_by_sender ON webhooks (sender) WHERE sender IS NOT NULL;
  CREATE INDEX customer_events_by_person ON customer_events (send_id, number) WHERE label IS NOT NULL;
  `,
  'CREATE INDEX sends_by_announcement ON sends (announcement_ts) WHERE audience IS NULL',
  // For whoever looks for what was sent with a template, and for what a number answered.
  `
  CREATE INDEX sends_by_template ON sends
    (CASE WHEN json_valid(message) THEN json_extract(message, '$.templateName') END, created_at);
  CREATE INDEX customer_events_by_number ON customer_events (number, id) WHERE number IS NOT NULL;
  `,
  // From which line of its record on who asked for a bulk send was not told; and the message with its report.
  `
  ALTER TABLE sends ADD COLUMN untold_from INTEGER;
  ALTER TABLE sends ADD COLUMN report_ts TEXT;
  CREATE INDEX sends_untold_from ON sends (created_at) WHERE untold_from IS NOT NULL;
  `,
  'CREATE INDEX sends_to_many ON sends (created_at) WHERE audience IS NOT NULL',
  // Conversations with customers: where their words stand, who closed them, and which sends answer them from there.
  `
  ALTER TABLE sends ADD COLUMN thread_ts TEXT;
  CREATE INDEX sends_by_thread ON sends (thread_ts) WHERE thread_ts IS NOT NULL;
  ALTER TABLE customer_events ADD COLUMN asked_at INTEGER;
  ALTER TABLE customer_events ADD COLUMN closed_by TEXT;
  ALTER TABLE customer_events ADD COLUMN channel_id TEXT;
  ALTER TABLE customer_events ADD COLUMN thread_ts TEXT;
  ALTER TABLE customer_events ADD COLUMN ts TEXT;
  CREATE INDEX customer_events_asked ON customer_events (asked_at) WHERE asked_at IS NOT NULL AND closed_by IS NULL;
  CREATE INDEX customer_events_by_thread ON customer_events (thread_ts, number) WHERE thread_ts IS NOT NULL;
  CREATE TABLE thread_hints (
    channel_id TEXT NOT NULL,
    thread_ts TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (channel_id, thread_ts, user_id)
  ) STRICT, WITHOUT ROWID;
  `,
  'ALTER TABLE sends ADD COLUMN picture TEXT',
  // What whoever runs Herald is told of, and how many recipients nobody has decided about.
  `
  CREATE TABLE notices (
    name TEXT PRIMARY KEY,
    what TEXT NOT NULL,
    since INTEGER NOT NULL,
    over_at INTEGER,
    told INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX send_failures_unknown ON send_failures (send_id) WHERE state = 'unknown';
  `,
  // What retention removed of a send: since when anything is, up to which row its numbers are (-1: all), and its texts. Of
  // a webhook: nothing (0), its body (1), or its answers as well (2).
  `
  ALTER TABLE sends ADD COLUMN removed_at INTEGER;
  ALTER TABLE sends ADD COLUMN numbers_removed_to INTEGER;
  ALTER TABLE sends ADD COLUMN texts_removed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX sends_with_numbers ON sends (created_at) WHERE numbers_removed_to IS NULL;
  CREATE INDEX sends_half_removed ON sends (id) WHERE numbers_removed_to >= 0;
  CREATE INDEX sends_with_texts ON sends (created_at) WHERE texts_removed = 0;
  ALTER TABLE webhooks ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX webhooks_whole ON webhooks (received_at) WHERE removed = 0;
  CREATE INDEX webhooks_kept ON webhooks (received_at) WHERE removed < 2;
  CREATE INDEX customer_events_by_webhook ON customer_events (webhook_id);
  `,
  // As in PostgreSQL, which takes U+0000 within JSON only.
  'DROP INDEX sends_by_announcement',
  'UPDATE audience_exclusions SET value = json_quote(value), reason = json_quote(reason); DROP TABLE log_identity',
  // The number that was left beside what retention had removed.
  'UPDATE webhooks SET sender = NULL WHERE sender IS NOT NULL AND removed > 0',
  // The outbox: one row a message that is to stand in Slack once, see sends/posts.ts.
  `
  CREATE TABLE posts (
    mark TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    since INTEGER NOT NULL,
    wanted INTEGER NOT NULL,
    shown INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    noted_at INTEGER NOT NULL DEFAULT 0,
    rest_ms INTEGER NOT NULL DEFAULT 0,
    at_channel TEXT,
    ts TEXT,
    digest TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    refused_since INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX posts_due ON posts (noted_at, due_at) WHERE wanted > shown;
  CREATE INDEX posts_of_subject ON posts (subject) WHERE wanted > shown;
  `,
];

/** How many of them this version knows. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings a file to this version's schema. Returns false when a newer Herald wrote it: then nothing is touched. */
export function migrate(database: DatabaseSync): boolean {
  const seen = schemaVersionOf(database);
  if (seen > MIGRATIONS.length) return false;
  if (seen === MIGRATIONS.length) return true;
  sortInFiles(database);
  // All or nothing: what was copied before is what the version before left, however often this is begun.
  const missing = MIGRATIONS.slice(seen).join(';\n');
  database.exec(`BEGIN IMMEDIATE; ${missing}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  database.exec(`PRAGMA temp_store = MEMORY; PRAGMA temp_store_directory = ''`);
  return true;
}

/** In memory the index over ten million recipients took 840 MB; beside the database there is room, and the right to write. */
function sortInFiles(database: DatabaseSync): void {
  const file = database.location();
  if (file === null) return;
  database.exec(
    `PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'`,
  );
}

/** How many migrations the file has seen. */
export function schemaVersionOf(database: DatabaseSync): number {
  const current = database.prepare('PRAGMA user_version').get()?.user_version;
  return typeof current === 'number' ? current : 0;
}

/** False also for a table that a later version brings than the one that wrote the file. */
export function hasTable(database: DatabaseSync, name: string): boolean {
  const find = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`);
  return find.get(name) !== undefined;
}
