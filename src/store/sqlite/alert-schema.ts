/**
 * Alerts: what Slack told (`alert_events`), what rules made of it (`alerts`, one document each), and what is kept of a
 * rule. `version` goes up with every commit, which is how whoever decided on an older state is refused.
 */
export const ALERT_SCHEMA = `
  ALTER TABLE sends ADD COLUMN alert TEXT;

  CREATE TABLE alert_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE,
    channel_id TEXT NOT NULL,
    ts TEXT NOT NULL,
    event_ts TEXT NOT NULL,
    document TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    decided_at INTEGER,
    decisions TEXT
  ) STRICT;
  CREATE INDEX alert_events_undecided ON alert_events (id) WHERE decided_at IS NULL;
  CREATE INDEX alert_events_of_message ON alert_events (channel_id, ts, event_ts);
  CREATE INDEX alert_events_decided ON alert_events (decided_at) WHERE decided_at IS NOT NULL;

  CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    received_at INTEGER NOT NULL,
    open INTEGER NOT NULL,
    due_at INTEGER,
    document TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    told_revision INTEGER NOT NULL DEFAULT 0,
    telling_until INTEGER NOT NULL DEFAULT 0,
    card_channel TEXT,
    card_ts TEXT
  ) STRICT;
  CREATE INDEX alerts_received ON alerts (received_at);
  CREATE INDEX alerts_due ON alerts (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX alerts_untold ON alerts (received_at) WHERE revision > told_revision;

  CREATE TABLE alert_rules (
    rule TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE alert_version (version INTEGER NOT NULL) STRICT;
  INSERT INTO alert_version VALUES (0);

  CREATE TABLE alert_numbers (
    user_id TEXT PRIMARY KEY,
    number TEXT NOT NULL,
    at INTEGER NOT NULL,
    entered_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
