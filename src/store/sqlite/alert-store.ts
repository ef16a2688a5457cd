import type { DatabaseSync } from 'node:sqlite';
import { dueAtOf } from '../../sends/alerts/alert.ts';
import type { AlertChanges, AlertStore } from '../../sends/alerts/ports.ts';
import {
  alertEventFrom,
  alertFrom,
  decisionCountFrom,
  keyOf,
  numberFrom,
  oldestFirst,
  ruleStateFrom,
  unannouncedFrom,
} from '../alert-rows.ts';
import { transactionsOn } from './transaction.ts';

/** The `AlertStore` on one SQLite file; `database` comes from `openDatabase`. */
export function createSqliteAlertStore(database: DatabaseSync): AlertStore {
  const sql = { ...eventStatements(database), ...alertStatements(database), ...numberStatements(database) };
  const transaction = transactionsOn(database);

  function write({ events = [], alerts = [], rules = [] }: AlertChanges, at: number): void {
    for (const { id, decisions } of events) sql.decideEvent.run(at, JSON.stringify(decisions), id);
    for (const alert of alerts) {
      const isOpen = alert.state === 'open' || alert.state === 'acknowledged';
      const document = JSON.stringify(alert);
      sql.putAlert.run(alert.id, alert.receivedAt, isOpen ? 1 : 0, dueAtOf(alert) ?? null, document);
    }
    for (const rule of rules) sql.putRule.run(rule.rule, JSON.stringify(rule));
  }

  return {
    keep: (events) =>
      transaction(() =>
        events.map((event) => {
          const { eventId, channelId, ts, eventTs, receivedAt } = event;
          const document = JSON.stringify(event);
          const kept = sql.keepEvent.run(eventId, keyOf(event), channelId, ts, eventTs, document, receivedAt);
          return { repeated: kept.changes === 0 };
        }),
      ),
    waiting: async (limit) => sql.waitingEvents.all(limit).map(alertEventFrom),
    state: ({ recent, openSince, ids }) =>
      transaction(() => ({
        version: Number(sql.version.get()?.version),
        alerts: sql.stateAlerts.all(recent, openSince, JSON.stringify(ids)).map(alertFrom),
        rules: sql.rules.all().map(ruleStateFrom),
      })),
    commit: (version, changes, at) =>
      transaction(() => {
        if (sql.nextVersion.run(version).changes === 0) return false;
        write(changes, at);
        return true;
      }),
    nextDue: async () => {
      const due = sql.nextDue.get()?.due;
      return typeof due === 'number' ? due : undefined;
    },
    due: async (now, limit) => sql.due.all(now, limit).map(alertFrom),
    find: async (alertId) => {
      const row = sql.find.get(alertId);
      return row && alertFrom(row);
    },
    touch: (alertId) =>
      transaction(() => {
        sql.touch.run(alertId);
      }),
    unannounced: (now, until, limit) =>
      transaction(() => oldestFirst(sql.claimUntold.all(until, now, limit)).map(unannouncedFrom)),
    markAnnounced: (alertId, revision, card) =>
      transaction(() => {
        sql.markAnnounced.run(revision, card?.channelId ?? null, card?.ts ?? null, alertId);
      }),
    decisionsSince: async (since) => sql.decisionsSince.all(since).map(decisionCountFrom),
    putNumber: ({ userId, number, at, by }) =>
      transaction(() => {
        sql.putNumber.run(userId, number, at, by);
      }),
    removeNumber: (userId) => transaction(() => sql.removeNumber.run(userId).changes === 1),
    numbers: async () => sql.numbers.all().map(numberFrom),
  };
}

function eventStatements(database: DatabaseSync) {
  return {
    keepEvent: database.prepare(
      `INSERT INTO alert_events (event_id, key, channel_id, ts, event_ts, document, received_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    waitingEvents: database.prepare(
      `SELECT id, document, EXISTS (SELECT 1 FROM alert_events AS later WHERE later.channel_id = alert_events.channel_id
           AND later.ts = alert_events.ts AND later.event_ts > alert_events.event_ts) AS superseded
         FROM alert_events WHERE decided_at IS NULL ORDER BY id LIMIT ?`,
    ),
    decideEvent: database.prepare('UPDATE alert_events SET decided_at = ?, decisions = ? WHERE id = ?'),
    decisionsSince: database.prepare(
      `SELECT value ->> 'rule' AS rule, value ->> 'what' AS what, count(*) AS count
       FROM alert_events, json_each(decisions) WHERE decided_at >= ? GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  };
}

function alertStatements(database: DatabaseSync) {
  return {
    version: database.prepare('SELECT version FROM alert_version'),
    nextVersion: database.prepare('UPDATE alert_version SET version = version + 1 WHERE version = ?'),
    stateAlerts: database.prepare(
      `SELECT document FROM alerts WHERE received_at >= ?1 OR (open = 1 AND received_at >= ?2)
         OR due_at IS NOT NULL OR id IN (SELECT value FROM json_each(?3)) ORDER BY received_at, id`,
    ),
    rules: database.prepare('SELECT document FROM alert_rules ORDER BY rule'),
    putAlert: database.prepare(
      `INSERT INTO alerts (id, received_at, open, due_at, document) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET open = excluded.open, due_at = excluded.due_at, document = excluded.document,
         revision = revision + 1`,
    ),
    putRule: database.prepare(
      `INSERT INTO alert_rules (rule, document) VALUES (?, ?)
       ON CONFLICT (rule) DO UPDATE SET document = excluded.document`,
    ),
    nextDue: database.prepare('SELECT min(due_at) AS due FROM alerts WHERE due_at IS NOT NULL'),
    due: database.prepare(
      'SELECT document FROM alerts WHERE due_at <= ? ORDER BY due_at, received_at, id LIMIT ?',
    ),
    find: database.prepare('SELECT document FROM alerts WHERE id = ?'),
    touch: database.prepare('UPDATE alerts SET revision = revision + 1 WHERE id = ?'),
    claimUntold: database.prepare(
      `UPDATE alerts SET telling_until = ? WHERE id IN (SELECT id FROM alerts
         WHERE revision > told_revision AND telling_until <= ? ORDER BY received_at, id LIMIT ?) RETURNING *`,
    ),
    markAnnounced: database.prepare(
      `UPDATE alerts SET told_revision = max(told_revision, ?), telling_until = 0,
         card_channel = coalesce(?, card_channel), card_ts = coalesce(?, card_ts) WHERE id = ?`,
    ),
  };
}

function numberStatements(database: DatabaseSync) {
  return {
    putNumber: database.prepare(
      `INSERT INTO alert_numbers (user_id, number, at, entered_by) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET number = excluded.number, at = excluded.at, entered_by = excluded.entered_by`,
    ),
    removeNumber: database.prepare('DELETE FROM alert_numbers WHERE user_id = ?'),
    numbers: database.prepare('SELECT * FROM alert_numbers ORDER BY user_id'),
  };
}
