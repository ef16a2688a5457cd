import { type Sql, sql } from '../sql.ts';

/* What columns and tables of the schema are made of, where the databases differ. */

/** Text that is compared byte for byte, as ids and keys are: in SQLite every text is. */
export const CODE: Sql = { sqlite: 'TEXT', postgres: 'TEXT COLLATE "C"' };
/** A time, or a count without an end. */
export const LONG: Sql = { sqlite: 'INTEGER', postgres: 'BIGINT' };
export const BYTES: Sql = { sqlite: 'BLOB', postgres: 'BYTEA' };
export const NUMBERED: Sql = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
};
/** For tables with a row a recipient: PostgreSQL would look up the send of each. */
export const OF_SEND = sql`${CODE} NOT NULL ${{ sqlite: 'REFERENCES sends (id)', postgres: '' }}`;
/** Explanations can be longer than an entry of PostgreSQL's indexes, where their hash stands for them. */
export const keyWithFailure = (columns: string): Sql => ({
  sqlite: `, PRIMARY KEY (${columns}, failure)`,
  postgres: '',
});
export const END: Sql = { sqlite: ') STRICT', postgres: ')' };
/** Rows that are found by their key alone stand in its order. */
export const END_BY_KEY: Sql = { sqlite: ') STRICT, WITHOUT ROWID', postgres: ')' };

export const SENDS = sql`
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
  note TEXT, -- JSON: a text for who approves
  replaces TEXT, -- the send that was edited
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

-- Numbers are written when a list is prepared: claims and outcomes touch no index.
CREATE TABLE recipients (
  send_id ${OF_SEND},
  row INTEGER NOT NULL,
  number ${CODE} NOT NULL, -- a pseudonym once it was removed
  state ${CODE} NOT NULL,
  cells TEXT, -- JSON: the values of the row
  message_id TEXT, -- the service's, unless it gave one for a request to several
  status INTEGER, -- of HTTP
  failure TEXT, -- JSON, without the service's own words
  explanation TEXT, -- the service's own words
  attempted_at ${LONG},
  settled_at ${LONG},
  reading ${CODE}, -- what they read, see ../readings.ts; until the number is removed
  PRIMARY KEY (send_id, row)
${END_BY_KEY};
CREATE INDEX recipients_by_number ON recipients (number);
CREATE INDEX recipients_by_reading ON recipients (reading) WHERE reading IS NOT NULL;
-- Whoever has an id that is not in message_ids yet is in one of these ranges; see store/message-ids.ts.
CREATE TABLE fresh_ids (
  id ${NUMBERED},
  send_id ${CODE} NOT NULL,
  first_row INTEGER NOT NULL,
  last_row INTEGER NOT NULL
${END};
CREATE TABLE message_ids (
  message_id ${CODE} NOT NULL,
  send_id ${CODE} NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (message_id, send_id, row)
${END_BY_KEY};
-- Ids that the service gave for requests to several, each to all from one row to another.
CREATE TABLE requests (
  send_id ${OF_SEND},
  first_row INTEGER NOT NULL,
  last_row INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (send_id, first_row)
${END_BY_KEY};

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

export const POSTS = sql`
-- The outbox: a row for each message that is to stand in Slack once; see sends/posts.ts.
CREATE TABLE posts (
  mark ${CODE} PRIMARY KEY, -- kind and subject; how a message of which nobody noted where it stands is found again
  subject ${CODE} NOT NULL, -- the id of what it shows; empty of answers to no send
  channel_id TEXT NOT NULL, -- where it belongs
  since ${LONG} NOT NULL, -- when its subject began
  wanted INTEGER NOT NULL, -- counts the wishes
  shown INTEGER NOT NULL DEFAULT 0, -- the last one that was fulfilled
  due_at ${LONG} NOT NULL,
  noted_at ${LONG} NOT NULL DEFAULT 0, -- when showing it last ended, and how long it is left alone since
  rest_ms INTEGER NOT NULL DEFAULT 0,
  at_channel TEXT, -- where it stands
  ts TEXT,
  thread_ts ${CODE}, -- where people talk with customers: the first message of the thread
  digest TEXT, -- of what stands there; of what was given, what is to be known of it
  attempts INTEGER NOT NULL DEFAULT 0, -- begun, without an end
  lost INTEGER NOT NULL DEFAULT 0, -- posted, without an answer
  tries INTEGER NOT NULL DEFAULT 0, -- refused in a row
  refused_since ${LONG}
${END_BY_KEY};
CREATE INDEX posts_due ON posts (noted_at, due_at) WHERE wanted > shown;
CREATE INDEX posts_of_subject ON posts (subject, mark) WHERE wanted > shown;
CREATE INDEX posts_by_thread ON posts (thread_ts) WHERE thread_ts IS NOT NULL;
`;
