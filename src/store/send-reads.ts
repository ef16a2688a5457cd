import { hash } from 'node:crypto';
import { personOf } from '../messages/numbers/person.ts';
import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { Got } from '../sends/outcome.ts';
import type { Approval, Read, SendReader } from '../sends/ports.ts';
import type { OutcomeSpan, Send, SendState, Workload } from '../sends/send.ts';
import { CAME_TO_NOTHING, UNENDED } from '../sends/states.ts';
import {
  EVENT_COLUMNS,
  RECIPIENT_COLUMNS,
  RECORD_COLUMNS,
  recipientFrom,
  recordLineFrom,
  SEND_COLUMNS,
  sendFrom,
} from './rows.ts';
import { FIND_SEND, OLDEST_FIRST, SENT_SINCE, TRIED_BEFORE, underAllNames } from './send-statements.ts';
import { type Database, type Runner, type Sql, sql, valueFrom } from './sql.ts';

/** Counted in one statement, so that a large send holds nothing up for longer. */
const ROWS_AT_ONCE = 20_000;

const RECIPIENTS = `SELECT ${RECIPIENT_COLUMNS} FROM recipients WHERE send_id = :sendId AND row > :afterRow ORDER BY row LIMIT :limit`;
const BY_STATE = `SELECT ${SEND_COLUMNS} FROM sends WHERE state IN (:states...) ${OLDEST_FIRST} LIMIT :limit`;
// Indexed as it stands. PostgreSQL cannot read all JSON that people write (U+0000), but finds the one key in its text.
const TEMPLATE_IS = {
  sqlite: `CASE WHEN json_valid(message) THEN json_extract(message, '$.templateName') END = :template`,
  postgres: String.raw`substring(message from '"templateName":"((?:[^"\\]|\\.)*)"') = :written`,
};
const SENT_TO = `SELECT ${RECIPIENT_COLUMNS} FROM recipients JOIN sends ON sends.id = send_id
  WHERE number IN (:spellings...) AND sends.state <> 'draft' AND (CAST(:userId AS TEXT) IS NULL OR user_id = :userId)
  ORDER BY created_at DESC, send_id LIMIT :limit`;
const BY_IDS = `SELECT ${SEND_COLUMNS} FROM sends WHERE id IN (:ids...)`;
const RETRIES = `SELECT ${SEND_COLUMNS} FROM sends WHERE retry_of = :sendId AND state NOT IN (:states...) ORDER BY created_at, id`;
const FAILURES = `SELECT state, failure, count FROM send_failures WHERE send_id = :sendId AND count > 0
  ORDER BY count DESC, state, failure`;
const EVENTS = `SELECT ${EVENT_COLUMNS} FROM send_events WHERE send_id = :sendId ORDER BY id`;
const ALL_EVENTS = `SELECT ${RECORD_COLUMNS} WHERE send_events.id > :afterId ORDER BY send_events.id LIMIT :limit`;
const OUTCOMES = `SELECT sum(accepted) AS accepted, sum(rejected) AS rejected, sum(not_sent) AS not_sent,
    sum(unknown) AS unknown, sum(skipped) AS skipped
  FROM sends WHERE created_at >= :since AND created_at < :before`;
const UNENDED_SENDS = `SELECT state, count(*) AS sends, sum(pending + attempting) AS recipients, min(created_at) AS oldest,
    min(CASE WHEN pending > 0 THEN coalesce(active_at, created_at) END) AS idle
  FROM sends WHERE state IN (:states...) GROUP BY state`;
/** SQLite joins in this order, and does not begin with every send. */
export const IN_ORDER = { sqlite: 'CROSS JOIN', postgres: 'JOIN' };
const UNDECIDED = sql`SELECT sum(count) AS count FROM send_failures ${IN_ORDER} sends ON sends.id = send_id
  WHERE send_failures.state = 'unknown' AND sends.state IN ('done', 'stopped') AND created_at >= :since
    AND NOT EXISTS (SELECT 1 FROM send_events AS left_so WHERE left_so.send_id = sends.id AND action = 'left_unknown')
    AND NOT EXISTS (SELECT 1 FROM sends AS again WHERE again.retry_of = sends.id AND again.retry_group = 'unknown'
      AND again.state NOT IN (:nothing...))`;
const APPROVALS = `SELECT approvals.user_id AS "userId", at
  FROM sends JOIN approvals ON send_id = sends.id AND approvals.digest = sends.digest
  WHERE sends.id = :sendId ORDER BY at, approvals.user_id`;

const LAST_ROW = 'SELECT coalesce(max(row), -1) AS last FROM recipients WHERE send_id = :sendId';
const OVER_TIME = `SELECT CAST((settled_at - :from) / :spanMs AS INTEGER) AS span, state, count(*) AS count
  FROM recipients WHERE send_id = :sendId AND row > :afterRow AND row <= :afterRow + ${ROWS_AT_ONCE}
    AND settled_at >= :from AND state <> 'skipped' GROUP BY 1, 2`;

