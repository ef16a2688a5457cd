import type { DatabaseSync } from 'node:sqlite';

/**
 * The schema's history, applied in order and never edited afterwards. `PRAGMA user_version` counts how many a
 * file has seen.
 *
 * Times are milliseconds since the epoch. `revision` counts the changes people are told of,
 * `announced_revision` what the channel knows. The partial index covers only recipients with something left
 * to happen, so that it shrinks as a send goes on and finding the next ones never walks over settled rows.
 */
const MIGRATIONS: readonly string[] = [
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
];

/** Brings a file to this version's schema. Returns false when a newer Herald wrote it: then nothing is touched. */
export function migrate(database: DatabaseSync): boolean {
  const current = database.prepare('PRAGMA user_version').get()?.user_version;
  const seen = typeof current === 'number' ? current : 0;
  if (seen > MIGRATIONS.length) return false;
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < seen) continue;
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
  return true;
}
