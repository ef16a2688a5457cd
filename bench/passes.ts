import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/core/clock.ts';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../src/messages/numbers/pseudonym.ts';
import { UNENDED } from '../src/sends/states.ts';
import { createDatabase } from '../src/store/postgres/database.ts';
import { createRetention } from '../src/store/retention.ts';
import type { Database } from '../src/store/sql.ts';
import { sqliteDatabase } from '../src/store/sqlite/database.ts';
import { openDatabase } from '../src/store/sqlite/open.ts';
import { createSqliteStores } from '../src/store/sqlite/stores.ts';
import type { Memory } from '../src/store/stores.ts';
import { UNOBSERVED } from '../src/store/stores.ts';
import { startServer } from '../test/postgres/server.ts';
import { openBenchDatabase } from './bench-database.ts';
import { createBenchLogger } from './bench-send.ts';
import { dropDatabase, freshDatabase } from './databases.ts';
import { median } from './row.ts';

/*
 * How long one step of each background pass of the store takes, during which nothing else of a file answers, by how much is
 * on record: so many sends to one, as many recipients of one send, taps, webhooks, alerts, and a tenth as many bulk sends
 * with their lists. A step that takes in proportion longer reads all of it.
 */
const SIZES = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
/** A pass that removes something has nothing left after so many; PostgreSQL plans another way after five of the others. */
const ROUNDS = { removing: 3, reading: 9 };
const KEY = createPseudonym('the-key-of-a-benchmark');
/** Milliseconds since the epoch: what is on record is from the first day, and is looked at on the hundredth. */
const DAY = 86_400_000;
const NOW = 100 * DAY;
const NUMBER = '+919812345678' as Msisdn;

type Passes = Readonly<Record<string, (round: number) => Promise<unknown>>>;

const nothing = async () => 0;
const MESSAGE = `'{"kind":"sms","sender":"ACMEIN","text":"Hello","type":"TRANS","unicode": false}'`;
const REPLY = "'reply:' || i || ':' || 'words'";
/** Tables with their columns, and what stands in row `i`; the same text for both databases. */
const RECORD: readonly (readonly [
  table: string,
  columns: Readonly<Record<string, string>>,
  share?: number,
])[] = [
  ['sends', sendColumns("'S-' || i")],
  ['recipients', { ...recipientColumns("'S-' || i", '0'), state: "'accepted'" }],
  ['send_events', { send_id: "'S-' || i", at: 'i', actor: "'U'", action: "'done'" }],
  [
    'sends',
    {
      ...sendColumns("'B-' || i"),
      audience: `'{"id":"A-' || i || '","columns":[]}'`,
      created_at: 'i + 1000000',
    },
    10,
  ],
  [
    'audiences',
    { id: "'A-' || i", source: "'file'", columns: "'[]'", digest: "'d'", created_by: "'U'", created_at: '1' },
    10,
  ],
  ['send_failures', { send_id: "'S-' || i", state: "'unknown'", failure: "'{}'", count: '1' }, 100],
  ['recipients', recipientColumns("'B-1'", 'i')],
  ['webhooks', { digest: "'d' || i", received_at: 'i', body: 'EMPTY' }],
  [
    'customer_events',
    {
      ...{ webhook_id: 'i', key: "'k' || i", event: `'{"kind":"reply","replyId":"yes"}'`, opted_out: '0' },
      ...{ send_id: "'B-1'", number: numbered('i'), label: "'Yes'", post: REPLY },
    },
  ],
  [
    'posts',
    {
      ...{
        mark: REPLY,
        subject: "'B-1'",
        channel_id: "'C'",
        since: 'i',
        wanted: '1',
        shown: '1',
        due_at: '0',
      },
      ...{ at_channel: "'C'", ts: "'t' || i", thread_ts: "'t'" },
    },
  ],
  ['alerts', { id: "'L-' || i", received_at: 'i', open: '0', document: "'{}'" }],
  [
    'alert_events',
    {
      ...{ event_id: "'e' || i", key: "'e' || i", channel_id: "'C'", ts: "'t' || i", event_ts: "'t' || i" },
      ...{ document: "'{}'", received_at: 'i', decided_at: 'i', decisions: "'[]'" },
    },
  ],
];

function sendColumns(id: string) {
  const origin = { team_id: "'T'", user_id: "'U'", channel_id: "'C'" };
  const state = { state: "'done'", recipient_count: '1', accepted: '1', created_at: 'i' };
  return { id, kind: "'sms'", message: MESSAGE, ...origin, ...state, request_key: id };
}

function recipientColumns(sendId: string, row: string) {
  const times = { attempted_at: 'i', settled_at: 'i' };
  return { send_id: sendId, row, number: numbered('i'), state: "'accepted'", cells: `'["Asha"]'`, ...times };
}

/** A number for each row. */
function numbered(row: string): string {
  return `'+91' || CAST(9800000000 + ${row} AS TEXT)`;
}

