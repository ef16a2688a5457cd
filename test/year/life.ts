import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeOld } from '../../src/sends/retention.ts';
import { withJournal } from '../../src/store/opt-out-journal.ts';
import { backUp } from '../../src/store/sqlite/backups.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import {
  BACKUPS,
  DAY_MS,
  type Done,
  FIRST_DAY,
  optsOutOn,
  PSEUDONYM_KEY,
  RETENTION,
  type Span,
} from './plan.ts';
import { optOut, sendAll } from './sending.ts';

/*
 * Some days of a year, in a process of its own: sends, opt-outs and backups, and what retention removes. Tells what it has done in a file that nothing removes.
 */
const span = JSON.parse(process.argv[2] ?? '') as Span;
const file = join(span.folder, 'herald.db');
const backups = join(span.folder, 'backups');
mkdirSync(backups, { recursive: true });

const opened = await openSqliteStores(file, () => {}, undefined, PSEUDONYM_KEY);
if (!opened.ok) throw new Error(opened.error);
const stores = withJournal(opened.value, backups, createRecordingLogger());

function tell(done: Done): void {
  appendFileSync(join(span.folder, 'done.jsonl'), `${JSON.stringify(done)}\n`);
}

/** The backup of the night; those that are too many are deleted, as `backup` of herald.yml does. */
async function backUpAt(day: number): Promise<void> {
  const started = performance.now();
  const copy = join(
    backups,
    `herald-${new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10)}T23-00-00Z.db`,
  );
  const held = await backUp(file, copy);
  if (!held.ok) throw new Error(held.error);
  tell({ what: 'backup', ms: performance.now() - started, bytes: statSync(copy).size });
  const made = readdirSync(backups)
    .filter((name) => name.endsWith('.db'))
    .toSorted();
  for (const name of made.slice(0, -BACKUPS.keep)) rmSync(join(backups, name));
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

for (let day = span.from; day < span.to; day += 1) {
  for (const done of await sendAll(stores, day)) tell(done);
  await remove(day);
  if (day % BACKUPS.everyDays === BACKUPS.everyDays - 1 || day === span.to - 1) await backUpAt(day);
  // After the backup, so that a restore on this day must find it elsewhere.
  if (optsOutOn(day) || day === span.to - 1) tell(await optOut(stores, day));
}
await stores.sends.close();
process.exit();
