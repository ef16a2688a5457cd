import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { DeliveryStatus } from '../sends/replies/event.ts';
import type {
  AnswerSummary,
  Delivery,
  NewCustomerEvent,
  NewDelivery,
  ProcessedWebhook,
  Reached,
  ReplyStore,
  StoredCustomerEvent,
  StoredWebhook,
} from '../sends/replies/ports.ts';
import { type RecipientRow, readReference } from '../sends/send.ts';
import { settleDoubts } from './doubts.ts';
import { indexIds } from './message-ids.ts';
import { type AddedAnswer, wantAnswers, wantPostsOf } from './post-store.ts';
import { MESSAGE_ID, withFailure } from './rows.ts';
import { underAllNames } from './send-statements.ts';
import { alone, columnsOf, type Database, indexedBy, type Row, type Runner, sql, valueFrom } from './sql.ts';

/** One replica at a time keeps webhooks, and one records them: each then sees what the others have written. */
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
  VALUES (:webhookId, :key, :event, :sendId, :number, :label, :optedOut, :askedAt) ON CONFLICT (key) DO NOTHING RETURNING id`;
const LAST_TAP = sql`SELECT label FROM customer_events ${indexedBy('customer_events_by_person')}
  WHERE send_id = :sendId AND number IN (:numbers...) AND label IS NOT NULL ORDER BY id DESC LIMIT 1`;
const COUNT_TAP = `INSERT INTO reply_tallies (send_id, label, count) VALUES (:sendId, :label, 1)
  ON CONFLICT (send_id, label) DO UPDATE SET count = reply_tallies.count + 1`;
const TAKE_TAP_BACK = 'UPDATE reply_tallies SET count = count - 1 WHERE send_id = :sendId AND label = :label';
const TALLY = `SELECT label, count FROM reply_tallies WHERE send_id = :sendId AND count > 0
  ORDER BY count DESC, label`;
const EVENTS = (
  more = '',
) => `SELECT webhooks.received_at, ${columnsOf('posts', 'at_channel', 'thread_ts', 'ts')},
    ${columnsOf('customer_events', 'id', 'key', 'event', 'send_id', 'label', 'opted_out', 'asked_at')}${more}
  FROM customer_events JOIN webhooks ON webhooks.id = customer_events.webhook_id LEFT JOIN posts ON posts.mark = post`;
/** Events, with where they stand. */
export const CUSTOMER_EVENTS = EVENTS();
const FIRST = `, NOT EXISTS (SELECT 1 FROM customer_events AS earlier
    WHERE earlier.send_id = customer_events.send_id AND earlier.id < customer_events.id) AS first`;
const SHOWN_BY = `${EVENTS(FIRST)} WHERE post = :mark ORDER BY customer_events.id`;

const HOW_MANY = (...statuses: DeliveryStatus[]) =>
  `coalesce(sum(count) FILTER (WHERE status IN (${statuses.map((status) => `'${status}'`).join(', ')})), 0)`;
const REACHED = `SELECT send_id, ${HOW_MANY('delivered', 'read')} AS delivered, ${HOW_MANY('read')} AS read,
    ${HOW_MANY('failed')} AS failed
  FROM delivery_counts WHERE send_id IN (:sendIds...) GROUP BY send_id HAVING sum(count) > 0`;
/** With the service's words on the first of those that failed alike for which it had any. */
const DELIVERY_FAILURES = `SELECT failure, example AS explanation, count FROM delivery_counts
  WHERE send_id = :sendId AND failure <> '' AND count > 0 ORDER BY count DESC, failure LIMIT 12`;
const ANSWERS = `${CUSTOMER_EVENTS} LEFT JOIN sends ON sends.id = customer_events.send_id
  WHERE number IN (:spellings...) AND (CAST(:userId AS TEXT) IS NULL OR sends.user_id = :userId)
  ORDER BY customer_events.id DESC LIMIT :limit`;
const DELIVERIES = `SELECT row, status, at, failure, explanation FROM deliveries
  WHERE send_id = :sendId AND row BETWEEN :fromRow AND :toRow ORDER BY row`;

/* Looking for recipients by what a webhook says of them. */
const BY_NUMBER_AND_ID = `SELECT send_id, row, number FROM recipients
  WHERE number IN (:spellings...) AND ${MESSAGE_ID} = :messageId LIMIT 2`;
const BY_MESSAGE_ID = `SELECT recipients.send_id, recipients.row, number FROM message_ids JOIN recipients
    ON recipients.send_id = message_ids.send_id AND recipients.row = message_ids.row
  WHERE message_ids.message_id = :messageId AND recipients.message_id = :messageId LIMIT 2`;
const BY_REFERENCE = `SELECT send_id, row, number FROM recipients
  WHERE send_id = :sendId AND row = :row AND attempted_at IS NOT NULL`;
const NEWEST_TO = `SELECT send_id, row, number FROM recipients
  WHERE number IN (:spellings...) AND attempted_at IS NOT NULL ORDER BY attempted_at DESC, send_id LIMIT 1`;
const MAY_HAVE_GOT = `SELECT send_id, row, number, state, ${MESSAGE_ID} AS message_id FROM recipients WHERE number IN (:spellings...)
  AND attempted_at BETWEEN :since AND :until AND state IN ('attempting', 'accepted', 'unknown') LIMIT 2`;

const UNDER_WAY = `SELECT 1 FROM sends
  WHERE state IN ('sending', 'paused', 'awaiting_approval', 'stopped') AND attempting > 0 LIMIT 1`;

/** Keeps of each recipient the best that was reported, and counts; returns the sends that changed. */
export type AddDeliveries = (runner: Runner, given: readonly NewDelivery[]) => Promise<readonly string[]>;

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
    findByMessageId: async (messageId, number, waits) => {
      const named = readReference(messageId);
      if (named !== undefined) return placeFrom((await database.run(BY_REFERENCE, named))[0]);
      let found = number === undefined ? [] : await database.run(BY_NUMBER_AND_ID, { messageId, number });
      if (found.length === 0 && waits) await indexIds(database);
      if (found.length === 0) found = await database.run(BY_MESSAGE_ID, { messageId });
      return found.length === 1 ? placeFrom(found[0]) : undefined;
    },
    indexIds: (steps) => indexIds(database, steps),
    isUnderWay: async () => (await database.run(UNDER_WAY)).length > 0,
    findDoubt: async (number, since, until) => {
      const [only, other] = await database.run(MAY_HAVE_GOT, { number, since, until });
      const isDoubt = other === undefined && only?.state === 'unknown' && only.message_id === null;
      return isDoubt ? placeFrom(only) : undefined;
    },
    newestTo: async (number) => placeFrom((await database.run(NEWEST_TO, { number }))[0]),
    shownBy: async (mark) => (await database.run(SHOWN_BY, { mark })).map(customerEventFrom),
    leaveOut: async (ids) => {
      await database.change('UPDATE customer_events SET post = NULL WHERE id IN (:ids...)', { ids });
    },
    summary: async (sendId) => {
      const tally = await database.run<AnswerSummary['tally'][number]>(TALLY, { sendId });
      const { [sendId]: counts = NOBODY } = await reached(database, [sendId]);
      const failures = await database.run(DELIVERY_FAILURES, { sendId });
      return { tally, ...counts, failures: failures.map((row) => withFailure(row)) };
    },
    reached: async (sendIds) => new Map(Object.entries(await reached(database, sendIds))),
    answersOf: async (number, whose) =>
      (await database.run(ANSWERS, { userId: undefined, number, ...whose })).map(customerEventFrom),
    deliveries: async (sendId, fromRow, toRow) =>
      (await database.run(DELIVERIES, { sendId, fromRow, toRow })).map((row) => withFailure<Delivery>(row)),
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
  const answers: AddedAnswer[] = [];
  for (const one of processed) {
    // Once only, even when it is named twice.
    if (!fresh.delete(one.webhookId)) continue;
    if (one.again !== undefined) await runner.change(POSTPONE, one);
    for (const event of one.events) {
      const id = await addEvent(runner, one.webhookId, event, pseudonym);
      if (id === undefined) continue;
      answers.push({ ...event, id, webhookId: one.webhookId });
      if (event.sendId !== undefined) changed.add(event.sendId);
    }
    deliveries.push(...one.deliveries);
  }
  const bySend = Map.groupBy(deliveries, ({ sendId }) => sendId);
  for (const sendId of await addDeliveries(runner, deliveries)) {
    changed.add(sendId);
    await settleDoubts(runner, sendId, bySend.get(sendId) ?? []);
  }
  await wantAnswers(runner, answers);
  // In an order in which no two wait for each other.
  const sendIds = [...changed].toSorted();
  for (const sendId of sendIds) await wantPostsOf(runner, sendId);
  return sendIds;
}

/**
 * Adds an event and counts its tap: somebody who changes the answer is one person, and a person of whom nothing is known counts
 * each time. Returns the event's id, or undefined when it is known already.
 */
async function addEvent(
  runner: Runner,
  webhookId: number,
  added: NewCustomerEvent,
  pseudonym: Pseudonym | undefined,
): Promise<number | undefined> {
  const { key, event, sendId, label, optedOut, askedAt } = added;
  const counts = sendId !== undefined && label !== undefined;
  const { numbers } = underAllNames(event.from === undefined ? [] : [event.from], pseudonym);
  const [last] = counts ? await runner.run(LAST_TAP, { sendId, numbers }) : [];
  const kept = { event: JSON.stringify(event), number: event.from, optedOut: optedOut ? 1 : 0 };
  const values = { webhookId, key, sendId, label, askedAt, ...kept };
  const [inserted] = await runner.run<{ id: number }>(INSERT_EVENT, values);
  if (inserted === undefined) return undefined;
  const id = Number(inserted.id);
  if (!counts || last?.label === label) return id;
  if (last !== undefined) await runner.change(TAKE_TAP_BACK, { sendId, label: last.label });
  await runner.change(COUNT_TAP, { sendId, label });
  return id;
}

const NOBODY: Reached = { delivered: 0, read: 0, failed: 0 };

async function reached(database: Database, sendIds: readonly string[]): Promise<Record<string, Reached>> {
  const rows = await database.run<Reached & { readonly send_id: string }>(REACHED, { sendIds });
  return Object.fromEntries(rows.map(({ send_id, ...counts }) => [send_id, counts]));
}

function webhookFrom(row: Row): StoredWebhook {
  const { dueAt, ...webhook } = valueFrom<StoredWebhook & { readonly dueAt: number }>(row);
  const body = Buffer.from(row.body as Uint8Array).toString('base64');
  return { ...webhook, body, heard: dueAt === AT_ONCE };
}

function placeFrom(row: Row | undefined): Pick<RecipientRow, 'sendId' | 'row' | 'number'> | undefined {
  return row && valueFrom(row, [], ['send_id', 'row', 'number']);
}

type EventFields = Omit<StoredCustomerEvent, 'optedOut'> &
  Partial<Record<'atChannel' | 'threadTs' | 'ts', string>> & { readonly optedOut: number };

export function customerEventFrom(row: Row): StoredCustomerEvent {
  const { atChannel, threadTs, ts, ...event } = valueFrom<EventFields>(row, ['event']);
  const place = { channelId: atChannel ?? '', threadTs: threadTs ?? '', ts: ts ?? '' };
  return {
    ...event,
    optedOut: event.optedOut === 1,
    first: Boolean(event.first),
    ...(threadTs !== undefined && { place }),
  };
}
