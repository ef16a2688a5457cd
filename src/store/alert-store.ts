import { type Alert, type AlertEvent, dueAtOf, type RuleState } from '../sends/alerts/alert.ts';
import type { AlertChanges, AlertStore, NumberOnFile, StoredAlertEvent } from '../sends/alerts/ports.ts';
import { isOfSignal } from '../sends/alerts/signal.ts';
import { wantPost } from './post-store.ts';
import { type Database, type Row, type Runner, sql, write } from './sql.ts';

const KEEP_EVENT = `INSERT INTO alert_events (event_id, key, channel_id, ts, event_ts, document, received_at)
  VALUES (:eventId, :key, :channelId, :ts, :eventTs, :document, :receivedAt) ON CONFLICT DO NOTHING`;
/** What came while a rule was muted is decided on anew when it is reported after that. */
const LOOK_AGAIN = `UPDATE alert_events SET document = :document, received_at = :receivedAt, decided_at = NULL, decisions = NULL
  WHERE event_id = :eventId AND decisions LIKE '%"what":"muted"%'`;
/** `looked` is what was last looked at of the message. */
const WAITING_EVENTS = `SELECT one.id, one.document, looked.document AS said, looked.decisions,
    EXISTS (SELECT 1 FROM alert_events AS later WHERE later.channel_id = one.channel_id AND later.ts = one.ts
      AND later.event_ts > one.event_ts) AS superseded
  FROM alert_events AS one LEFT JOIN alert_events AS looked ON looked.id = (SELECT earlier.id
    FROM alert_events AS earlier WHERE earlier.channel_id = one.channel_id AND earlier.ts = one.ts
      AND earlier.event_ts < one.event_ts AND earlier.decisions IS NOT NULL
    ORDER BY earlier.event_ts DESC LIMIT 1)
  WHERE one.decided_at IS NULL ORDER BY one.id LIMIT :limit`;
const LAST_OF_EACH = `SELECT document FROM alert_events AS one WHERE channel_id = :channelId AND ts >= :begin AND ts < :end
  AND NOT EXISTS (SELECT 1 FROM alert_events AS later WHERE later.channel_id = one.channel_id AND later.ts = one.ts
    AND later.event_ts > one.event_ts) ORDER BY id DESC LIMIT 20`;
const SIGNALS = `SELECT document FROM alert_events WHERE channel_id = :channelId AND ts >= 'H' AND ts < 'I'
  AND received_at >= :since ORDER BY id DESC LIMIT 5000`;
const MESSAGE =
  'SELECT document FROM alert_events WHERE channel_id = :channelId AND ts = :ts ORDER BY event_ts';
const MESSAGE_POST = 'SELECT at_channel, ts, wanted > shown AS waiting FROM posts WHERE mark = :mark';
const DECIDE_EVENT = 'UPDATE alert_events SET decided_at = :at, decisions = :decisions WHERE id = :id';
const DECISIONS = { sqlite: 'json_each(decisions)', postgres: 'jsonb_array_elements(decisions::jsonb)' };
const DECISIONS_SINCE = sql`SELECT value ->> 'rule' AS rule, value ->> 'what' AS what, count(*) AS count
  FROM alert_events, ${DECISIONS} WHERE decided_at >= :since GROUP BY 1, 2 ORDER BY 1, 2`;

/** Locks the one row until the commit, so that of several replicas one writes and the others see that it did. */
const NEXT_VERSION = 'UPDATE alert_version SET version = version + 1 WHERE version = :version';
/** Each by its index: of conditions with OR between them every alert that there ever was is read. */
const STATE_ALERTS = `SELECT document FROM alerts WHERE id IN (
    SELECT id FROM alerts WHERE received_at >= :recent UNION ALL SELECT id FROM alerts WHERE due_at IS NOT NULL UNION ALL
    SELECT id FROM alerts WHERE open = 1 AND received_at >= :openSince UNION ALL SELECT id FROM alerts WHERE id IN (:ids...))
  ORDER BY received_at, id`;
const PUT_ALERT = `INSERT INTO alerts (id, received_at, open, due_at, document)
  VALUES (:id, :receivedAt, :open, :dueAt, :document)
  ON CONFLICT (id) DO UPDATE SET open = excluded.open, due_at = excluded.due_at, document = excluded.document`;
const PUT_RULE = `INSERT INTO alert_rules (rule, document) VALUES (:rule, :document)
  ON CONFLICT (rule) DO UPDATE SET document = excluded.document`;
const DUE = 'SELECT document FROM alerts WHERE due_at <= :now ORDER BY due_at, received_at, id LIMIT :limit';

const PUT_NUMBER = `INSERT INTO alert_numbers (user_id, number, at, entered_by) VALUES (:userId, :number, :at, :by)
  ON CONFLICT (user_id) DO UPDATE SET number = excluded.number, at = excluded.at, entered_by = excluded.entered_by`;
const NUMBERS = `SELECT user_id AS "userId", number, at, entered_by AS "by" FROM alert_numbers ORDER BY user_id`;

