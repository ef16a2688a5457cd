import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { CustomerEvent, DeliveryStatus } from '../sends/replies/event.ts';
import type {
  AnswerSummary,
  NewCustomerEvent,
  NewDelivery,
  ProcessedWebhook,
  Reached,
  ReplyStore,
  StoredCustomerEvent,
} from '../sends/replies/ports.ts';
import { settleDoubts } from './doubts.ts';
import { wantPostsOf } from './post-store.ts';
import { failureFrom } from './rows.ts';
import { underAllNames } from './send-statements.ts';
import { alone, columnsOf, type Database, indexedBy, type Row, type Runner, sql } from './sql.ts';

/** Of several replicas one at a time keeps webhooks, and one records: each then sees what the others have written. */
const KEEP_ALONE = alone('LOCK TABLE webhook_intake IN EXCLUSIVE MODE');
const RECORD_ALONE = alone('LOCK TABLE reply_tallies IN SHARE ROW EXCLUSIVE MODE');

const FIND_SAME = `SELECT 1 FROM webhooks AS same WHERE digest = :digest AND received_at >= :since
  AND NOT EXISTS (SELECT 1 FROM webhooks AS later WHERE later.sender = :sender AND later.id > same.id) LIMIT 1`;
const INSERT_WEBHOOK = `INSERT INTO webhooks (digest, received_at, content_type, body, due_at, sender)
  VALUES (:digest, :receivedAt, :contentType, :body, :dueAt, :sender)`;
/** When what customers say is due: before all reports. */
const AT_ONCE = 0;
const WAITING = `SELECT id, digest, received_at, content_type, body, due_at, postponed FROM webhooks
  WHERE due_at <= :now ORDER BY due_at, id LIMIT :limit`;
const NEXT_DUE = 'SELECT min(due_at) AS due FROM webhooks WHERE due_at IS NOT NULL';
const POSTPONE = `UPDATE webhooks SET due_at = :again, postponed = postponed + 1 WHERE id = :webhookId`;
const FINISH = 'UPDATE webhooks SET due_at = NULL WHERE id IN (:ids...) AND due_at IS NOT NULL RETURNING id';

const INSERT_EVENT = `INSERT INTO customer_events (webhook_id, key, event, send_id, number, label, opted_out, asked_at)
  VALUES (:webhookId, :key, :event, :sendId, :number, :label, :optedOut, :askedAt) ON CONFLICT (key) DO NOTHING`;
const LAST_TAP = sql`SELECT label FROM customer_events ${indexedBy('customer_events_by_person')}
  WHERE send_id = :sendId AND number IN (:numbers...) AND label IS NOT NULL ORDER BY id DESC LIMIT 1`;
const COUNT_TAP = `INSERT INTO reply_tallies (send_id, label, count) VALUES (:sendId, :label, 1)
  ON CONFLICT (send_id, label) DO UPDATE SET count = reply_tallies.count + 1`;
const TAKE_TAP_BACK = 'UPDATE reply_tallies SET count = count - 1 WHERE send_id = :sendId AND label = :label';
const TALLY = `SELECT label, count FROM reply_tallies WHERE send_id = :sendId AND count > 0
  ORDER BY count DESC, label`;
export const CUSTOMER_EVENT_COLUMNS = columnsOf(
  'customer_events',
  'id key event send_id label opted_out asked_at channel_id thread_ts ts',
);
const UNANNOUNCED = `SELECT ${CUSTOMER_EVENT_COLUMNS}, webhooks.received_at, NOT EXISTS (SELECT 1 FROM customer_events AS earlier
    WHERE earlier.send_id = customer_events.send_id AND earlier.id < customer_events.id) AS first
  FROM customer_events JOIN webhooks ON webhooks.id = customer_events.webhook_id
  WHERE told_at IS NULL AND customer_events.send_id IS NOT DISTINCT FROM
    (SELECT send_id FROM customer_events WHERE told_at IS NULL ORDER BY id LIMIT 1)
  ORDER BY customer_events.id LIMIT :limit`;
const MARK_ANNOUNCED = `UPDATE customer_events SET told_at = :at, channel_id = :channelId, thread_ts = :threadTs, ts = :ts
  WHERE id IN (:ids...)`;

const DELIVERY_COUNTS = `SELECT status, failure, example, count FROM delivery_counts WHERE send_id = :sendId
  ORDER BY count DESC, failure`;
const REACHED = `SELECT send_id, status, sum(count) AS count FROM delivery_counts WHERE send_id IN (:sendIds...)
  GROUP BY send_id, status HAVING sum(count) > 0`;
const ANSWERS = (whose: string) => `SELECT ${CUSTOMER_EVENT_COLUMNS}, received_at, 0 AS first
  FROM customer_events JOIN webhooks ON webhooks.id = webhook_id ${whose}
  ORDER BY customer_events.id DESC LIMIT :limit`;