async function fill(database: Database, size: number, empty: string): Promise<void> {
  for (const [table, columns, share = 1] of RECORD)
    await database.change(`INSERT INTO ${table} (${Object.keys(columns).join(', ')})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size / share})
      SELECT ${Object.values(columns).join(', ').replace('EMPTY', empty)} FROM n`);
}

function passesOf({
  sends,
  replies,
  alerts,
  audiences,
  conversations,
  inputs,
  posts,
  retention,
}: Memory): Passes {
  const { removeNumbers, removeTexts, removeBodies, removeAnswers } = retention;
  const failure = { what: 'It was lost.', next: 'Look.', scope: 'recipient' } as const;
  return {
    'recovery: what the dead had begun': () => sends.recoverInterrupted(failure, NOW),
    'recovery: adopting': () => sends.adopt(UNENDED, 100),
    'sends: what is at work': () => sends.workload(0),
    'posts: what is due': () =>
      posts.claim({ now: NOW, how: 'update', limit: 8, restingChannels: [], inFlight: [] }),
    'replies: a tap': (round) => tapOnce(replies, round),
    'replies: what waits': () => replies.waiting(NOW, 100),
    'replies: open questions': () => conversations.openQuestions({ since: 0, limit: 100 }),
    'alerts: what decisions depend on': () => alerts.state({ recent: NOW, openSince: NOW, ids: ['L-1'] }),
    'alerts: what is due': () => alerts.due(NOW, 100),
    'inputs: what was set aside': () => inputs.setAsideCounts(),
    'retention: numbers of sends to one': () => removeNumbers(NOW, NOW),
    'retention: texts': () => removeTexts(NOW, NOW),
    'retention: bodies': () => removeBodies(NOW),
    'retention: answers': () => removeAnswers(NOW),
    'retention: lists without a send': () => audiences.sweepUnused(NOW),
    'retention: lists': () => audiences.sweepOld(0),
  };
}

async function tapOnce(replies: Memory['replies'], round: number): Promise<void> {
  await replies.keep([{ digest: `tap ${round}`, receivedAt: NOW + round, body: '' }], 1);
  const [webhook] = await replies.waiting(NOW + round, 1);
  const event = { kind: 'reply', replyId: 'yes', from: NUMBER } as const;
  const tap = { key: `tap ${round}`, event, sendId: 'B-1', label: 'Yes', optedOut: false };
  await replies.record([{ webhookId: webhook?.id ?? -1, events: [tap], deliveries: [] }]);
}

async function measure(stores: Memory, database: Database, size: number, empty: string) {
  await fill(database, size, empty);
  const times = new Map<string, number>();
  async function time(name: string, pass: Passes[string]): Promise<void> {
    const rounds: number[] = [];
    const most = name.startsWith('retention') ? ROUNDS.removing : ROUNDS.reading;
    for (let round = 0; round < most; round += 1) {
      const since = performance.now();
      await pass(round);
      rounds.push(performance.now() - since);
    }
    times.set(name, median(rounds.slice(-ROUNDS.removing)));
  }
  for (const [name, pass] of Object.entries(passesOf(stores))) await time(name, pass);
  // The numbers of a large send come last of all when the sends to one are not there.
  await database.change(`UPDATE sends SET numbers_removed_to = -1 WHERE id <> 'B-1'`);
  const numbers = createRetention(database, KEY, nothing);
  await time('retention: numbers of a large send', () => numbers.removeNumbers(NOW, NOW));
  return times;
}

async function onFile(size: number) {
  const folder = mkdtempSync(join(tmpdir(), 'herald-passes-'));
  const opened = openDatabase(join(folder, 'herald.db'));
  if (!opened.ok) throw new Error(opened.error);
  const stores = createSqliteStores(opened.value, KEY);
  const times = await measure(stores, sqliteDatabase(opened.value), size, "x''");
  await stores.sends.close();
  rmSync(folder, { recursive: true });
  return times;
}

const server = await startServer(process.env.TEST_DATABASE_URL, { fsync: 'on' });

async function onServer(size: number) {
  const url = await freshDatabase(server.url);
  const opened = await openBenchDatabase(url);
  const database = createDatabase(url, createBenchLogger(), { observer: UNOBSERVED, clock: systemClock });
  const retention = createRetention(database, KEY, nothing);
  const times = await measure({ ...opened, retention }, database, size, "''::bytea");
  await database.close();
  await opened.sends.close();
  await dropDatabase(server.url, url);
  return times;
}

for (const [name, on] of Object.entries({ SQLite: onFile, PostgreSQL: onServer })) {
  const found: ReadonlyMap<string, number>[] = [];
  for (const size of SIZES) found.push(await on(size));
  console.log(`${name}: milliseconds of one step with ${SIZES.join(', ')} on record; the last by the first`);
  for (const pass of found[0]?.keys() ?? []) {
    const times = found.map((one) => one.get(pass) ?? Number.NaN);
    const ratio = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
    console.log(
      `  ${pass.padEnd(40)} ${times.map((ms) => ms.toFixed(2).padStart(9)).join(' ')} ${ratio.toFixed(1).padStart(8)}`,
    );
  }
}
await server.stop();