const EVERYTHING = Number.MAX_SAFE_INTEGER;

export function sendReads(database: Database, pseudonym: Pseudonym | undefined): SendReader {
  return {
    ...readingReads(database, pseudonym),
    find: async (sendId) => {
      const [columns] = await database.run(FIND_SEND, { sendId });
      return columns && sendFrom(columns);
    },
    recipients: async (sendId, afterRow = -1, limit = EVERYTHING) =>
      (await database.run(RECIPIENTS, { sendId, afterRow, limit })).map(recipientFrom),
    findByState: async (states, limit) => (await database.run(BY_STATE, { states, limit })).map(sendFrom),
    list: async (filter) => {
      const given = { ...filter, since: filter.since ?? 0, before: filter.before ?? EVERYTHING };
      const written = JSON.stringify(filter.template ?? '').slice(1, -1);
      return (await database.run(listOf(filter), { ...given, written })).map(sendFrom);
    },
    sentTo: async (number, whose) => {
      const asked = { userId: undefined, number, ...whose };
      const recipients = (await database.run(SENT_TO, asked)).map(recipientFrom);
      const ids = recipients.map(({ sendId }) => sendId);
      const found = (await database.run(BY_IDS, { ids })).map(sendFrom);
      const sends = new Map(found.map((send) => [send.id, send]));
      return recipients.flatMap((recipient) => {
        const send = sends.get(recipient.sendId);
        return send === undefined ? [] : [{ send, recipient }];
      });
    },
    retriesOf: (sendId) => retriesOf(database, sendId),
    failures: async (sendId) =>
      (await database.run(FAILURES, { sendId })).map((row) => valueFrom(row, ['failure'])),
    outcomesOverTime: async (sendId, from, spanMs) => {
      const counts = new Map<string, OutcomeSpan>();
      const [{ last } = { last: -1 }] = await database.run<{ last: number }>(LAST_ROW, { sendId });
      for (let afterRow = -1; afterRow < last; afterRow += ROWS_AT_ONCE) {
        const found = await database.run<OutcomeSpan>(OVER_TIME, { sendId, from, spanMs, afterRow });
        for (const { span, state, count } of found) {
          const key = `${span} ${state}`;
          counts.set(key, { span, state, count: Number(count) + (counts.get(key)?.count ?? 0) });
        }
      }
      return [...counts.values()];
    },
    events: async (sendId) =>
      (await database.run(EVENTS, { sendId })).map((row) => valueFrom(row, ['reason'])),
    allEvents: async (afterId, limit) =>
      (await database.run(ALL_EVENTS, { afterId, limit })).map(recordLineFrom),
    outcomesSince: async (since, before = EVERYTHING) => {
      const [sums = {}] = await database.run(OUTCOMES, { since, before });
      const counts = Object.entries(sums).map(([state, count]) => [state, Number(count)] as const);
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    },
    hadEnough: async (asked, most, since) => {
      const { numbers, countsOf } = underAllNames(asked, pseudonym);
      const sent = [...countsOf(await database.run(SENT_SINCE, { numbers, since }))];
      return new Set(sent.filter(([, count]) => count >= most).map(([number]) => number));
    },
    approvals: (sendId) => approvalsOf(database, sendId),
    workload: (since) => workload(database, since),
  };
}

async function workload(database: Database, since: number): Promise<Workload> {
  type Columns = Record<'sends' | 'recipients' | 'oldest', number> & {
    state: SendState;
    idle: number | null;
  };
  const rows = await database.run<Columns>(UNENDED_SENDS, { states: UNENDED });
  const [unknown] = await database.run<{ count: number | null }>(UNDECIDED, {
    since,
    nothing: CAME_TO_NOTHING,
  });
  const of = (state: SendState) => rows.find((row) => row.state === state);
  const [pending, approval] = [of('sending')?.idle, of('awaiting_approval')?.oldest];
  return {
    sends: Object.fromEntries(rows.map(({ state, sends }) => [state, Number(sends)])),
    recipientsLeft: rows.reduce((sum, { recipients }) => sum + Number(recipients), 0),
    ...(pending != null && { oldestPendingAt: Number(pending) }),
    ...(approval !== undefined && { oldestApprovalAt: Number(approval) }),
    undecided: Number(unknown?.count ?? 0),
  };
}

/** Only what is asked for stands in it: each database then takes the index that fits. */
function listOf({ userId, states, outcomes = [], template }: Parameters<SendReader['list']>[0]): Sql {
  const became = [
    ...(states === undefined ? [] : ['state IN (:states...)']),
    ...outcomes.map((state) => `${state} > 0`),
  ];
  const conditions = [
    'created_at >= :since AND created_at < :before',
    ...(userId === undefined ? [] : ['user_id = :userId']),
    ...(became.length === 0 ? [] : [`(${became.join(' OR ')})`]),
  ].join(' AND ');
  const named: Sql = template === undefined ? 'TRUE' : TEMPLATE_IS;
  // Ids are sorted first: of a state that most sends are in, whole rows took ten times as long.
  return sql`SELECT ${SEND_COLUMNS} FROM sends WHERE id IN (SELECT id FROM sends WHERE ${conditions} AND ${named}
    ORDER BY created_at DESC, id DESC LIMIT :limit) ORDER BY created_at DESC, id DESC`;
}