const ANSWERS_TO_ANYBODY = ANSWERS('WHERE number IN (:spellings...)');
const ANSWERS_TO_OWN = ANSWERS(
  'JOIN sends ON sends.id = send_id WHERE number IN (:spellings...) AND user_id = :userId',
);
const DELIVERIES = `SELECT row, status, at, failure, explanation FROM deliveries
  WHERE send_id = :sendId AND row BETWEEN :fromRow AND :toRow ORDER BY row`;

/* Looking for recipients by what a webhook says of them. */
export const BY_MESSAGE_ID = `SELECT send_id, row, number FROM recipients
  WHERE message_id = :messageId AND (CAST(:number AS TEXT) IS NULL OR number IN (:spellings...) OR
    (SELECT count(*) FROM (SELECT 1 FROM recipients WHERE message_id = :messageId LIMIT 2) AS two) = 1) LIMIT 2`;
export const NEWEST_TO = `SELECT send_id, row, number FROM recipients
  WHERE number IN (:spellings...) AND attempted_at IS NOT NULL ORDER BY attempted_at DESC, send_id LIMIT 1`;
const MAY_HAVE_GOT = `SELECT send_id, row, number, state, message_id FROM recipients WHERE number IN (:spellings...)
  AND attempted_at BETWEEN :since AND :until AND state IN ('attempting', 'accepted', 'unknown') LIMIT 2`;

const UNDER_WAY = `SELECT 1 FROM sends
  WHERE state IN ('sending', 'paused', 'awaiting_approval', 'stopped') AND attempting > 0 LIMIT 1`;

const FAILURES_SHOWN = 12;

/** Keeps of each recipient the best that was reported, and counts; returns the sends that changed. */
type AddDeliveries = (runner: Runner, given: readonly NewDelivery[]) => Promise<readonly string[]>;

export function createReplyStore(
  database: Database,
  addDeliveries: AddDeliveries,
  pseudonym?: Pseudonym,
): ReplyStore {
  return {
    keep: (webhooks, repeatWithinMs) =>
      database.transaction(async (runner) => {
        await runner.run(KEEP_ALONE);
        const kept: { repeated: boolean }[] = [];
        for (const { digest, receivedAt, contentType, body, sender, heard, isNew } of webhooks) {
          const since = receivedAt - repeatWithinMs;
          const repeated = !isNew && (await runner.run(FIND_SAME, { digest, since, sender })).length > 0;
          const content = { contentType, body: Buffer.from(body, 'base64') };
          const dueAt = heard ? AT_ONCE : receivedAt;
          if (!repeated)
            await runner.change(INSERT_WEBHOOK, { digest, receivedAt, ...content, dueAt, sender });
          kept.push({ repeated });
        }
        return kept;
      }),
    waiting: async (now, limit) => (await database.run(WAITING, { now, limit })).map(webhookFrom),
    nextDue: async () => {
      const [next] = await database.run(NEXT_DUE);
      return typeof next?.due === 'number' ? next.due : undefined;
    },
    record: (processed) =>
      database.transaction((runner) => recordAll(runner, processed, addDeliveries, pseudonym)),
    findByMessageId: async (messageId, number) => {
      const found = await database.run(BY_MESSAGE_ID, { messageId, number });
      return found.length === 1 ? placeFrom(found[0]) : undefined;
    },
    isUnderWay: async () => (await database.run(UNDER_WAY)).length > 0,
    findDoubt: async (number, since, until) => {
      const [only, other] = await database.run(MAY_HAVE_GOT, { number, since, until });
      const isDoubt = other === undefined && only?.state === 'unknown' && only.message_id === null;
      return isDoubt ? placeFrom(only) : undefined;
    },
    newestTo: async (number) => placeFrom((await database.run(NEWEST_TO, { number }))[0]),
    unannounced: async (limit) => (await database.run(UNANNOUNCED, { limit })).map(customerEventFrom),
    markAnnounced: async (ids, at, place) => {
      const { channelId, threadTs, ts } = place ?? {};
      await database.change(MARK_ANNOUNCED, { ids, at, channelId, threadTs, ts });
    },
    summary: async (sendId) => {
      const tally = await database.run<AnswerSummary['tally'][number]>(TALLY, { sendId });
      return summaryFrom(tally, await database.run<DeliveryCount>(DELIVERY_COUNTS, { sendId }));
    },
    reached: async (sendIds) => {
      const counted = await database.run<DeliveryCount & { send_id: string }>(REACHED, { sendIds });
      const bySend = Map.groupBy(counted, ({ send_id }) => send_id);
      return new Map([...bySend].map(([sendId, counts]) => [sendId, reachedFrom(counts)]));
    },
    answersOf: async (number, whose) => {
      const statement = whose.userId === undefined ? ANSWERS_TO_ANYBODY : ANSWERS_TO_OWN;
      return (await database.run(statement, { number, ...whose })).map(customerEventFrom);
    },
    deliveries: async (sendId, fromRow, toRow) =>
      (await database.run(DELIVERIES, { sendId, fromRow, toRow })).map(deliveryFrom),
  };
}

