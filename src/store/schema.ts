import { type Dialect, type Sql, sql, textOf } from './sql.ts';

/*
 * The schema of 0.1.0: every table that both databases have, once. What only one of them has stands in `sqlite/schema.ts`
 * and `postgres/schema.ts`, whose texts are the first migration of each. From the release on none of the three changes:
 * what is to be different is a migration. Comments may change, they are taken out.
 *
 * Times are milliseconds since the epoch, yes or no is 1 or 0. What people wrote stands as JSON where it could hold
 * U+0000, which PostgreSQL does not take in a text.
 *
 * Longer than a file should be, because a schema is read in one piece.
 */

/**
 * The number of this schema; each migration after it has the next one. Commits before 0.1.0 counted from 1, so a lower
 * number is one of theirs, and to them this one is of a newer Herald.
 */
export const FIRST_VERSION = 101;

/** Text that is compared byte for byte, as ids and keys are: in SQLite every text is. */
const CODE: Sql = { sqlite: 'TEXT', postgres: 'TEXT COLLATE "C"' };
/** A time, or a count without an end. */
const LONG: Sql = { sqlite: 'INTEGER', postgres: 'BIGINT' };
const BYTES: Sql = { sqlite: 'BLOB', postgres: 'BYTEA' };
const NUMBERED: Sql = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
};
/** For tables with a row a recipient: PostgreSQL would look up the send of each. */
const OF_SEND = sql`${CODE} NOT NULL ${{ sqlite: 'REFERENCES sends (id)', postgres: '' }}`;
/** Explanations can be longer than an entry of PostgreSQL's indexes, where their hash stands for them. */
const keyWithFailure = (columns: string): Sql => ({
  sqlite: `, PRIMARY KEY (${columns}, failure)`,
  postgres: '',
});
const END: Sql = { sqlite: ') STRICT', postgres: ')' };
/** Rows that are found by their key alone stand in its order. */
const END_BY_KEY: Sql = { sqlite: ') STRICT, WITHOUT ROWID', postgres: ')' };

const SENDS = sql`
-- What one person asked for once: a message and its recipients.
-- A send counts its recipients by state in its own row, because progress is read every second and must not walk over a
-- million of them.
CREATE TABLE sends (
  id ${CODE} PRIMARY KEY,
  kind TEXT NOT NULL,
  message TEXT NOT NULL, -- JSON
  team_id TEXT NOT NULL, -- this and the next two: who asked, and where in Slack
  user_id ${CODE} NOT NULL,
  channel_id TEXT NOT NULL,
  thread_ts ${CODE}, -- of the conversation that it answers
  alert TEXT, -- JSON: which alert asked for it
  request_key ${CODE} NOT NULL UNIQUE, -- the same click or delivery makes one send
  created_at ${LONG} NOT NULL,
  state ${CODE} NOT NULL,
  reason TEXT, -- JSON: why it is paused or stopped
  resume_at ${LONG}, -- when a pause ends by itself
  active_at ${LONG}, -- when it last began to send or claimed recipients

  recipient_count INTEGER NOT NULL,
  next_row INTEGER NOT NULL DEFAULT 0, -- where the next claim begins; an index on the state would change twice an attempt
  pending INTEGER NOT NULL DEFAULT 0,
  attempting INTEGER NOT NULL DEFAULT 0,
  accepted INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  not_sent INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  canary_judged INTEGER NOT NULL DEFAULT 0, -- the first five have gone well

  audience TEXT, -- JSON; of a bulk send only, as are all of this part
  template TEXT, -- JSON: as it was when somebody asked
  survey TEXT, -- JSON
  digest TEXT, -- what an approval names; set when the draft is sealed
  approvals_needed INTEGER,
  approval_over INTEGER, -- from more recipients than these an approval was needed
  expires_at ${LONG}, -- of the request for approval
  start_at ${LONG},
  retry_of TEXT, -- the send whose recipients are tried again
  retry_group ${CODE}, -- which of them: 'failed', 'unknown'

  removed_at ${LONG}, -- since when anything of it is removed
  numbers_removed_to INTEGER, -- up to which row; -1 is all
  texts_removed INTEGER NOT NULL DEFAULT 0
${END};
CREATE INDEX sends_by_state ON sends (state, created_at);
CREATE INDEX sends_by_user ON sends (user_id, created_at);
CREATE INDEX sends_by_time ON sends (created_at);
CREATE INDEX sends_to_many ON sends (created_at) WHERE audience IS NOT NULL;
CREATE INDEX sends_by_original ON sends (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX sends_by_thread ON sends (thread_ts) WHERE thread_ts IS NOT NULL;
CREATE INDEX sends_with_numbers ON sends (created_at) WHERE numbers_removed_to IS NULL;
CREATE INDEX sends_half_removed ON sends (id) WHERE numbers_removed_to >= 0;
CREATE INDEX sends_with_texts ON sends (created_at) WHERE texts_removed = 0;

-- Numbers are written when a list is prepared, message ids with the outcomes: claims touch neither index.
CREATE TABLE recipients (
  send_id ${OF_SEND},
  row INTEGER NOT NULL,
  number ${CODE} NOT NULL, -- a pseudonym once it was removed
  state ${CODE} NOT NULL,
  cells TEXT, -- JSON: the values of the row
  message_id TEXT, -- the service's
  status INTEGER, -- of HTTP
  failure TEXT, -- JSON, without the service's own words
  explanation TEXT, -- the service's own words
  attempted_at ${LONG},
  settled_at ${LONG},
  PRIMARY KEY (send_id, row)
${END_BY_KEY};
CREATE INDEX recipients_by_number ON recipients (number);
CREATE INDEX recipients_by_message ON recipients (message_id) WHERE message_id IS NOT NULL;

-- How many recipients of a send failed alike.
CREATE TABLE send_failures (
  send_id ${CODE} NOT NULL REFERENCES sends (id),
  state ${CODE} NOT NULL,
  failure ${CODE} NOT NULL, -- JSON, with the service's own words
  count INTEGER NOT NULL
  ${keyWithFailure('send_id, state')}
${END_BY_KEY};
CREATE INDEX send_failures_unknown ON send_failures (send_id) WHERE state = 'unknown';

CREATE TABLE approvals (
  send_id ${CODE} NOT NULL REFERENCES sends (id),
  user_id ${CODE} NOT NULL,
  digest TEXT NOT NULL, -- what was approved
  at ${LONG} NOT NULL,
  PRIMARY KEY (send_id, user_id)
${END_BY_KEY};

-- The record: who did what to which send. Append-only.
CREATE TABLE send_events (
  id ${NUMBERED},
  send_id ${CODE} NOT NULL REFERENCES sends (id),
  at ${LONG} NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  reason TEXT -- JSON
${END};
CREATE INDEX send_events_by_send ON send_events (send_id, id);
`;