export async function retriesOf(runner: Runner, sendId: string): Promise<readonly Send[]> {
  return (await runner.run(RETRIES, { sendId, states: CAME_TO_NOTHING })).map(sendFrom);
}

/** Those of the digest that the send has now. */
export async function approvalsOf(runner: Runner, sendId: string): Promise<readonly Approval[]> {
  return (await runner.run<Approval>(APPROVALS, { sendId })).map(({ userId, at }) => ({ userId, at }));
}

/*
 * A recipient keeps a digest of who they are and what they read, after the week for which it was planned: so those of a
 * message are found by an index, however often a person got the same before, and that index grows at one end.
 */

const DAY_MS = 24 * 3_600_000;
/** 60 bits. */
const LENGTH = 10;

const UNDER_WAY = UNENDED.filter((state) => state !== 'draft').map((state) => `'${state}'`);
/** In this order, whatever is known of the tables: before its first statistics, PostgreSQL took a minute for what is a moment. */
const RECIPIENTS_WITH_SENDS = {
  sqlite: `(SELECT * FROM recipients WHERE reading IN (:readings...)) AS recipients
    CROSS JOIN sends ON sends.id = send_id`,
  postgres: `unnest(:readings::text[]) AS wanted (value),
    LATERAL (SELECT * FROM recipients WHERE reading = wanted.value OFFSET 0) AS recipients,
    LATERAL (SELECT * FROM sends WHERE id = recipients.send_id OFFSET 0) AS sends`,
};
const GOT = sql`${TRIED_BEFORE}
  SELECT reading, send_id, user_id, CASE WHEN recipients.state = 'pending' THEN NULL ELSE attempted_at END AS at
  FROM ${RECIPIENTS_WITH_SENDS}
  WHERE sends.id <> :sendId AND request_key <> :requestKey
    AND (recipients.state IN ('attempting', 'accepted', 'unknown') AND attempted_at >= :since
      OR recipients.state = 'pending' AND sends.state IN (${UNDER_WAY.join(', ')}))
    AND NOT EXISTS (SELECT 1 FROM tried WHERE tried.id = sends.id)`;
const READINGS = `SELECT row, reading FROM recipients WHERE send_id = :sendId AND row > :afterRow
  AND reading IS NOT NULL AND state <> 'skipped' ORDER BY row LIMIT :limit`;

/** What is kept of what somebody reads; null for nothing. Where no key is configured, it is a plain hash. */
export function createReadings(pseudonym: Pseudonym | undefined) {
  // A key of its own: to hash is several times as quick as to make a pseudonym.
  const secret = pseudonym?.('readings') ?? '';
  return ({ number, reading }: Read): string | null => {
    if (reading === undefined) return null;
    const digest = hash('sha256', `${secret} ${personOf(number)} ${reading.seen}`, 'base64url');
    return weekOf(reading.at) + digest.slice(0, LENGTH);
  };
}

function weekOf(at: number): string {
  return Math.floor(at / (7 * DAY_MS)).toString(36);
}

/** @param but the send that asks, and its request */
export async function gotSince(
  runner: Runner,
  kept: readonly (string | null)[],
  since: number,
  but: { readonly sendId?: string; readonly requestKey?: string } = {},
): Promise<readonly Got[]> {
  // A send may begin days after its time; of those that are under way, what is planned for the next day counts.
  const weeks = [...new Set([-6, 0, 2].map((days) => weekOf(since + days * DAY_MS)))];
  const digests = kept.flatMap((reading) => reading?.slice(-LENGTH) ?? []);
  const readings = weeks.flatMap((week) => digests.map((digest) => `${week}${digest}`));
  const rows = await runner.run(GOT, { since, readings, sendId: '', requestKey: '', ...but });
  return rows.map(({ reading, send_id, user_id, at }) => ({
    reading: String(reading).slice(-LENGTH),
    sendId: String(send_id),
    userId: String(user_id),
    ...(at !== null && { at: Number(at) }),
  }));
}

function readingReads(
  database: Database,
  pseudonym: Pseudonym | undefined,
): Pick<SendReader, 'gotSince' | 'gotBefore'> {
  const readingOf = createReadings(pseudonym);
  return {
    gotSince: (asked, since) => gotSince(database, asked.map(readingOf), since),
    gotBefore: async (sendId, since, afterRow, limit) => {
      const rows = await database.run<{ row: number; reading: string }>(READINGS, {
        sendId,
        afterRow,
        limit,
      });
      const kept = rows.map(({ reading }) => reading);
      const got = await gotSince(database, kept, since, { sendId });
      return { looked: rows.length, lastRow: rows.at(-1)?.row ?? afterRow, got };
    },
  };
}
