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
import * as sql from './alert-statements.ts';
import type { Database, Runner, Statement } from './database.ts';

type Row = Record<string, unknown>;

/** The `AlertStore` on PostgreSQL. */
export function createPostgresAlertStore(database: Database): AlertStore {
  const rows = (asked: Statement, values: readonly unknown[]) => database.run<Row>(asked, values);

  return {
    keep: (events) =>
      database.transaction(async (runner) => {
        const kept: { repeated: boolean }[] = [];
        for (const event of events) {
          const { eventId, channelId, ts, eventTs, receivedAt } = event;
          const values = [eventId, keyOf(event), channelId, ts, eventTs, JSON.stringify(event), receivedAt];
          kept.push({ repeated: (await runner.run(sql.keepEvent, values)).length === 0 });
        }
        return kept;
      }),
    waiting: async (limit) => (await rows(sql.waitingEvents, [limit])).map(alertEventFrom),
    state: async ({ recent, openSince, ids }) => {
      // The version first: what is committed between the two makes the alerts newer than it, and that is refused.
      const [current] = await rows(sql.version, []);
      const alerts = await rows(sql.stateAlerts, [recent, openSince, ids]);
      const rules = await rows(sql.rules, []);
      return {
        version: Number(current?.version),
        alerts: alerts.map(alertFrom),
        rules: rules.map(ruleStateFrom),
      };
    },
    commit: (version, changes, at) =>
      database.transaction(async (runner) => {
        if ((await runner.run(sql.nextVersion, [version])).length === 0) return false;
        await write(runner, changes, at);
        return true;
      }),
    nextDue: async () => {
      const [{ due } = {}] = await rows(sql.nextDue, []);
      return typeof due === 'number' ? due : undefined;
    },
    due: async (now, limit) => (await rows(sql.due, [now, limit])).map(alertFrom),
    find: async (alertId) => {
      const [row] = await rows(sql.find, [alertId]);
      return row && alertFrom(row);
    },
    touch: async (alertId) => {
      await rows(sql.touch, [alertId]);
    },
    unannounced: async (now, until, limit) =>
      oldestFirst(await rows(sql.claimUntold, [until, now, limit])).map(unannouncedFrom),
    markAnnounced: async (alertId, revision, card) => {
      await rows(sql.markAnnounced, [revision, card?.channelId ?? null, card?.ts ?? null, alertId]);
    },
    decisionsSince: async (since) => (await rows(sql.decisionsSince, [since])).map(decisionCountFrom),
    putNumber: async ({ userId, number, at, by }) => {
      await rows(sql.putNumber, [userId, number, at, by]);
    },
    removeNumber: async (userId) => (await rows(sql.removeNumber, [userId])).length === 1,
    numbers: async () => (await rows(sql.numbers, [])).map(numberFrom),
  };
}

async function write(
  runner: Runner,
  { events = [], alerts = [], rules = [] }: AlertChanges,
  at: number,
): Promise<void> {
  await runner.run(sql.decideEvents, [
    events.map(({ id }) => id),
    events.map(({ decisions }) => JSON.stringify(decisions)),
    at,
  ]);
  for (const alert of alerts) {
    const isOpen = alert.state === 'open' || alert.state === 'acknowledged';
    const document = JSON.stringify(alert);
    await runner.run(sql.putAlert, [
      alert.id,
      alert.receivedAt,
      isOpen ? 1 : 0,
      dueAtOf(alert) ?? null,
      document,
    ]);
  }
  for (const rule of rules) await runner.run(sql.putRule, [rule.rule, JSON.stringify(rule)]);
}