const WHAT_IS_SENT = sql`
CREATE TABLE audiences (
  id ${CODE} PRIMARY KEY,
  name ${{ sqlite: 'TEXT COLLATE NOCASE UNIQUE', postgres: CODE.postgres }}, -- null until somebody saves it
  source TEXT NOT NULL,
  file_name TEXT,
  columns TEXT NOT NULL, -- JSON: their names
  number_column TEXT,
  counts TEXT, -- JSON: how many rows were read, valid, …
  digest TEXT, -- null until it is whole
  created_by TEXT NOT NULL,
  created_at ${LONG} NOT NULL
${END};
CREATE TABLE audience_rows (
  audience_id ${CODE} NOT NULL,
  row INTEGER NOT NULL,
  number TEXT NOT NULL,
  cells TEXT NOT NULL, -- JSON
  PRIMARY KEY (audience_id, row)
${END_BY_KEY};
CREATE TABLE audience_exclusions (
  audience_id ${CODE} NOT NULL,
  row INTEGER NOT NULL,
  value TEXT NOT NULL, -- JSON: what stood there for a number
  cause TEXT NOT NULL,
  reason TEXT NOT NULL, -- JSON
  PRIMARY KEY (audience_id, row)
${END_BY_KEY};

-- Who is sent nothing any more; and, append-only, who was taken off that list.
CREATE TABLE opt_outs (
  number ${CODE} PRIMARY KEY,
  at ${LONG} NOT NULL,
  actor TEXT NOT NULL,
  source TEXT NOT NULL
${END_BY_KEY};
CREATE TABLE opt_out_removals (
  id ${NUMBERED},
  at ${LONG} NOT NULL,
  actor TEXT NOT NULL,
  number TEXT NOT NULL -- masked
${END};

-- The catalogue, and its append-only history.
CREATE TABLE templates (
  channel ${CODE} NOT NULL,
  name ${CODE} NOT NULL,
  definition TEXT NOT NULL, -- JSON
  archived INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  changed_at ${LONG} NOT NULL,
  PRIMARY KEY (channel, name)
${END_BY_KEY};
CREATE TABLE template_changes (
  id ${NUMBERED},
  channel ${CODE} NOT NULL,
  name ${CODE} NOT NULL,
  revision INTEGER NOT NULL,
  action TEXT NOT NULL,
  source TEXT NOT NULL,
  actor TEXT NOT NULL,
  at ${LONG} NOT NULL,
  definition TEXT NOT NULL, -- JSON
  UNIQUE (channel, name, revision)
${END};

-- Forms that people have saved.
CREATE TABLE drafts (
  owner ${CODE} NOT NULL,
  kind ${CODE} NOT NULL,
  name ${CODE} NOT NULL,
  form TEXT NOT NULL, -- JSON
  saved_at ${LONG} NOT NULL,
  PRIMARY KEY (owner, kind, name)
${END_BY_KEY};
`;

