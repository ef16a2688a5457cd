CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY);
BEGIN; 
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
  ; INSERT INTO schema_versions VALUES (1); COMMIT;
BEGIN; 
  CREATE TABLE newest_copy (
    place TEXT NOT NULL
  );
  ; INSERT INTO schema_versions VALUES (2); COMMIT;
BEGIN; ALTER TABLE sends ADD COLUMN hold_told BIGINT; INSERT INTO schema_versions VALUES (3); COMMIT;
BEGIN; 
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
  ; INSERT INTO schema_versions VALUES (4); COMMIT;
BEGIN; 
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
  ; INSERT INTO schema_versions VALUES (5); COMMIT;
BEGIN; 
  ALTER TABLE sends ADD COLUMN alert TEXT;

  CREATE TABLE alert_events (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id TEXT COLLATE "C" NOT NULL UNIQUE,
    key TEXT COLLATE "C" NOT NULL UNIQUE,
    channel_id TEXT COLLATE "C" NOT NULL,
    ts TEXT COLLATE "C" NOT NULL,
    event_ts TEXT COLLATE "C" NOT NULL,
    document TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    decided_at BIGINT,
    decisions TEXT
  );
  CREATE INDEX alert_events_undecided ON alert_events (id) WHERE decided_at IS NULL;
  CREATE INDEX alert_events_of_message ON alert_events (channel_id, ts, event_ts);
  CREATE INDEX alert_events_decided ON alert_events (decided_at) WHERE decided_at IS NOT NULL;

  CREATE TABLE alerts (
    id TEXT COLLATE "C" PRIMARY KEY,
    received_at BIGINT NOT NULL,
    open INTEGER NOT NULL,
    due_at BIGINT,
    document TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    told_revision INTEGER NOT NULL DEFAULT 0,
    telling_until BIGINT NOT NULL DEFAULT 0,
    card_channel TEXT,
    card_ts TEXT
  );
  CREATE INDEX alerts_received ON alerts (received_at);
  CREATE INDEX alerts_due ON alerts (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX alerts_untold ON alerts (received_at) WHERE revision > told_revision;

  CREATE TABLE alert_rules (
    rule TEXT COLLATE "C" PRIMARY KEY,
    document TEXT NOT NULL
  );
  CREATE TABLE alert_version (version BIGINT NOT NULL);
  INSERT INTO alert_version VALUES (0);

  CREATE TABLE alert_numbers (
    user_id TEXT COLLATE "C" PRIMARY KEY,
    number TEXT NOT NULL,
    at BIGINT NOT NULL,
    entered_by TEXT NOT NULL
  );
; INSERT INTO schema_versions VALUES (6); COMMIT;
BEGIN; ALTER TABLE replicas ADD COLUMN can_tell BOOLEAN NOT NULL DEFAULT true; INSERT INTO schema_versions VALUES (7); COMMIT;
BEGIN; 
ALTER TABLE sends ADD COLUMN template TEXT, ADD COLUMN survey TEXT;
CREATE TABLE opt_out_removals (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  number TEXT NOT NULL
);
CREATE TRIGGER opt_out_removals_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON opt_out_removals
  FOR EACH STATEMENT EXECUTE FUNCTION keep_the_record();
; INSERT INTO schema_versions VALUES (8); COMMIT;
BEGIN; 
  CREATE TABLE input_attempts (
    source TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    attempts INTEGER NOT NULL,
    set_aside_at BIGINT,
    held_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (source, id)
  );
  ; INSERT INTO schema_versions VALUES (9); COMMIT;
BEGIN; 
  ALTER TABLE sends ADD COLUMN active_at BIGINT;
  UPDATE sends SET active_at = coalesce((SELECT max(attempted_at) FROM recipients WHERE send_id = sends.id), created_at)
    WHERE state = 'sending';
  ; INSERT INTO schema_versions VALUES (10); COMMIT;
BEGIN; 
  ALTER TABLE sends ADD COLUMN approval_over INTEGER;
  ALTER TABLE sends ADD COLUMN retry_group TEXT COLLATE "C";
  CREATE INDEX sends_by_original ON sends (retry_of) WHERE retry_of IS NOT NULL;
  ; INSERT INTO schema_versions VALUES (11); COMMIT;
BEGIN; 
  ALTER TABLE recipients ADD COLUMN explanation TEXT;
  ALTER TABLE send_failures ADD COLUMN example TEXT;
  ALTER TABLE deliveries ADD COLUMN explanation TEXT;
  ALTER TABLE delivery_counts ADD COLUMN example TEXT;
  ; INSERT INTO schema_versions VALUES (12); COMMIT;
BEGIN; 
  ALTER TABLE webhooks ADD COLUMN sender TEXT COLLATE "C";
  CREATE INDEX webhooks_by_sender ON webhooks (sender, id) WHERE sender IS NOT NULL;
  CREATE INDEX customer_events_by_person ON customer_events (send_id, number, id) WHERE label IS NOT NULL;
  ; INSERT INTO schema_versions VALUES (13); COMMIT;
CREATE INDEX recipients_by_message ON recipients (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX sends_by_announcement ON sends (announcement_ts) WHERE audience IS NULL;
SELECT 1 AS rows_below;
INSERT INTO replicas (id, lease_until, void_claims, can_tell) OVERRIDING SYSTEM VALUE SELECT id, lease_until, void_claims, can_tell FROM json_populate_recordset(NULL::replicas,
'[{"id":"R-FXCAN59ZXM","lease_until":"-infinity","void_claims":[],"can_tell":true}]') ON CONFLICT DO NOTHING;
INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, state, recipient_count, created_at, request_key, revision, announced_revision, announcement_channel, announcement_ts, next_row, pending, attempting, accepted, rejected, not_sent, unknown, skipped, audience, digest, approvals_needed, expires_at, card_channel, card_ts, start_at, reason, retry_of, resume_at, causes_ts, end_told, owner, hold_told, canary_judged, alert, template, survey, active_at, approval_over, retry_group) OVERRIDING SYSTEM VALUE SELECT id, kind, message, team_id, user_id, channel_id, state, recipient_count, created_at, request_key, revision, announced_revision, announcement_channel, announcement_ts, next_row, pending, attempting, accepted, rejected, not_sent, unknown, skipped, audience, digest, approvals_needed, expires_at, card_channel, card_ts, start_at, reason, retry_of, resume_at, causes_ts, end_told, owner, hold_told, canary_judged, alert, template, survey, active_at, approval_over, retry_group FROM json_populate_recordset(NULL::sends,
 E'[{"id":"S-0","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Offer S-0\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"done","recipient_count":100,"created_at":1767225600000,"request_key":"S-0","revision":1,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":100,"pending":0,"attempting":0,"accepted":100,"rejected":0,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-0\\",\\"columns\\":[\\"name\\"]}","digest":"S-0","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":"all","owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":1767225600000,"approval_over":null,"retry_group":null},
{"id":"S-1","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Offer S-1\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"done","recipient_count":1,"created_at":1767225600000,"request_key":"S-1","revision":1,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":1,"pending":0,"attempting":0,"accepted":1,"rejected":0,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-1\\",\\"columns\\":[\\"name\\"]}","digest":"S-1","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":"all","owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":1767225600000,"approval_over":null,"retry_group":null},
{"id":"S-2","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Offer S-2\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"done","recipient_count":1,"created_at":1767312000000,"request_key":"S-2","revision":1,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":1,"pending":0,"attempting":0,"accepted":1,"rejected":0,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-2\\",\\"columns\\":[\\"name\\"]}","digest":"S-2","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":"all","owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":1767312000000,"approval_over":null,"retry_group":null},
{"id":"S-3","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Offer S-3\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"done","recipient_count":1,"created_at":1767312000000,"request_key":"S-3","revision":1,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":1,"pending":0,"attempting":0,"accepted":1,"rejected":0,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-3\\",\\"columns\\":[\\"name\\"]}","digest":"S-3","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":"all","owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":1767312000000,"approval_over":null,"retry_group":null},
{"id":"S-4","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Offer S-4\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"done","recipient_count":1,"created_at":1767312000000,"request_key":"S-4","revision":1,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":1,"pending":0,"attempting":0,"accepted":1,"rejected":0,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-4\\",\\"columns\\":[\\"name\\"]}","digest":"S-4","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":"all","owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":1767312000000,"approval_over":null,"retry_group":null},
{"id":"S-MIDDLE","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Dear {{name}}\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"sending","recipient_count":10,"created_at":1767225600000,"request_key":"S-MIDDLE","revision":1,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":5,"pending":5,"attempting":1,"accepted":3,"rejected":1,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-MIDDLE\\",\\"columns\\":[\\"name\\"]}","digest":"digest of S-MIDDLE","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":null,"owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":1767225600000,"approval_over":null,"retry_group":null},
{"id":"S-WAITING","kind":"sms","message":"{\\"kind\\":\\"sms\\",\\"sender\\":\\"ACMEIN\\",\\"text\\":\\"Dear {{name}}\\",\\"type\\":\\"TRANS\\",\\"unicode\\":false}","team_id":"T","user_id":"U","channel_id":"C","state":"awaiting_approval","recipient_count":10,"created_at":1767225600000,"request_key":"S-WAITING","revision":0,"announced_revision":0,"announcement_channel":null,"announcement_ts":null,"next_row":0,"pending":10,"attempting":0,"accepted":0,"rejected":0,"not_sent":0,"unknown":0,"skipped":0,"audience":"{\\"id\\":\\"A-S-WAITING\\",\\"columns\\":[\\"name\\"]}","digest":"digest of S-WAITING","approvals_needed":null,"expires_at":null,"card_channel":null,"card_ts":null,"start_at":null,"reason":null,"retry_of":null,"resume_at":null,"causes_ts":null,"end_told":null,"owner":"R-FXCAN59ZXM","hold_told":null,"unannounced":null,"canary_judged":0,"alert":null,"template":null,"survey":null,"active_at":null,"approval_over":null,"retry_group":null}]') ON CONFLICT DO NOTHING;
INSERT INTO recipients (send_id, "row", number, state, cells, message_id, status, failure, attempted_at, settled_at, claimed_by, claim_number, explanation) OVERRIDING SYSTEM VALUE SELECT send_id, "row", number, state, cells, message_id, status, failure, attempted_at, settled_at, claimed_by, claim_number, explanation FROM json_populate_recordset(NULL::recipients,
 E'[{"send_id":"S-0","row":0,"number":"+919800000000","state":"accepted","cells":"[\\"Person 0\\"]","message_id":"S-0-0","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":1,"number":"+919800000001","state":"accepted","cells":"[\\"Person 1\\"]","message_id":"S-0-1","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":10,"number":"+919800000010","state":"accepted","cells":"[\\"Person 10\\"]","message_id":"S-0-10","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":11,"number":"+919800000011","state":"accepted","cells":"[\\"Person 11\\"]","message_id":"S-0-11","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":12,"number":"+919800000012","state":"accepted","cells":"[\\"Person 12\\"]","message_id":"S-0-12","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":13,"number":"+919800000013","state":"accepted","cells":"[\\"Person 13\\"]","message_id":"S-0-13","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":14,"number":"+919800000014","state":"accepted","cells":"[\\"Person 14\\"]","message_id":"S-0-14","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":15,"number":"+919800000015","state":"accepted","cells":"[\\"Person 15\\"]","message_id":"S-0-15","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":16,"number":"+919800000016","state":"accepted","cells":"[\\"Person 16\\"]","message_id":"S-0-16","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":17,"number":"+919800000017","state":"accepted","cells":"[\\"Person 17\\"]","message_id":"S-0-17","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":18,"number":"+919800000018","state":"accepted","cells":"[\\"Person 18\\"]","message_id":"S-0-18","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":19,"number":"+919800000019","state":"accepted","cells":"[\\"Person 19\\"]","message_id":"S-0-19","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":2,"number":"+919800000002","state":"accepted","cells":"[\\"Person 2\\"]","message_id":"S-0-2","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":20,"number":"+919800000020","state":"accepted","cells":"[\\"Person 20\\"]","message_id":"S-0-20","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":21,"number":"+919800000021","state":"accepted","cells":"[\\"Person 21\\"]","message_id":"S-0-21","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":22,"number":"+919800000022","state":"accepted","cells":"[\\"Person 22\\"]","message_id":"S-0-22","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":23,"number":"+919800000023","state":"accepted","cells":"[\\"Person 23\\"]","message_id":"S-0-23","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":24,"number":"+919800000024","state":"accepted","cells":"[\\"Person 24\\"]","message_id":"S-0-24","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":25,"number":"+919800000025","state":"accepted","cells":"[\\"Person 25\\"]","message_id":"S-0-25","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":26,"number":"+919800000026","state":"accepted","cells":"[\\"Person 26\\"]","message_id":"S-0-26","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":27,"number":"+919800000027","state":"accepted","cells":"[\\"Person 27\\"]","message_id":"S-0-27","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":28,"number":"+919800000028","state":"accepted","cells":"[\\"Person 28\\"]","message_id":"S-0-28","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":29,"number":"+919800000029","state":"accepted","cells":"[\\"Person 29\\"]","message_id":"S-0-29","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":3,"number":"+919800000003","state":"accepted","cells":"[\\"Person 3\\"]","message_id":"S-0-3","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":30,"number":"+919800000030","state":"accepted","cells":"[\\"Person 30\\"]","message_id":"S-0-30","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":31,"number":"+919800000031","state":"accepted","cells":"[\\"Person 31\\"]","message_id":"S-0-31","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":32,"number":"+919800000032","state":"accepted","cells":"[\\"Person 32\\"]","message_id":"S-0-32","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":33,"number":"+919800000033","state":"accepted","cells":"[\\"Person 33\\"]","message_id":"S-0-33","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":34,"number":"+919800000034","state":"accepted","cells":"[\\"Person 34\\"]","message_id":"S-0-34","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":35,"number":"+919800000035","state":"accepted","cells":"[\\"Person 35\\"]","message_id":"S-0-35","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":36,"number":"+919800000036","state":"accepted","cells":"[\\"Person 36\\"]","message_id":"S-0-36","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":37,"number":"+919800000037","state":"accepted","cells":"[\\"Person 37\\"]","message_id":"S-0-37","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":38,"number":"+919800000038","state":"accepted","cells":"[\\"Person 38\\"]","message_id":"S-0-38","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":39,"number":"+919800000039","state":"accepted","cells":"[\\"Person 39\\"]","message_id":"S-0-39","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":4,"number":"+919800000004","state":"accepted","cells":"[\\"Person 4\\"]","message_id":"S-0-4","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":40,"number":"+919800000040","state":"accepted","cells":"[\\"Person 40\\"]","message_id":"S-0-40","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":41,"number":"+919800000041","state":"accepted","cells":"[\\"Person 41\\"]","message_id":"S-0-41","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":42,"number":"+919800000042","state":"accepted","cells":"[\\"Person 42\\"]","message_id":"S-0-42","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":43,"number":"+919800000043","state":"accepted","cells":"[\\"Person 43\\"]","message_id":"S-0-43","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":44,"number":"+919800000044","state":"accepted","cells":"[\\"Person 44\\"]","message_id":"S-0-44","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":45,"number":"+919800000045","state":"accepted","cells":"[\\"Person 45\\"]","message_id":"S-0-45","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":46,"number":"+919800000046","state":"accepted","cells":"[\\"Person 46\\"]","message_id":"S-0-46","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":47,"number":"+919800000047","state":"accepted","cells":"[\\"Person 47\\"]","message_id":"S-0-47","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":48,"number":"+919800000048","state":"accepted","cells":"[\\"Person 48\\"]","message_id":"S-0-48","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":49,"number":"+919800000049","state":"accepted","cells":"[\\"Person 49\\"]","message_id":"S-0-49","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":5,"number":"+919800000005","state":"accepted","cells":"[\\"Person 5\\"]","message_id":"S-0-5","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":50,"number":"+919800000050","state":"accepted","cells":"[\\"Person 50\\"]","message_id":"S-0-50","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":51,"number":"+919800000051","state":"accepted","cells":"[\\"Person 51\\"]","message_id":"S-0-51","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":52,"number":"+919800000052","state":"accepted","cells":"[\\"Person 52\\"]","message_id":"S-0-52","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":53,"number":"+919800000053","state":"accepted","cells":"[\\"Person 53\\"]","message_id":"S-0-53","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":54,"number":"+919800000054","state":"accepted","cells":"[\\"Person 54\\"]","message_id":"S-0-54","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":55,"number":"+919800000055","state":"accepted","cells":"[\\"Person 55\\"]","message_id":"S-0-55","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":56,"number":"+919800000056","state":"accepted","cells":"[\\"Person 56\\"]","message_id":"S-0-56","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":57,"number":"+919800000057","state":"accepted","cells":"[\\"Person 57\\"]","message_id":"S-0-57","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":58,"number":"+919800000058","state":"accepted","cells":"[\\"Person 58\\"]","message_id":"S-0-58","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":59,"number":"+919800000059","state":"accepted","cells":"[\\"Person 59\\"]","message_id":"S-0-59","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":6,"number":"+919800000006","state":"accepted","cells":"[\\"Person 6\\"]","message_id":"S-0-6","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":60,"number":"+919800000060","state":"accepted","cells":"[\\"Person 60\\"]","message_id":"S-0-60","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":61,"number":"+919800000061","state":"accepted","cells":"[\\"Person 61\\"]","message_id":"S-0-61","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":62,"number":"+919800000062","state":"accepted","cells":"[\\"Person 62\\"]","message_id":"S-0-62","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":63,"number":"+919800000063","state":"accepted","cells":"[\\"Person 63\\"]","message_id":"S-0-63","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":64,"number":"+919800000064","state":"accepted","cells":"[\\"Person 64\\"]","message_id":"S-0-64","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":65,"number":"+919800000065","state":"accepted","cells":"[\\"Person 65\\"]","message_id":"S-0-65","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":66,"number":"+919800000066","state":"accepted","cells":"[\\"Person 66\\"]","message_id":"S-0-66","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":67,"number":"+919800000067","state":"accepted","cells":"[\\"Person 67\\"]","message_id":"S-0-67","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":68,"number":"+919800000068","state":"accepted","cells":"[\\"Person 68\\"]","message_id":"S-0-68","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":69,"number":"+919800000069","state":"accepted","cells":"[\\"Person 69\\"]","message_id":"S-0-69","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":7,"number":"+919800000007","state":"accepted","cells":"[\\"Person 7\\"]","message_id":"S-0-7","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":70,"number":"+919800000070","state":"accepted","cells":"[\\"Person 70\\"]","message_id":"S-0-70","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":71,"number":"+919800000071","state":"accepted","cells":"[\\"Person 71\\"]","message_id":"S-0-71","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":72,"number":"+919800000072","state":"accepted","cells":"[\\"Person 72\\"]","message_id":"S-0-72","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":73,"number":"+919800000073","state":"accepted","cells":"[\\"Person 73\\"]","message_id":"S-0-73","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":74,"number":"+919800000074","state":"accepted","cells":"[\\"Person 74\\"]","message_id":"S-0-74","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":75,"number":"+919800000075","state":"accepted","cells":"[\\"Person 75\\"]","message_id":"S-0-75","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":76,"number":"+919800000076","state":"accepted","cells":"[\\"Person 76\\"]","message_id":"S-0-76","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":77,"number":"+919800000077","state":"accepted","cells":"[\\"Person 77\\"]","message_id":"S-0-77","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":78,"number":"+919800000078","state":"accepted","cells":"[\\"Person 78\\"]","message_id":"S-0-78","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":79,"number":"+919800000079","state":"accepted","cells":"[\\"Person 79\\"]","message_id":"S-0-79","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":8,"number":"+919800000008","state":"accepted","cells":"[\\"Person 8\\"]","message_id":"S-0-8","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":80,"number":"+919800000080","state":"accepted","cells":"[\\"Person 80\\"]","message_id":"S-0-80","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":81,"number":"+919800000081","state":"accepted","cells":"[\\"Person 81\\"]","message_id":"S-0-81","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":82,"number":"+919800000082","state":"accepted","cells":"[\\"Person 82\\"]","message_id":"S-0-82","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":83,"number":"+919800000083","state":"accepted","cells":"[\\"Person 83\\"]","message_id":"S-0-83","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":84,"number":"+919800000084","state":"accepted","cells":"[\\"Person 84\\"]","message_id":"S-0-84","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":85,"number":"+919800000085","state":"accepted","cells":"[\\"Person 85\\"]","message_id":"S-0-85","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":86,"number":"+919800000086","state":"accepted","cells":"[\\"Person 86\\"]","message_id":"S-0-86","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":87,"number":"+919800000087","state":"accepted","cells":"[\\"Person 87\\"]","message_id":"S-0-87","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":88,"number":"+919800000088","state":"accepted","cells":"[\\"Person 88\\"]","message_id":"S-0-88","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":89,"number":"+919800000089","state":"accepted","cells":"[\\"Person 89\\"]","message_id":"S-0-89","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":9,"number":"+919800000009","state":"accepted","cells":"[\\"Person 9\\"]","message_id":"S-0-9","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":90,"number":"+919800000090","state":"accepted","cells":"[\\"Person 90\\"]","message_id":"S-0-90","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":91,"number":"+919800000091","state":"accepted","cells":"[\\"Person 91\\"]","message_id":"S-0-91","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":92,"number":"+919800000092","state":"accepted","cells":"[\\"Person 92\\"]","message_id":"S-0-92","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":93,"number":"+919800000093","state":"accepted","cells":"[\\"Person 93\\"]","message_id":"S-0-93","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":94,"number":"+919800000094","state":"accepted","cells":"[\\"Person 94\\"]","message_id":"S-0-94","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":95,"number":"+919800000095","state":"accepted","cells":"[\\"Person 95\\"]","message_id":"S-0-95","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":96,"number":"+919800000096","state":"accepted","cells":"[\\"Person 96\\"]","message_id":"S-0-96","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":97,"number":"+919800000097","state":"accepted","cells":"[\\"Person 97\\"]","message_id":"S-0-97","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":98,"number":"+919800000098","state":"accepted","cells":"[\\"Person 98\\"]","message_id":"S-0-98","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-0","row":99,"number":"+919800000099","state":"accepted","cells":"[\\"Person 99\\"]","message_id":"S-0-99","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":1,"explanation":null},
{"send_id":"S-1","row":0,"number":"+919800000000","state":"accepted","cells":"[\\"Person 0\\"]","message_id":"S-1-0","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":2,"explanation":null},
{"send_id":"S-2","row":0,"number":"+919800010000","state":"accepted","cells":"[\\"Person 0\\"]","message_id":"S-2-0","status":200,"failure":null,"attempted_at":1767312000000,"settled_at":1767312000000,"claimed_by":"R-FXCAN59ZXM","claim_number":3,"explanation":null},
{"send_id":"S-3","row":0,"number":"+919800010000","state":"accepted","cells":"[\\"Person 0\\"]","message_id":"S-3-0","status":200,"failure":null,"attempted_at":1767312000000,"settled_at":1767312000000,"claimed_by":"R-FXCAN59ZXM","claim_number":4,"explanation":null},
{"send_id":"S-4","row":0,"number":"+919800010000","state":"accepted","cells":"[\\"Person 0\\"]","message_id":"S-4-0","status":200,"failure":null,"attempted_at":1767312000000,"settled_at":1767312000000,"claimed_by":"R-FXCAN59ZXM","claim_number":5,"explanation":null},
{"send_id":"S-MIDDLE","row":0,"number":"+919809990000","state":"accepted","cells":"[\\"Person \\\\\\"0\\\\\\" 🛵\\"]","message_id":"m-0","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":6,"explanation":null},
{"send_id":"S-MIDDLE","row":1,"number":"+919809990001","state":"accepted","cells":"[\\"Person \\\\\\"1\\\\\\" 🛵\\"]","message_id":"m-1","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":6,"explanation":null},
{"send_id":"S-MIDDLE","row":2,"number":"+919809990002","state":"accepted","cells":"[\\"Person \\\\\\"2\\\\\\" 🛵\\"]","message_id":"m-2","status":200,"failure":null,"attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":6,"explanation":null},
{"send_id":"S-MIDDLE","row":3,"number":"+919809990003","state":"rejected","cells":"[\\"Person \\\\\\"3\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":"{\\"what\\":\\"It was refused.\\",\\"next\\":\\"Look at it.\\",\\"scope\\":\\"recipient\\"}","attempted_at":1767225600000,"settled_at":1767225600000,"claimed_by":"R-FXCAN59ZXM","claim_number":6,"explanation":null},
{"send_id":"S-MIDDLE","row":4,"number":"+919809990004","state":"attempting","cells":"[\\"Person \\\\\\"4\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":1767225600000,"settled_at":null,"claimed_by":"R-FXCAN59ZXM","claim_number":6,"explanation":null},
{"send_id":"S-MIDDLE","row":5,"number":"+919809990005","state":"pending","cells":"[\\"Person \\\\\\"5\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-MIDDLE","row":6,"number":"+919809990006","state":"pending","cells":"[\\"Person \\\\\\"6\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-MIDDLE","row":7,"number":"+919809990007","state":"pending","cells":"[\\"Person \\\\\\"7\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-MIDDLE","row":8,"number":"+919809990008","state":"pending","cells":"[\\"Person \\\\\\"8\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-MIDDLE","row":9,"number":"+919809990009","state":"pending","cells":"[\\"Person \\\\\\"9\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":0,"number":"+919809990000","state":"pending","cells":"[\\"Person \\\\\\"0\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":1,"number":"+919809990001","state":"pending","cells":"[\\"Person \\\\\\"1\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":2,"number":"+919809990002","state":"pending","cells":"[\\"Person \\\\\\"2\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":3,"number":"+919809990003","state":"pending","cells":"[\\"Person \\\\\\"3\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":4,"number":"+919809990004","state":"pending","cells":"[\\"Person \\\\\\"4\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":5,"number":"+919809990005","state":"pending","cells":"[\\"Person \\\\\\"5\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":6,"number":"+919809990006","state":"pending","cells":"[\\"Person \\\\\\"6\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":7,"number":"+919809990007","state":"pending","cells":"[\\"Person \\\\\\"7\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":8,"number":"+919809990008","state":"pending","cells":"[\\"Person \\\\\\"8\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null},
{"send_id":"S-WAITING","row":9,"number":"+919809990009","state":"pending","cells":"[\\"Person \\\\\\"9\\\\\\" 🛵\\"]","message_id":null,"status":null,"failure":null,"attempted_at":null,"settled_at":null,"claimed_by":null,"claim_number":null,"explanation":null}]') ON CONFLICT DO NOTHING;
INSERT INTO send_failures (send_id, state, failure, count, example) OVERRIDING SYSTEM VALUE SELECT send_id, state, failure, count, example FROM json_populate_recordset(NULL::send_failures,
 E'[{"send_id":"S-MIDDLE","state":"rejected","failure":"{\\"what\\":\\"It was refused.\\",\\"next\\":\\"Look at it.\\",\\"scope\\":\\"recipient\\"}","count":1,"example":null}]') ON CONFLICT DO NOTHING;
INSERT INTO send_events (id, send_id, at, actor, action, reason) OVERRIDING SYSTEM VALUE SELECT id, send_id, at, actor, action, reason FROM json_populate_recordset(NULL::send_events,
'[{"id":1,"send_id":"S-0","at":1767225600000,"actor":"U","action":"requested","reason":null},
{"id":10,"send_id":"S-2","at":1767312000000,"actor":"U","action":"approved","reason":null},
{"id":11,"send_id":"S-2","at":1767312000000,"actor":"U","action":"sending","reason":null},
{"id":12,"send_id":"S-2","at":1767312000000,"actor":"herald","action":"done","reason":null},
{"id":13,"send_id":"S-3","at":1767312000000,"actor":"U","action":"requested","reason":null},
{"id":14,"send_id":"S-3","at":1767312000000,"actor":"U","action":"approved","reason":null},
{"id":15,"send_id":"S-3","at":1767312000000,"actor":"U","action":"sending","reason":null},
{"id":16,"send_id":"S-3","at":1767312000000,"actor":"herald","action":"done","reason":null},
{"id":17,"send_id":"S-4","at":1767312000000,"actor":"U","action":"requested","reason":null},
{"id":18,"send_id":"S-4","at":1767312000000,"actor":"U","action":"approved","reason":null},
{"id":19,"send_id":"S-4","at":1767312000000,"actor":"U","action":"sending","reason":null},
{"id":2,"send_id":"S-0","at":1767225600000,"actor":"U","action":"approved","reason":null},
{"id":20,"send_id":"S-4","at":1767312000000,"actor":"herald","action":"done","reason":null},
{"id":21,"send_id":"S-MIDDLE","at":1767225600000,"actor":"U","action":"requested","reason":null},
{"id":22,"send_id":"S-MIDDLE","at":1767225600000,"actor":"U","action":"approved","reason":null},
{"id":23,"send_id":"S-WAITING","at":1767225600000,"actor":"U","action":"requested","reason":null},
{"id":24,"send_id":"S-WAITING","at":1767225600000,"actor":"U","action":"awaiting_approval","reason":null},
{"id":25,"send_id":"S-MIDDLE","at":1767225600000,"actor":"U","action":"sending","reason":null},
{"id":3,"send_id":"S-0","at":1767225600000,"actor":"U","action":"sending","reason":null},
{"id":4,"send_id":"S-0","at":1767225600000,"actor":"herald","action":"done","reason":null},
{"id":5,"send_id":"S-1","at":1767225600000,"actor":"U","action":"requested","reason":null},
{"id":6,"send_id":"S-1","at":1767225600000,"actor":"U","action":"approved","reason":null},
{"id":7,"send_id":"S-1","at":1767225600000,"actor":"U","action":"sending","reason":null},
{"id":8,"send_id":"S-1","at":1767225600000,"actor":"herald","action":"done","reason":null},
{"id":9,"send_id":"S-2","at":1767312000000,"actor":"U","action":"requested","reason":null}]') ON CONFLICT DO NOTHING;
SELECT setval(pg_get_serial_sequence('send_events', 'id'), max(id)) FROM send_events;
INSERT INTO opt_outs (number, at, actor, source) OVERRIDING SYSTEM VALUE SELECT number, at, actor, source FROM json_populate_recordset(NULL::opt_outs,
'[{"number":"+919800000000","at":1767225600000,"actor":"U","source":"command"}]') ON CONFLICT DO NOTHING;
INSERT INTO templates (channel, name, definition, archived, revision, changed_by, changed_at) OVERRIDING SYSTEM VALUE SELECT channel, name, definition, archived, revision, changed_by, changed_at FROM json_populate_recordset(NULL::templates,
 E'[{"channel":"chatapp","name":"order_update","definition":"{\\"name\\":\\"order_update\\",\\"channel\\":\\"chatapp\\",\\"variant\\":\\"text\\",\\"label\\":\\"Order “update” 🛵\\",\\"languages\\":[\\"en\\",\\"hi\\"],\\"placeholders\\":[{\\"name\\":\\"customer\\",\\"example\\":\\"Asha\\"}],\\"text\\":\\"Hello {{1}}.\\",\\"cards\\":0}","archived":0,"revision":1,"changed_by":"U","changed_at":1767225600000}]') ON CONFLICT DO NOTHING;
INSERT INTO webhooks (id, digest, received_at, content_type, body, repeats, due_at, postponed, sender) OVERRIDING SYSTEM VALUE SELECT id, digest, received_at, content_type, body, repeats, due_at, postponed, sender FROM json_populate_recordset(NULL::webhooks,
 E'[{"id":1,"digest":"digest of a webhook","received_at":1767225600000,"content_type":null,"body":"\\\\x7b7d","repeats":0,"due_at":1767225600000,"postponed":0,"sender":null}]') ON CONFLICT DO NOTHING;
SELECT setval(pg_get_serial_sequence('webhooks', 'id'), max(id)) FROM webhooks;
INSERT INTO template_changes (id, channel, name, revision, action, source, actor, at, definition) OVERRIDING SYSTEM VALUE SELECT id, channel, name, revision, action, source, actor, at, definition FROM json_populate_recordset(NULL::template_changes,
 E'[{"id":1,"channel":"chatapp","name":"order_update","revision":1,"action":"added","source":"form","actor":"U","at":1767225600000,"definition":"{\\"name\\":\\"order_update\\",\\"channel\\":\\"chatapp\\",\\"variant\\":\\"text\\",\\"label\\":\\"Order “update” 🛵\\",\\"languages\\":[\\"en\\",\\"hi\\"],\\"placeholders\\":[{\\"name\\":\\"customer\\",\\"example\\":\\"Asha\\"}],\\"text\\":\\"Hello {{1}}.\\",\\"cards\\":0}"}]') ON CONFLICT DO NOTHING;
SELECT setval(pg_get_serial_sequence('template_changes', 'id'), max(id)) FROM template_changes;
INSERT INTO alert_version (version) OVERRIDING SYSTEM VALUE SELECT version FROM json_populate_recordset(NULL::alert_version,
'[{"version":0}]') ON CONFLICT DO NOTHING;
