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
  , next_row INTEGER NOT NULL DEFAULT 0, pending INTEGER NOT NULL DEFAULT 0, attempting INTEGER NOT NULL DEFAULT 0, accepted INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0, not_sent INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0, audience TEXT, digest TEXT, approvals_needed INTEGER, expires_at INTEGER, card_channel TEXT, card_ts TEXT, start_at INTEGER, reason TEXT, retry_of TEXT, resume_at INTEGER, causes_ts TEXT, end_told TEXT, hold_told INTEGER, canary_judged INTEGER NOT NULL DEFAULT 0, alert TEXT, template TEXT, survey TEXT, active_at INTEGER, approval_over INTEGER, retry_group TEXT) STRICT;
CREATE TABLE recipients (
    send_id TEXT NOT NULL REFERENCES sends (id),
    row INTEGER NOT NULL,
    number TEXT NOT NULL,
    state TEXT NOT NULL,
    message_id TEXT,
    status INTEGER,
    failure TEXT,
    attempted_at INTEGER,
    settled_at INTEGER, cells TEXT, explanation TEXT,
    PRIMARY KEY (send_id, row)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE send_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    send_id TEXT NOT NULL REFERENCES sends (id),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL
  , reason TEXT) STRICT;
CREATE TABLE send_failures (
    send_id TEXT NOT NULL REFERENCES sends (id),
    state TEXT NOT NULL,
    failure TEXT NOT NULL,
    count INTEGER NOT NULL, example TEXT,
    PRIMARY KEY (send_id, state, failure)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE approvals (
    send_id TEXT NOT NULL REFERENCES sends (id),
    user_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (send_id, user_id)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE drafts (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    form TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (owner, kind, name)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    content_type TEXT,
    body BLOB NOT NULL,
    repeats INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    postponed INTEGER NOT NULL DEFAULT 0
  , sender TEXT) STRICT;
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
    failure TEXT, explanation TEXT,
    PRIMARY KEY (send_id, row)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE delivery_counts (
    send_id TEXT NOT NULL REFERENCES sends (id),
    status TEXT NOT NULL,
    failure TEXT NOT NULL,
    count INTEGER NOT NULL, example TEXT,
    PRIMARY KEY (send_id, status, failure)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE newest_copy (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    generation TEXT NOT NULL,
    position INTEGER NOT NULL,
    marked INTEGER NOT NULL
  ) STRICT;
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
CREATE TABLE alert_rules (
    rule TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE alert_version (version INTEGER NOT NULL) STRICT;
CREATE TABLE alert_numbers (
    user_id TEXT PRIMARY KEY,
    number TEXT NOT NULL,
    at INTEGER NOT NULL,
    entered_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE opt_out_removals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  number TEXT NOT NULL
) STRICT;
CREATE TABLE input_attempts (
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    set_aside_at INTEGER,
    PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE log_identity (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    follows TEXT NOT NULL,
    id TEXT NOT NULL
  ) STRICT;
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-0', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Offer S-0","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'done', 100, 1767225600000, 'S-0', 1, 0, NULL, NULL, 100, 0, 0, 100, 0, 0, 0, 0, '{"id":"A-S-0","columns":["name"]}', 'S-0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'all', NULL, 0, NULL, NULL, NULL, 1767225600000, NULL, NULL);
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-1', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Offer S-1","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'done', 1, 1767225600000, 'S-1', 1, 0, NULL, NULL, 1, 0, 0, 1, 0, 0, 0, 0, '{"id":"A-S-1","columns":["name"]}', 'S-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'all', NULL, 0, NULL, NULL, NULL, 1767225600000, NULL, NULL);
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-2', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Offer S-2","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'done', 1, 1767312000000, 'S-2', 1, 0, NULL, NULL, 1, 0, 0, 1, 0, 0, 0, 0, '{"id":"A-S-2","columns":["name"]}', 'S-2', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'all', NULL, 0, NULL, NULL, NULL, 1767312000000, NULL, NULL);
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-3', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Offer S-3","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'done', 1, 1767312000000, 'S-3', 1, 0, NULL, NULL, 1, 0, 0, 1, 0, 0, 0, 0, '{"id":"A-S-3","columns":["name"]}', 'S-3', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'all', NULL, 0, NULL, NULL, NULL, 1767312000000, NULL, NULL);
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-4', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Offer S-4","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'done', 1, 1767312000000, 'S-4', 1, 0, NULL, NULL, 1, 0, 0, 1, 0, 0, 0, 0, '{"id":"A-S-4","columns":["name"]}', 'S-4', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'all', NULL, 0, NULL, NULL, NULL, 1767312000000, NULL, NULL);
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-MIDDLE', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Dear {{name}}","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'sending', 10, 1767225600000, 'S-MIDDLE', 1, 0, NULL, NULL, 5, 5, 1, 3, 1, 0, 0, 0, '{"id":"A-S-MIDDLE","columns":["name"]}', 'digest of S-MIDDLE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1767225600000, NULL, NULL);
INSERT INTO "sends" ("id", "kind", "message", "team_id", "user_id", "channel_id", "state", "recipient_count", "created_at", "request_key", "revision", "announced_revision", "announcement_channel", "announcement_ts", "next_row", "pending", "attempting", "accepted", "rejected", "not_sent", "unknown", "skipped", "audience", "digest", "approvals_needed", "expires_at", "card_channel", "card_ts", "start_at", "reason", "retry_of", "resume_at", "causes_ts", "end_told", "hold_told", "canary_judged", "alert", "template", "survey", "active_at", "approval_over", "retry_group") VALUES ('S-WAITING', 'sms', '{"kind":"sms","sender":"ACMEIN","text":"Dear {{name}}","type":"TRANS","unicode":false}', 'T', 'U', 'C', 'awaiting_approval', 10, 1767225600000, 'S-WAITING', 0, 0, NULL, NULL, 0, 10, 0, 0, 0, 0, 0, 0, '{"id":"A-S-WAITING","columns":["name"]}', 'digest of S-WAITING', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 0, '+919800000000', 'accepted', 'S-0-0', 200, NULL, 1767225600000, 1767225600000, '["Person 0"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 1, '+919800000001', 'accepted', 'S-0-1', 200, NULL, 1767225600000, 1767225600000, '["Person 1"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 2, '+919800000002', 'accepted', 'S-0-2', 200, NULL, 1767225600000, 1767225600000, '["Person 2"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 3, '+919800000003', 'accepted', 'S-0-3', 200, NULL, 1767225600000, 1767225600000, '["Person 3"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 4, '+919800000004', 'accepted', 'S-0-4', 200, NULL, 1767225600000, 1767225600000, '["Person 4"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 5, '+919800000005', 'accepted', 'S-0-5', 200, NULL, 1767225600000, 1767225600000, '["Person 5"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 6, '+919800000006', 'accepted', 'S-0-6', 200, NULL, 1767225600000, 1767225600000, '["Person 6"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 7, '+919800000007', 'accepted', 'S-0-7', 200, NULL, 1767225600000, 1767225600000, '["Person 7"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 8, '+919800000008', 'accepted', 'S-0-8', 200, NULL, 1767225600000, 1767225600000, '["Person 8"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 9, '+919800000009', 'accepted', 'S-0-9', 200, NULL, 1767225600000, 1767225600000, '["Person 9"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 10, '+919800000010', 'accepted', 'S-0-10', 200, NULL, 1767225600000, 1767225600000, '["Person 10"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 11, '+919800000011', 'accepted', 'S-0-11', 200, NULL, 1767225600000, 1767225600000, '["Person 11"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 12, '+919800000012', 'accepted', 'S-0-12', 200, NULL, 1767225600000, 1767225600000, '["Person 12"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 13, '+919800000013', 'accepted', 'S-0-13', 200, NULL, 1767225600000, 1767225600000, '["Person 13"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 14, '+919800000014', 'accepted', 'S-0-14', 200, NULL, 1767225600000, 1767225600000, '["Person 14"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 15, '+919800000015', 'accepted', 'S-0-15', 200, NULL, 1767225600000, 1767225600000, '["Person 15"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 16, '+919800000016', 'accepted', 'S-0-16', 200, NULL, 1767225600000, 1767225600000, '["Person 16"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 17, '+919800000017', 'accepted', 'S-0-17', 200, NULL, 1767225600000, 1767225600000, '["Person 17"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 18, '+919800000018', 'accepted', 'S-0-18', 200, NULL, 1767225600000, 1767225600000, '["Person 18"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 19, '+919800000019', 'accepted', 'S-0-19', 200, NULL, 1767225600000, 1767225600000, '["Person 19"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 20, '+919800000020', 'accepted', 'S-0-20', 200, NULL, 1767225600000, 1767225600000, '["Person 20"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 21, '+919800000021', 'accepted', 'S-0-21', 200, NULL, 1767225600000, 1767225600000, '["Person 21"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 22, '+919800000022', 'accepted', 'S-0-22', 200, NULL, 1767225600000, 1767225600000, '["Person 22"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 23, '+919800000023', 'accepted', 'S-0-23', 200, NULL, 1767225600000, 1767225600000, '["Person 23"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 24, '+919800000024', 'accepted', 'S-0-24', 200, NULL, 1767225600000, 1767225600000, '["Person 24"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 25, '+919800000025', 'accepted', 'S-0-25', 200, NULL, 1767225600000, 1767225600000, '["Person 25"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 26, '+919800000026', 'accepted', 'S-0-26', 200, NULL, 1767225600000, 1767225600000, '["Person 26"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 27, '+919800000027', 'accepted', 'S-0-27', 200, NULL, 1767225600000, 1767225600000, '["Person 27"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 28, '+919800000028', 'accepted', 'S-0-28', 200, NULL, 1767225600000, 1767225600000, '["Person 28"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 29, '+919800000029', 'accepted', 'S-0-29', 200, NULL, 1767225600000, 1767225600000, '["Person 29"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 30, '+919800000030', 'accepted', 'S-0-30', 200, NULL, 1767225600000, 1767225600000, '["Person 30"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 31, '+919800000031', 'accepted', 'S-0-31', 200, NULL, 1767225600000, 1767225600000, '["Person 31"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 32, '+919800000032', 'accepted', 'S-0-32', 200, NULL, 1767225600000, 1767225600000, '["Person 32"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 33, '+919800000033', 'accepted', 'S-0-33', 200, NULL, 1767225600000, 1767225600000, '["Person 33"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 34, '+919800000034', 'accepted', 'S-0-34', 200, NULL, 1767225600000, 1767225600000, '["Person 34"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 35, '+919800000035', 'accepted', 'S-0-35', 200, NULL, 1767225600000, 1767225600000, '["Person 35"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 36, '+919800000036', 'accepted', 'S-0-36', 200, NULL, 1767225600000, 1767225600000, '["Person 36"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 37, '+919800000037', 'accepted', 'S-0-37', 200, NULL, 1767225600000, 1767225600000, '["Person 37"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 38, '+919800000038', 'accepted', 'S-0-38', 200, NULL, 1767225600000, 1767225600000, '["Person 38"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 39, '+919800000039', 'accepted', 'S-0-39', 200, NULL, 1767225600000, 1767225600000, '["Person 39"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 40, '+919800000040', 'accepted', 'S-0-40', 200, NULL, 1767225600000, 1767225600000, '["Person 40"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 41, '+919800000041', 'accepted', 'S-0-41', 200, NULL, 1767225600000, 1767225600000, '["Person 41"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 42, '+919800000042', 'accepted', 'S-0-42', 200, NULL, 1767225600000, 1767225600000, '["Person 42"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 43, '+919800000043', 'accepted', 'S-0-43', 200, NULL, 1767225600000, 1767225600000, '["Person 43"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 44, '+919800000044', 'accepted', 'S-0-44', 200, NULL, 1767225600000, 1767225600000, '["Person 44"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 45, '+919800000045', 'accepted', 'S-0-45', 200, NULL, 1767225600000, 1767225600000, '["Person 45"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 46, '+919800000046', 'accepted', 'S-0-46', 200, NULL, 1767225600000, 1767225600000, '["Person 46"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 47, '+919800000047', 'accepted', 'S-0-47', 200, NULL, 1767225600000, 1767225600000, '["Person 47"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 48, '+919800000048', 'accepted', 'S-0-48', 200, NULL, 1767225600000, 1767225600000, '["Person 48"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 49, '+919800000049', 'accepted', 'S-0-49', 200, NULL, 1767225600000, 1767225600000, '["Person 49"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 50, '+919800000050', 'accepted', 'S-0-50', 200, NULL, 1767225600000, 1767225600000, '["Person 50"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 51, '+919800000051', 'accepted', 'S-0-51', 200, NULL, 1767225600000, 1767225600000, '["Person 51"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 52, '+919800000052', 'accepted', 'S-0-52', 200, NULL, 1767225600000, 1767225600000, '["Person 52"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 53, '+919800000053', 'accepted', 'S-0-53', 200, NULL, 1767225600000, 1767225600000, '["Person 53"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 54, '+919800000054', 'accepted', 'S-0-54', 200, NULL, 1767225600000, 1767225600000, '["Person 54"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 55, '+919800000055', 'accepted', 'S-0-55', 200, NULL, 1767225600000, 1767225600000, '["Person 55"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 56, '+919800000056', 'accepted', 'S-0-56', 200, NULL, 1767225600000, 1767225600000, '["Person 56"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 57, '+919800000057', 'accepted', 'S-0-57', 200, NULL, 1767225600000, 1767225600000, '["Person 57"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 58, '+919800000058', 'accepted', 'S-0-58', 200, NULL, 1767225600000, 1767225600000, '["Person 58"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 59, '+919800000059', 'accepted', 'S-0-59', 200, NULL, 1767225600000, 1767225600000, '["Person 59"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 60, '+919800000060', 'accepted', 'S-0-60', 200, NULL, 1767225600000, 1767225600000, '["Person 60"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 61, '+919800000061', 'accepted', 'S-0-61', 200, NULL, 1767225600000, 1767225600000, '["Person 61"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 62, '+919800000062', 'accepted', 'S-0-62', 200, NULL, 1767225600000, 1767225600000, '["Person 62"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 63, '+919800000063', 'accepted', 'S-0-63', 200, NULL, 1767225600000, 1767225600000, '["Person 63"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 64, '+919800000064', 'accepted', 'S-0-64', 200, NULL, 1767225600000, 1767225600000, '["Person 64"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 65, '+919800000065', 'accepted', 'S-0-65', 200, NULL, 1767225600000, 1767225600000, '["Person 65"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 66, '+919800000066', 'accepted', 'S-0-66', 200, NULL, 1767225600000, 1767225600000, '["Person 66"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 67, '+919800000067', 'accepted', 'S-0-67', 200, NULL, 1767225600000, 1767225600000, '["Person 67"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 68, '+919800000068', 'accepted', 'S-0-68', 200, NULL, 1767225600000, 1767225600000, '["Person 68"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 69, '+919800000069', 'accepted', 'S-0-69', 200, NULL, 1767225600000, 1767225600000, '["Person 69"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 70, '+919800000070', 'accepted', 'S-0-70', 200, NULL, 1767225600000, 1767225600000, '["Person 70"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 71, '+919800000071', 'accepted', 'S-0-71', 200, NULL, 1767225600000, 1767225600000, '["Person 71"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 72, '+919800000072', 'accepted', 'S-0-72', 200, NULL, 1767225600000, 1767225600000, '["Person 72"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 73, '+919800000073', 'accepted', 'S-0-73', 200, NULL, 1767225600000, 1767225600000, '["Person 73"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 74, '+919800000074', 'accepted', 'S-0-74', 200, NULL, 1767225600000, 1767225600000, '["Person 74"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 75, '+919800000075', 'accepted', 'S-0-75', 200, NULL, 1767225600000, 1767225600000, '["Person 75"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 76, '+919800000076', 'accepted', 'S-0-76', 200, NULL, 1767225600000, 1767225600000, '["Person 76"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 77, '+919800000077', 'accepted', 'S-0-77', 200, NULL, 1767225600000, 1767225600000, '["Person 77"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 78, '+919800000078', 'accepted', 'S-0-78', 200, NULL, 1767225600000, 1767225600000, '["Person 78"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 79, '+919800000079', 'accepted', 'S-0-79', 200, NULL, 1767225600000, 1767225600000, '["Person 79"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 80, '+919800000080', 'accepted', 'S-0-80', 200, NULL, 1767225600000, 1767225600000, '["Person 80"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 81, '+919800000081', 'accepted', 'S-0-81', 200, NULL, 1767225600000, 1767225600000, '["Person 81"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 82, '+919800000082', 'accepted', 'S-0-82', 200, NULL, 1767225600000, 1767225600000, '["Person 82"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 83, '+919800000083', 'accepted', 'S-0-83', 200, NULL, 1767225600000, 1767225600000, '["Person 83"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 84, '+919800000084', 'accepted', 'S-0-84', 200, NULL, 1767225600000, 1767225600000, '["Person 84"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 85, '+919800000085', 'accepted', 'S-0-85', 200, NULL, 1767225600000, 1767225600000, '["Person 85"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 86, '+919800000086', 'accepted', 'S-0-86', 200, NULL, 1767225600000, 1767225600000, '["Person 86"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 87, '+919800000087', 'accepted', 'S-0-87', 200, NULL, 1767225600000, 1767225600000, '["Person 87"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 88, '+919800000088', 'accepted', 'S-0-88', 200, NULL, 1767225600000, 1767225600000, '["Person 88"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 89, '+919800000089', 'accepted', 'S-0-89', 200, NULL, 1767225600000, 1767225600000, '["Person 89"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 90, '+919800000090', 'accepted', 'S-0-90', 200, NULL, 1767225600000, 1767225600000, '["Person 90"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 91, '+919800000091', 'accepted', 'S-0-91', 200, NULL, 1767225600000, 1767225600000, '["Person 91"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 92, '+919800000092', 'accepted', 'S-0-92', 200, NULL, 1767225600000, 1767225600000, '["Person 92"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 93, '+919800000093', 'accepted', 'S-0-93', 200, NULL, 1767225600000, 1767225600000, '["Person 93"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 94, '+919800000094', 'accepted', 'S-0-94', 200, NULL, 1767225600000, 1767225600000, '["Person 94"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 95, '+919800000095', 'accepted', 'S-0-95', 200, NULL, 1767225600000, 1767225600000, '["Person 95"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 96, '+919800000096', 'accepted', 'S-0-96', 200, NULL, 1767225600000, 1767225600000, '["Person 96"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 97, '+919800000097', 'accepted', 'S-0-97', 200, NULL, 1767225600000, 1767225600000, '["Person 97"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 98, '+919800000098', 'accepted', 'S-0-98', 200, NULL, 1767225600000, 1767225600000, '["Person 98"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-0', 99, '+919800000099', 'accepted', 'S-0-99', 200, NULL, 1767225600000, 1767225600000, '["Person 99"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-1', 0, '+919800000000', 'accepted', 'S-1-0', 200, NULL, 1767225600000, 1767225600000, '["Person 0"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-2', 0, '+919800010000', 'accepted', 'S-2-0', 200, NULL, 1767312000000, 1767312000000, '["Person 0"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-3', 0, '+919800010000', 'accepted', 'S-3-0', 200, NULL, 1767312000000, 1767312000000, '["Person 0"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-4', 0, '+919800010000', 'accepted', 'S-4-0', 200, NULL, 1767312000000, 1767312000000, '["Person 0"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 0, '+919809990000', 'accepted', 'm-0', 200, NULL, 1767225600000, 1767225600000, '["Person \"0\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 1, '+919809990001', 'accepted', 'm-1', 200, NULL, 1767225600000, 1767225600000, '["Person \"1\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 2, '+919809990002', 'accepted', 'm-2', 200, NULL, 1767225600000, 1767225600000, '["Person \"2\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 3, '+919809990003', 'rejected', NULL, NULL, '{"what":"It was refused.","next":"Look at it.","scope":"recipient"}', 1767225600000, 1767225600000, '["Person \"3\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 4, '+919809990004', 'attempting', NULL, NULL, NULL, 1767225600000, NULL, '["Person \"4\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 5, '+919809990005', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"5\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 6, '+919809990006', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"6\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 7, '+919809990007', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"7\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 8, '+919809990008', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"8\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-MIDDLE', 9, '+919809990009', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"9\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 0, '+919809990000', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"0\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 1, '+919809990001', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"1\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 2, '+919809990002', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"2\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 3, '+919809990003', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"3\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 4, '+919809990004', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"4\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 5, '+919809990005', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"5\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 6, '+919809990006', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"6\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 7, '+919809990007', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"7\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 8, '+919809990008', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"8\" 🛵"]', NULL);
INSERT INTO "recipients" ("send_id", "row", "number", "state", "message_id", "status", "failure", "attempted_at", "settled_at", "cells", "explanation") VALUES ('S-WAITING', 9, '+919809990009', 'pending', NULL, NULL, NULL, NULL, NULL, '["Person \"9\" 🛵"]', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (1, 'S-0', 1767225600000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (2, 'S-0', 1767225600000, 'U', 'approved', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (3, 'S-0', 1767225600000, 'U', 'sending', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (4, 'S-0', 1767225600000, 'herald', 'done', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (5, 'S-1', 1767225600000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (6, 'S-1', 1767225600000, 'U', 'approved', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (7, 'S-1', 1767225600000, 'U', 'sending', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (8, 'S-1', 1767225600000, 'herald', 'done', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (9, 'S-2', 1767312000000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (10, 'S-2', 1767312000000, 'U', 'approved', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (11, 'S-2', 1767312000000, 'U', 'sending', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (12, 'S-2', 1767312000000, 'herald', 'done', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (13, 'S-3', 1767312000000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (14, 'S-3', 1767312000000, 'U', 'approved', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (15, 'S-3', 1767312000000, 'U', 'sending', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (16, 'S-3', 1767312000000, 'herald', 'done', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (17, 'S-4', 1767312000000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (18, 'S-4', 1767312000000, 'U', 'approved', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (19, 'S-4', 1767312000000, 'U', 'sending', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (20, 'S-4', 1767312000000, 'herald', 'done', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (21, 'S-MIDDLE', 1767225600000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (22, 'S-MIDDLE', 1767225600000, 'U', 'approved', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (23, 'S-WAITING', 1767225600000, 'U', 'requested', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (24, 'S-WAITING', 1767225600000, 'U', 'awaiting_approval', NULL);
INSERT INTO "send_events" ("id", "send_id", "at", "actor", "action", "reason") VALUES (25, 'S-MIDDLE', 1767225600000, 'U', 'sending', NULL);
INSERT INTO "send_failures" ("send_id", "state", "failure", "count", "example") VALUES ('S-MIDDLE', 'rejected', '{"what":"It was refused.","next":"Look at it.","scope":"recipient"}', 1, NULL);
INSERT INTO "opt_outs" ("number", "at", "actor", "source") VALUES ('+919800000000', 1767225600000, 'U', 'command');
INSERT INTO "templates" ("channel", "name", "definition", "archived", "revision", "changed_by", "changed_at") VALUES ('chatapp', 'order_update', '{"name":"order_update","channel":"chatapp","variant":"text","label":"Order “update” 🛵","languages":["en","hi"],"placeholders":[{"name":"customer","example":"Asha"}],"text":"Hello {{1}}.","cards":0}', 0, 1, 'U', 1767225600000);
INSERT INTO "template_changes" ("id", "channel", "name", "revision", "action", "source", "actor", "at", "definition") VALUES (1, 'chatapp', 'order_update', 1, 'added', 'form', 'U', 1767225600000, '{"name":"order_update","channel":"chatapp","variant":"text","label":"Order “update” 🛵","languages":["en","hi"],"placeholders":[{"name":"customer","example":"Asha"}],"text":"Hello {{1}}.","cards":0}');
INSERT INTO "webhooks" ("id", "digest", "received_at", "content_type", "body", "repeats", "due_at", "postponed", "sender") VALUES (1, 'digest of a webhook', 1767225600000, NULL, X'7B7D', 0, 1767225600000, 0, NULL);
INSERT INTO "newest_copy" ("only", "generation", "position", "marked") VALUES (1, '0597b15acfee727071e0e6ea774f0706', 32, 1);
INSERT INTO "alert_version" ("version") VALUES (0);
INSERT INTO "log_identity" ("only", "follows", "id") VALUES (1, 'a804686475b9770458ced2e06b0388bc', 'a804686475b9770458ced2e06b0388bc');
CREATE INDEX sends_by_state ON sends (state, created_at);
CREATE INDEX send_events_by_send ON send_events (send_id, id);
CREATE TRIGGER send_events_keep BEFORE UPDATE ON send_events
    BEGIN SELECT RAISE(ABORT, 'the record of sends is append-only'); END;
CREATE TRIGGER send_events_stay BEFORE DELETE ON send_events
    BEGIN SELECT RAISE(ABORT, 'the record of sends is append-only'); END;
CREATE INDEX sends_by_user ON sends (user_id, created_at);
CREATE INDEX sends_by_time ON sends (created_at);
CREATE INDEX sends_unannounced ON sends (created_at) WHERE revision > announced_revision AND audience IS NULL;
CREATE INDEX sends_untold ON sends (created_at)
    WHERE audience IS NOT NULL AND state IN ('done', 'stopped') AND end_told IS NOT 'all';
CREATE TRIGGER template_changes_keep BEFORE UPDATE ON template_changes
    BEGIN SELECT RAISE(ABORT, 'the history of templates is append-only'); END;
CREATE TRIGGER template_changes_stay BEFORE DELETE ON template_changes
    BEGIN SELECT RAISE(ABORT, 'the history of templates is append-only'); END;
CREATE INDEX webhooks_due ON webhooks (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhooks_by_digest ON webhooks (digest, received_at);
CREATE INDEX customer_events_untold ON customer_events (id) WHERE told_at IS NULL;
CREATE INDEX customer_events_by_send ON customer_events (send_id, label, number) WHERE send_id IS NOT NULL;
CREATE TRIGGER record_moves_on AFTER INSERT ON send_events
    BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE TRIGGER claims_move_on AFTER UPDATE OF attempting ON sends WHEN NEW.attempting > OLD.attempting
    BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE TRIGGER opt_outs_move_on AFTER INSERT ON opt_outs
    BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE INDEX alert_events_undecided ON alert_events (id) WHERE decided_at IS NULL;
CREATE INDEX alert_events_of_message ON alert_events (channel_id, ts, event_ts);
CREATE INDEX alert_events_decided ON alert_events (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX alerts_received ON alerts (received_at);
CREATE INDEX alerts_due ON alerts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alerts_untold ON alerts (received_at) WHERE revision > told_revision;
CREATE TRIGGER opt_out_removals_keep BEFORE UPDATE ON opt_out_removals
  BEGIN SELECT RAISE(ABORT, 'the record of opt-outs is append-only'); END;
CREATE TRIGGER opt_out_removals_stay BEFORE DELETE ON opt_out_removals
  BEGIN SELECT RAISE(ABORT, 'the record of opt-outs is append-only'); END;
CREATE INDEX recipients_of_number ON recipients (number);
CREATE INDEX recipients_by_message ON recipients (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX sends_by_original ON sends (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX webhooks_by_sender ON webhooks (sender) WHERE sender IS NOT NULL;
CREATE INDEX customer_events_by_person ON customer_events (send_id, number) WHERE label IS NOT NULL;
CREATE INDEX sends_by_announcement ON sends (announcement_ts) WHERE audience IS NULL;
PRAGMA user_version = 19;