const WHAT_COMES_BACK = sql`
-- What the service posted, as it came.
CREATE TABLE webhooks (
  id ${NUMBERED},
  digest ${CODE} NOT NULL, -- of the body, which the service may repeat
  received_at ${LONG} NOT NULL,
  content_type TEXT,
  body ${BYTES} NOT NULL,
  sender ${CODE}, -- who wrote it: without an id it is a repetition only while they wrote nothing else
  due_at ${LONG}, -- when it is looked at; null once it was
  postponed INTEGER NOT NULL DEFAULT 0, -- how often it was put off
  removed INTEGER NOT NULL DEFAULT 0 -- 1 is its body, 2 its answers as well
${END};
CREATE INDEX webhooks_due ON webhooks (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhooks_by_digest ON webhooks (digest, received_at);
CREATE INDEX webhooks_by_sender ON webhooks (sender, id) WHERE sender IS NOT NULL;
CREATE INDEX webhooks_whole ON webhooks (received_at) WHERE removed = 0;
CREATE INDEX webhooks_kept ON webhooks (received_at) WHERE removed < 2;

-- What customers wrote or tapped.
CREATE TABLE customer_events (
  id ${NUMBERED},
  webhook_id ${LONG} NOT NULL REFERENCES webhooks (id),
  key ${CODE} NOT NULL UNIQUE, -- the same words, reported again, are not kept twice
  event TEXT NOT NULL, -- JSON
  send_id ${CODE} REFERENCES sends (id), -- what it answers
  number ${CODE},
  label ${CODE}, -- of the button that was tapped
  opted_out INTEGER NOT NULL,
  told_at ${LONG}, -- when the team was shown it; in Slack it stands in the next three
  channel_id ${CODE},
  thread_ts ${CODE},
  ts ${CODE},
  asked_at ${LONG}, -- of a question that waits for an answer
  closed_by ${CODE}
${END};
CREATE INDEX customer_events_untold ON customer_events (id) WHERE told_at IS NULL;
CREATE INDEX customer_events_by_send ON customer_events (send_id, label, number) WHERE send_id IS NOT NULL;
CREATE INDEX customer_events_by_person ON customer_events (send_id, number, id) WHERE label IS NOT NULL;
CREATE INDEX customer_events_by_number ON customer_events (number, id) WHERE number IS NOT NULL;
CREATE INDEX customer_events_by_webhook ON customer_events (webhook_id);
CREATE INDEX customer_events_by_thread ON customer_events (thread_ts, number) WHERE thread_ts IS NOT NULL;
CREATE INDEX customer_events_asked ON customer_events (asked_at) WHERE asked_at IS NOT NULL AND closed_by IS NULL;

-- How many people tapped what.
CREATE TABLE reply_tallies (
  send_id ${CODE} NOT NULL REFERENCES sends (id),
  label ${CODE} NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (send_id, label)
${END_BY_KEY};

-- The best that was reported of each recipient, and how many were reported alike.
CREATE TABLE deliveries (
  send_id ${OF_SEND},
  row INTEGER NOT NULL,
  status ${CODE} NOT NULL,
  at ${LONG} NOT NULL,
  failure TEXT, -- JSON, without the service's own words
  explanation TEXT, -- the service's own words
  PRIMARY KEY (send_id, row)
${END_BY_KEY};
CREATE TABLE delivery_counts (
  send_id ${CODE} NOT NULL REFERENCES sends (id),
  status ${CODE} NOT NULL,
  failure ${CODE} NOT NULL, -- JSON, or empty
  count INTEGER NOT NULL,
  example TEXT -- the service's own words on the first of them
  ${keyWithFailure('send_id, status')}
${END_BY_KEY};

-- Who was shown how to answer, in which thread.
CREATE TABLE thread_hints (
  channel_id ${CODE} NOT NULL,
  thread_ts ${CODE} NOT NULL,
  user_id ${CODE} NOT NULL,
  PRIMARY KEY (channel_id, thread_ts, user_id)
${END_BY_KEY};

-- What came in and could not be dealt with, from Slack or the service.
CREATE TABLE input_attempts (
  source ${CODE} NOT NULL,
  id ${CODE} NOT NULL,
  attempts INTEGER NOT NULL,
  set_aside_at ${LONG}, -- since when nobody tries any more
  PRIMARY KEY (source, id)
${END_BY_KEY};
`;

