import { appendFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../src/messages/kinds.ts';
import { removeOld } from '../../src/sends/retention.ts';
import { withJournal } from '../../src/store/opt-out-journal.ts';
import { createBackups } from '../../src/store/sqlite/backups.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { showAll } from '../store/shown.ts';
import { accepted, bulkSend, sendingToMany, settleRows } from '../store/steps.ts';
import {
  BACKUPS,
  DAY_MS,
  type Done,
  FIRST_DAY,
  numberOf,
  optsOutOn,
  PSEUDONYM_KEY,
  RETENTION,
  type Span,
  sendsOn,
} from './plan.ts';

/*
 * Some days of a year, in a process of its own: sends, opt-outs and backups, and what retention removes. Tells what it has done in a file that nothing removes.
 */
const span = JSON.parse(process.argv[2] ?? '') as Span;
const file = join(span.folder, 'herald.db');
const backups = join(span.folder, 'backups');
mkdirSync(backups, { recursive: true });
const nightly = createBackups(file, { every: 24, keep: BACKUPS.keep, to: backups });

const opened = await openSqliteStores(file, () => {}, undefined, PSEUDONYM_KEY);
if (!opened.ok) throw new Error(opened.error);
const stores = withJournal(opened.value, backups, createRecordingLogger());

function tell(done: Done): void {
  appendFileSync(join(span.folder, 'done.jsonl'), `${JSON.stringify(done)}\n`);
}

/** As `backup` of herald.yml does. */
async function backUpAt(day: number): Promise<void> {
  const started = performance.now();
  const taken = await nightly.take(FIRST_DAY + day * DAY_MS);
  if (!taken.ok) throw new Error(taken.error);
  const ms = performance.now() - started;
  const copies = readdirSync(backups).filter((name) => name.endsWith('.db'));
  tell({ what: 'backup', ms, bytes: statSync(join(backups, copies.toSorted().at(-1) ?? '')).size });
}

async function remove(day: number): Promise<void> {
  const now = FIRST_DAY + day * DAY_MS;
  const counts = await removeOld(RETENTION, {
    store: stores.retention,
    audiences: stores.audiences,
    clock: { now: () => now, monotonic: () => performance.now(), sleep: async () => {} },
    stopping: new AbortController().signal,
  });
  tell({ what: 'removed', counts });
}

async function optOut(day: number): Promise<void> {
  const number = numberOf(day, 0);
  await stores.audiences.optOut([{ number, at: FIRST_DAY + day * DAY_MS, actor: 'U', source: 'command' }]);
  tell({ what: 'opt-out', number });
}

/** A send from asking to the end. */
async function send(day: number, id: string, rows: number): Promise<void> {
  const { sends, posts } = stores;
  const at = FIRST_DAY + day * DAY_MS;
  const message = { ...bulkSend(id).message, text: `Offer ${id}` } as Message;
  const recipients = Array.from({ length: rows }, (_, row) => {
    return { row, number: numberOf(day, row), values: [`Person ${row}`] };
  });
  const audience = { id: `A-${id}`, columns: ['name'] };
  await sendingToMany(sends, id, recipients, at, { message, audience });
  const claimed = await sends.claim(id, rows, at);
  const outcomes = claimed.map(({ row }) => accepted(`${id}-${row}`));
  await settleRows(sends, id, outcomes, at);
  await showAll(posts, at);
  tell({ what: 'send', id, day, rows });
}

for (let day = span.from; day < span.to; day += 1) {
  for (const { id, rows } of sendsOn(day)) await send(day, id, rows);
  await remove(day);
  if (day % BACKUPS.everyDays === BACKUPS.everyDays - 1 || day === span.to - 1) await backUpAt(day);
  // After the backup, so that a restore on this day must find it elsewhere.
  if (optsOutOn(day) || day === span.to - 1) await optOut(day);
}
await stores.sends.close();
process.exit();