export function createAlertStore(database: Database): AlertStore {
  const documents = async <Document>(select: string, values = {}): Promise<Document[]> =>
    (await database.run(select, values)).map(documentFrom<Document>);
  const rules = () => documents<RuleState>('SELECT document FROM alert_rules ORDER BY rule');
  return {
    rules,
    keep: (events) =>
      database.transaction(async (runner) => {
        const kept: { repeated: boolean }[] = [];
        for (const event of events) {
          const document = JSON.stringify(event);
          const added = await runner.change(KEEP_EVENT, { ...event, key: keyOf(event), document });
          if (added > 0 && isOfSignal(event.ts) && !event.isHidden)
            await wantPost(runner, 'signal', { ...event, id: messageOf(event), since: event.receivedAt });
          else if (isOfSignal(event.ts)) await runner.change(LOOK_AGAIN, { ...event, document });
          kept.push({ repeated: added === 0 });
        }
        return kept;
      }),
    // The next sign after the point ends the range.
    lastOfEach: (channelId, begin) =>
      documents<AlertEvent>(LAST_OF_EACH, { channelId, begin, end: `${begin.slice(0, -1)}/` }),
    signals: async (channelId, since) =>
      (await documents<AlertEvent>(SIGNALS, { channelId, since })).toReversed(),
    message: async (channelId, ts) => {
      const events = await documents<AlertEvent>(MESSAGE, { channelId, ts });
      const [post] = await database.run(MESSAGE_POST, { mark: `signal:${messageOf({ channelId, ts })}` });
      if (post?.ts) return { events, place: { channelId: String(post.at_channel), ts: String(post.ts) } };
      return { events, place: post?.waiting ? 'waiting' : 'nowhere' };
    },
    waiting: async (limit) => (await database.run(WAITING_EVENTS, { limit })).map(alertEventFrom),
    state: async (wanted) => {
      // The version first: what is committed between the two makes the alerts newer than it, and that is refused.
      const [current] = await database.run('SELECT version FROM alert_version');
      const alerts = await documents<Alert>(STATE_ALERTS, wanted);
      return { version: Number(current?.version), alerts, rules: await rules() };
    },
    commit: (version, changes, at) =>
      database.transaction(async (runner) => {
        if ((await runner.change(NEXT_VERSION, { version })) === 0) return false;
        await writeChanges(runner, changes, at);
        return true;
      }),
    nextDue: async () => {
      const [next] = await database.run('SELECT min(due_at) AS due FROM alerts WHERE due_at IS NOT NULL');
      return typeof next?.due === 'number' ? next.due : undefined;
    },
    due: (now, limit) => documents<Alert>(DUE, { now, limit }),
    find: async (alertId) =>
      (await documents<Alert>('SELECT document FROM alerts WHERE id = :alertId', { alertId }))[0],
    decisionsSince: (since) => database.run(DECISIONS_SINCE, { since }),
    putNumber: (number) => write(database, PUT_NUMBER, number),
    removeNumber: async (userId) =>
      (await database.change('DELETE FROM alert_numbers WHERE user_id = :userId', { userId })) === 1,
    numbers: () => database.run<NumberOnFile>(NUMBERS),
  };
}

async function writeChanges(
  runner: Runner,
  { events = [], alerts = [], rules = [] }: AlertChanges,
  at: number,
): Promise<void> {
  for (const { id, decisions } of events)
    await runner.change(DECIDE_EVENT, { id, at, decisions: decisions && JSON.stringify(decisions) });
  // In this order, in which whoever changes sends of several alerts wants their posts as well.
  for (const alert of alerts.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const open = alert.state === 'open' || alert.state === 'acknowledged' ? 1 : 0;
    const document = JSON.stringify(alert);
    await runner.change(PUT_ALERT, { ...alert, open, dueAt: dueAtOf(alert), document });
    await wantPost(runner, 'alert', { ...alert, since: alert.receivedAt });
  }
  for (const rule of rules) {
    await runner.change(PUT_RULE, { rule: rule.rule, document: JSON.stringify(rule) });
    const hold = rule.holds?.at(-1);
    if (hold === undefined) continue;
    await wantPost(runner, 'hold', hold);
    await wantPost(runner, 'digest', { ...hold, dueAt: hold.until });
  }
}

/** The subject of the post that shows a signal's message. */
function messageOf({ channelId, ts }: Pick<AlertEvent, 'channelId' | 'ts'>): string {
  return `${channelId}:${ts}`;
}

/** Events that say the same of the same message are one event, under whatever id they come. */
function keyOf({ kind, channelId, ts, eventTs }: AlertEvent): string {
  return `${kind}:${channelId}:${ts}:${eventTs}`;
}

function documentFrom<Document>({ document }: Row): Document {
  return JSON.parse(String(document)) as Document;
}

function alertEventFrom(row: Row): StoredAlertEvent {
  const { said: document, decisions } = row;
  return {
    ...documentFrom<AlertEvent>(row),
    id: Number(row.id),
    superseded: Boolean(row.superseded),
    ...(typeof decisions === 'string' && {
      before: { text: documentFrom<AlertEvent>({ document }).text, decisions: JSON.parse(decisions) },
    }),
  };
}