const ALERTS = sql`
-- What Slack told of messages in channels with rules.
CREATE TABLE alert_events (
  id ${NUMBERED},
  event_id ${CODE} NOT NULL UNIQUE,
  key ${CODE} NOT NULL UNIQUE, -- the same change of the same message
  channel_id ${CODE} NOT NULL,
  ts ${CODE} NOT NULL,
  event_ts ${CODE} NOT NULL,
  document TEXT NOT NULL, -- JSON
  received_at ${LONG} NOT NULL,
  decided_at ${LONG},
  decisions TEXT -- JSON: what each rule made of it
${END};
CREATE INDEX alert_events_undecided ON alert_events (id) WHERE decided_at IS NULL;
CREATE INDEX alert_events_of_message ON alert_events (channel_id, ts, event_ts);
CREATE INDEX alert_events_decided ON alert_events (decided_at) WHERE decided_at IS NOT NULL;

-- What rules made of them.
CREATE TABLE alerts (
  id ${CODE} PRIMARY KEY,
  received_at ${LONG} NOT NULL,
  open INTEGER NOT NULL,
  due_at ${LONG}, -- when its next step is
  document TEXT NOT NULL -- JSON
${END};
CREATE INDEX alerts_received ON alerts (received_at);
CREATE INDEX alerts_due ON alerts (due_at) WHERE due_at IS NOT NULL;

-- What is kept of a rule.
CREATE TABLE alert_rules (
  rule ${CODE} PRIMARY KEY,
  document TEXT NOT NULL -- JSON
${END_BY_KEY};
-- Goes up with every commit, which is how whoever decided on an older state is refused.
CREATE TABLE alert_version (version ${LONG} NOT NULL${END};
INSERT INTO alert_version VALUES (0);

-- The numbers of colleagues.
CREATE TABLE alert_numbers (
  user_id ${CODE} PRIMARY KEY,
  number TEXT NOT NULL,
  at ${LONG} NOT NULL,
  entered_by TEXT NOT NULL
${END_BY_KEY};

-- What whoever runs Herald is told of.
CREATE TABLE notices (
  name ${CODE} PRIMARY KEY,
  what TEXT NOT NULL,
  since ${LONG} NOT NULL,
  over_at ${LONG},
  told INTEGER NOT NULL DEFAULT 0
${END_BY_KEY};
`;

const POSTS = sql`
-- The outbox: a row for each message that is to stand in Slack once; see sends/posts.ts.
CREATE TABLE posts (
  mark ${CODE} PRIMARY KEY, -- kind and subject; how a message of which nobody noted where it stands is found again
  subject ${CODE} NOT NULL, -- the id of what it shows
  channel_id TEXT NOT NULL, -- where it belongs
  since ${LONG} NOT NULL, -- when its subject began
  wanted INTEGER NOT NULL, -- counts the wishes
  shown INTEGER NOT NULL DEFAULT 0, -- the last one that was fulfilled
  due_at ${LONG} NOT NULL,
  noted_at ${LONG} NOT NULL DEFAULT 0, -- when showing it last ended, and how long it is left alone since
  rest_ms INTEGER NOT NULL DEFAULT 0,
  at_channel TEXT, -- where it stands
  ts TEXT,
  digest TEXT, -- of what stands there; of what was given, what is to be known of it
  attempts INTEGER NOT NULL DEFAULT 0, -- begun, without an end
  lost INTEGER NOT NULL DEFAULT 0, -- posted, without an answer
  tries INTEGER NOT NULL DEFAULT 0, -- refused in a row
  refused_since ${LONG}
${END_BY_KEY};
CREATE INDEX posts_due ON posts (noted_at, due_at) WHERE wanted > shown;
CREATE INDEX posts_of_subject ON posts (subject) WHERE wanted > shown;
`;

/** The whole schema of one database, without comments. */
export function firstSchema(dialect: Dialect, particulars: string): string {
  const both = sql`${SENDS}${WHAT_IS_SENT}${WHAT_COMES_BACK}${ALERTS}${POSTS}`;
  const lines = `${textOf(both, dialect)}${particulars}`
    .split('\n')
    .map((line) => (line.split('--')[0] ?? '').trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}

/** Why a database that has seen this version cannot be used by a Herald that knows those up to `newest`. */
export function unfitness(version: number, newest: number): 'newer' | 'unreleased' | undefined {
  if (version > newest) return 'newer';
  return version > 0 && version < FIRST_VERSION ? 'unreleased' : undefined;
}

/** The end of a sentence that begins with the database, and that the way on follows. */
export const UNRELEASED =
  'was made by a commit before 0.1.0, which was the first release and cannot read it. Nothing was changed and nothing was sent.';