/** Returns the sends that changed. */
async function recordAll(
  runner: Runner,
  processed: readonly ProcessedWebhook[],
  addDeliveries: AddDeliveries,
  pseudonym: Pseudonym | undefined,
): Promise<readonly string[]> {
  await runner.run(RECORD_ALONE);
  const finished = await runner.run(FINISH, { ids: processed.map(({ webhookId }) => webhookId) });
  const fresh = new Set(finished.map(({ id }) => Number(id)));
  const changed = new Set<string>();
  const deliveries: NewDelivery[] = [];
  for (const one of processed) {
    // Once only, even when it is named twice.
    if (!fresh.delete(one.webhookId)) continue;
    if (one.again !== undefined) await runner.change(POSTPONE, one);
    for (const event of one.events) {
      const added = await addEvent(runner, one.webhookId, event, pseudonym);
      if (added && event.sendId !== undefined) changed.add(event.sendId);
    }
    deliveries.push(...one.deliveries);
  }
  const bySend = Map.groupBy(deliveries, ({ sendId }) => sendId);
  for (const sendId of await addDeliveries(runner, deliveries)) {
    changed.add(sendId);
    await settleDoubts(runner, sendId, bySend.get(sendId) ?? []);
  }
  // In an order in which no two wait for each other.
  const sendIds = [...changed].toSorted();
  for (const sendId of sendIds) await wantPostsOf(runner, sendId);
  return sendIds;
}

/** Somebody who changes the answer is one person; of whom nothing is known counts each time. */
async function addEvent(
  runner: Runner,
  webhookId: number,
  added: NewCustomerEvent,
  pseudonym: Pseudonym | undefined,
): Promise<boolean> {
  const { key, event, sendId, label, optedOut, askedAt } = added;
  const tap = { sendId, label, number: event.from };
  const counts = sendId !== undefined && label !== undefined;
  const { numbers } = underAllNames(event.from === undefined ? [] : [event.from], pseudonym);
  const [last] = counts ? await runner.run(LAST_TAP, { sendId, numbers }) : [];
  const values = {
    ...tap,
    webhookId,
    key,
    event: JSON.stringify(event),
    askedAt,
    optedOut: optedOut ? 1 : 0,
  };
  if ((await runner.change(INSERT_EVENT, values)) === 0) return false;
  if (!counts || last?.label === label) return true;
  if (last !== undefined) await runner.change(TAKE_TAP_BACK, { sendId, label: last.label });
  await runner.change(COUNT_TAP, { sendId, label });
  return true;
}

/** How many recipients of a send were last reported like this; `failure` is empty where there is none. */
interface DeliveryCount {
  readonly status: DeliveryStatus;
  readonly failure: string;
  /** The service's words on the first of them for which it had any. */
  readonly example: string | null;
  readonly count: number;
}

function reachedFrom(counted: readonly Pick<DeliveryCount, 'status' | 'count'>[]): Reached {
  const sum = (...statuses: DeliveryStatus[]) =>
    counted.reduce(
      (total, { status, count }) => (statuses.includes(status) ? total + Number(count) : total),
      0,
    );
  return { delivered: sum('delivered', 'read'), read: sum('read'), failed: sum('failed') };
}

/** @param counted most first */
function summaryFrom(tally: AnswerSummary['tally'], counted: readonly DeliveryCount[]): AnswerSummary {
  return {
    tally: tally.map(({ label, count }) => ({ label, count })),
    ...reachedFrom(counted),
    failures: counted
      .filter(({ failure, count }) => failure !== '' && count > 0)
      .slice(0, FAILURES_SHOWN)
      .map(({ failure, example, count }) => ({ failure: failureFrom(failure, example), count })),
  };
}

function webhookFrom(row: Row) {
  return {
    id: Number(row.id),
    digest: String(row.digest),
    receivedAt: Number(row.received_at),
    ...(row.content_type !== null && { contentType: String(row.content_type) }),
    body: Buffer.from(row.body as Uint8Array).toString('base64'),
    postponed: Number(row.postponed),
    heard: Number(row.due_at) === AT_ONCE,
  };
}

function deliveryFrom({ row, status, at, failure, explanation }: Row) {
  return {
    row: Number(row),
    status: status as DeliveryStatus,
    at: Number(at),
    ...(failure !== null && { failure: failureFrom(String(failure), explanation as string | null) }),
  };
}

function placeFrom(row: Row | undefined) {
  return row && { sendId: String(row.send_id), row: Number(row.row), number: row.number as Msisdn };
}

export function customerEventFrom(row: Row): StoredCustomerEvent {
  const place = { channelId: String(row.channel_id), threadTs: String(row.thread_ts), ts: String(row.ts) };
  return {
    id: Number(row.id),
    key: String(row.key),
    event: JSON.parse(String(row.event)) as CustomerEvent,
    ...(row.send_id !== null && { sendId: String(row.send_id) }),
    ...(row.label !== null && { label: String(row.label) }),
    optedOut: row.opted_out === 1,
    receivedAt: Number(row.received_at),
    first: Boolean(row.first),
    ...(row.asked_at !== null && { askedAt: Number(row.asked_at) }),
    ...(row.thread_ts !== null && { place }),
  };
}
