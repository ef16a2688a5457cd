import { randomUUID } from 'node:crypto';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import type { Settlement } from '../../src/sends/outcome.ts';
import { createRetention } from '../../src/store/retention.ts';
import { createBackups } from '../../src/store/sqlite/backups.ts';
import { sqliteDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import { benchSend } from '../bench-send.ts';
import { grownNumber } from '../grown-file.ts';
import { median } from '../row.ts';

/*
 * What the store does, on a file with so many recipients on record; called with the file and that number. Says how many
 * milliseconds each thing took, the middle of some, and of what works in the background the longest.
 */
const [path = '', size] = process.argv.slice(2);
const TIMES = 11;
const MANY = 50;
const UNKNOWN = '+911234567890' as Msisdn;
const GROUP = 500;
const FAILURE = { what: 'Often enough.', next: 'Wait.', scope: 'recipient' } as const;
const KEY = createPseudonym('the-key-of-a-benchmark');

const taken = new Map<string, number[]>();
/** What takes less than a clock can tell is done many times. */
async function time<T>(name: string, work: () => Promise<T>, times = 1): Promise<T> {
  const since = performance.now();
  let result = await work();
  for (let again = 1; again < times; again += 1) result = await work();
  taken.set(name, [...(taken.get(name) ?? []), (performance.now() - since) / times]);
  return result;
}

const opened = await time('start', () => openSqliteStores(path));
if (!opened.ok) throw new Error(opened.error);
let waits: number[] = [];
let isCopying = true;
const asking = (async () => {
  while (isCopying) {
    const since = performance.now();
    await benchSend(opened.value.sends);
    waits.push(performance.now() - since);
  }
})();
await new Promise((resolve) => setTimeout(resolve, 200));
waits = [];
const held = await createBackups(path, { every: 1, keep: 1, to: `${path}.backups` }).take(Date.now());
if (!held.ok) throw new Error(held.error);
isCopying = false;
await asking;
taken.set('backup', [waits.reduce((most, wait) => Math.max(most, wait), 0)]);
await opened.value.sends.close();

const own = openDatabase(path);
if (!own.ok) throw new Error(own.error);
const { sends, replies } = createSqliteStores(own.value);
const { id: sendId } = await benchSend(sends);
/** Keeps a report, looks for its recipient and records it, as Herald does with what the service posts. */
async function reported(messageId: string, number?: Msisdn) {
  const at = Date.now();
  await replies.keep([{ digest: randomUUID(), receivedAt: at, body: '' }], 1);
  const [kept] = await replies.waiting(at, 1);
  const place = await replies.findByMessageId(messageId, number, true);
  const deliveries = place === undefined ? [] : [{ ...place, status: 'delivered', at } as const];
  await replies.record([{ webhookId: kept?.id ?? -1, events: [], deliveries }]);
  return place;
}
const idOf = own.value.prepare('SELECT message_id FROM recipients WHERE number = ?');
for (let round = 0; round < TIMES; round += 1) {
  const at = Date.now();
  const claimed = await time('claim', () => sends.claim(sendId, GROUP, at));
  const cap = { sendId, recipients: claimed, most: 9, since: 0, failure: FAILURE, at };
  await time('cap', () => sends.skipOverCap(cap));
  const outcomes = claimed.map(({ row }): Settlement => {
    const outcome = { state: 'accepted', status: 200, messageId: randomUUID() } as const;
    return { sendId, row, outcome, settledAt: at };
  });
  await time('settle', () => sends.settle(outcomes));
  const asked = async () => {
    await sends.list({ limit: 20, userId: 'U1' });
    await sends.workload(0);
    return sends.sentTo(grownNumber(round), { limit: 20 });
  };
  await time('sends', asked, MANY);
  const number = grownNumber(Math.floor((Number(size) / TIMES) * round));
  const messageId = String(idOf.get(number)?.message_id);
  const known = await time('report', () => reported(messageId, number));
  await time('index', () => replies.indexIds());
  const alone = await time('report without a number', () => reported(messageId));
  await time('report of an unknown number', () => reported(randomUUID(), UNKNOWN));
  if (known === undefined || alone === undefined) throw new Error('a report was not found');
}
const retention = createRetention(sqliteDatabase(own.value), KEY, async () => 0);
own.value.exec('DELETE FROM posts');
for (let step = 0; step < TIMES; step += 1)
  await time('retention', () => retention.removeNumbers(Date.now(), Date.now()));
await sends.close();

const BACKGROUND = new Set(['backup', 'retention', 'index']);
process.send?.(
  Object.fromEntries(
    [...taken].map(([name, ms]) => [name, BACKGROUND.has(name) ? Math.max(...ms) : median(ms)]),
  ),
);
