import { statement } from './database.ts';

export const keepEvent = statement(
  'keep_alert_event',
  `INSERT INTO alert_events (event_id, key, channel_id, ts, event_ts, document, received_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id`,
);
export const waitingEvents = statement(
  'waiting_alert_events',
  `SELECT id, document, EXISTS (SELECT FROM alert_events AS later WHERE later.channel_id = alert_events.channel_id
       AND later.ts = alert_events.ts AND later.event_ts > alert_events.event_ts) AS superseded
     FROM alert_events WHERE decided_at IS NULL ORDER BY id LIMIT $1`,
);
export const decideEvents = statement(
  'decide_alert_events',
  `UPDATE alert_events SET decided_at = $3, decisions = given.decisions
   FROM unnest($1::bigint[], $2::text[]) AS given (id, decisions) WHERE alert_events.id = given.id`,
);
export const decisionsSince = statement(
  'alert_decisions_since',
  `SELECT value ->> 'rule' AS rule, value ->> 'what' AS what, count(*) AS count
   FROM alert_events, jsonb_array_elements(decisions::jsonb) WHERE decided_at >= $1 GROUP BY 1, 2
   ORDER BY 1, 2`,
);

export const version = statement('alert_version', 'SELECT version FROM alert_version');
/** Locks the one row until the commit, so that of several replicas one writes and the others see that it did. */
export const nextVersion = statement(
  'next_alert_version',
  'UPDATE alert_version SET version = version + 1 WHERE version = $1 RETURNING version',
);
export const stateAlerts = statement(
  'state_alerts',
  `SELECT document FROM alerts WHERE received_at >= $1 OR (open = 1 AND received_at >= $2)
     OR due_at IS NOT NULL OR id = ANY ($3::text[]) ORDER BY received_at, id`,
);
export const rules = statement('alert_rules', 'SELECT document FROM alert_rules ORDER BY rule');
export const putAlert = statement(
  'put_alert',
  `INSERT INTO alerts (id, received_at, open, due_at, document) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (id) DO UPDATE SET open = excluded.open, due_at = excluded.due_at, document = excluded.document,
     revision = alerts.revision + 1`,
);
export const putRule = statement(
  'put_alert_rule',
  `INSERT INTO alert_rules (rule, document) VALUES ($1, $2)
   ON CONFLICT (rule) DO UPDATE SET document = excluded.document`,
);
export const nextDue = statement(
  'next_due_alert',
  'SELECT min(due_at) AS due FROM alerts WHERE due_at IS NOT NULL',
);
export const due = statement(
  'due_alerts',
  'SELECT document FROM alerts WHERE due_at <= $1 ORDER BY due_at, received_at, id LIMIT $2',
);
export const find = statement('find_alert', 'SELECT document FROM alerts WHERE id = $1');
export const touch = statement('touch_alert', 'UPDATE alerts SET revision = revision + 1 WHERE id = $1');
export const claimUntold = statement(
  'claim_untold_alerts',
  `UPDATE alerts SET telling_until = $1 WHERE id IN (SELECT id FROM alerts
     WHERE revision > told_revision AND telling_until <= $2 ORDER BY received_at, id LIMIT $3
     FOR UPDATE SKIP LOCKED) RETURNING *`,
);
export const markAnnounced = statement(
  'mark_alert_told',
  `UPDATE alerts SET told_revision = greatest(told_revision, $1), telling_until = 0,
     card_channel = coalesce($2, card_channel), card_ts = coalesce($3, card_ts) WHERE id = $4`,
);

export const putNumber = statement(
  'put_alert_number',
  `INSERT INTO alert_numbers (user_id, number, at, entered_by) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id) DO UPDATE SET number = excluded.number, at = excluded.at, entered_by = excluded.entered_by`,
);
export const removeNumber = statement(
  'remove_alert_number',
  'DELETE FROM alert_numbers WHERE user_id = $1 RETURNING user_id',
);
export const numbers = statement('alert_numbers', 'SELECT * FROM alert_numbers ORDER BY user_id');
