import { sql } from '../sql.ts';
import { BYTES, CODE, END, END_BY_KEY, keyWithFailure, LONG, NUMBERED, OF_SEND } from './sends.ts';

export const WHAT_IS_SENT = sql`
CREATE TABLE audiences (
  id ${CODE} PRIMARY KEY,
  name ${{ sqlite: 'TEXT COLLATE NOCASE UNIQUE', postgres: 'TEXT COLLATE "C"' }}, -- null until somebody saves it
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
  mark TEXT, -- JSON: what was said last of it at the service
  marked_at ${LONG},
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

export const WHAT_COMES_BACK = sql`
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
  post ${CODE}, -- the mark of what shows it; null once its words are removed
  asked_at ${LONG}, -- of a question that waits for an answer
  closed_by ${CODE}
${END};
CREATE INDEX customer_events_by_send ON customer_events (send_id, label, number) WHERE send_id IS NOT NULL;
CREATE INDEX customer_events_by_person ON customer_events (send_id, number, id) WHERE label IS NOT NULL;
CREATE INDEX customer_events_by_number ON customer_events (number, id) WHERE number IS NOT NULL;
CREATE INDEX customer_events_by_webhook ON customer_events (webhook_id);
CREATE INDEX customer_events_by_post ON customer_events (post, number) WHERE post IS NOT NULL;
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

export const ALERTS = sql`
-- Slack's events of messages in channels with rules.
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

-- What needs, or needed, whoever runs Herald.
CREATE TABLE notices (
  id ${NUMBERED},
  name ${CODE} NOT NULL,
  what TEXT NOT NULL,
  since ${LONG} NOT NULL,
  over_at ${LONG}
${END};
CREATE UNIQUE INDEX notices_open ON notices (name) WHERE over_at IS NULL;
CREATE INDEX notices_over ON notices (name) WHERE over_at IS NOT NULL;
`;
