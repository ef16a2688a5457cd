import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { removeOld } from '../../src/sends/retention.ts';
import { withJournal } from '../../src/store/opt-out-journal.ts';
import type * as Copies from '../../src/store/sqlite/copies.ts';
import type * as InThread from '../../src/store/sqlite/in-thread.ts';
import type { Memory } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import {
  BACKUPS,
  DAY_MS,
  type Done,
  FIRST_DAY,
  numberOf,
  PSEUDONYM_KEY,
  RETENTION,
  type Span,
  sendsOn,
} from './plan.ts';

/*
 * Some days of a year, with the stores of one version of Herald, in a process of its own: sends, opt-outs and backups, and
 * with this version what retention removes. Tells what it has done in a file that nothing removes.
 */
const span = JSON.parse(process.argv[2] ?? '') as Span;
const file = join(span.folder, 'herald.db');
const backups = join(span.folder, 'backups');
mkdirSync(backups, { recursive: true });

async function ofVersion<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(span.project, 'src', path)).href)) as Module;
}

const { openSqliteStores } = await ofVersion<typeof InThread>('store/sqlite/in-thread.ts');
const { backUp } = await ofVersion<typeof Copies>('store/sqlite/copies.ts');
const opened = await openSqliteStores(file, () => {}, undefined, PSEUDONYM_KEY);
if (!opened.ok) throw new Error(opened.error);
const stores: Memory = span.isThisVersion
  ? withJournal(opened.value, backups, createRecordingLogger())
  : opened.value;

function tell(done: Done): void {
  appendFileSync(join(span.folder, 'done.jsonl'), `${JSON.stringify(done)}\n`);
}

/** From asking to the end, and told of it. */
async function send(day: number, id: string, rows: number): Promise<void> {
  const { sends } = stores;
  const at = FIRST_DAY + day * DAY_MS;
  await sends.begin({
    id,
    kind: 'sms',
    message: { kind: 'sms', sender: 'ACMEIN', text: `Offer ${id}`, type: 'TRANS', unicode: false },
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: at,
    requestKey: id,
    audience: { id: `A-${id}`, columns: ['name'] },
  });
  const recipients = Array.from({ length: rows }, (_, row) => ({
    row,
    number: numberOf(day, row),
    values: [`Person ${row}`],
  }));
  await sends.addRecipients(id, recipients);
  await sends.seal({ sendId: id, digest: id, to: 'approved', at, actor: 'U' });
  await sends.moveSend({ sendId: id, from: 'approved', to: 'sending', at, actor: 'U' });
  const claimed = await sends.claim(id, rows, at);
  const outcome = { state: 'accepted', status: 200 } as const;
  await sends.settle(
    claimed.map(({ row }) => ({
      sendId: id,
      row,
      outcome: { ...outcome, messageId: `${id}-${row}` },
      settledAt: at,
    })),
  );
  await sends.markThread(id, { end: 'all' });
  await sends.markTold(id, (await sends.events(id)).length);
  tell({ what: 'send', id, day, rows });
}

async function optOut(number: Msisdn, at: number): Promise<void> {
  await stores.audiences.optOut([{ number, at, actor: 'U', source: 'command' }]);
  tell({ what: 'opt-out', number });
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
  if (!span.isThisVersion) return;
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
  for (const { id, rows } of sendsOn(day)) await send(day, id, rows);
  await remove(day);
  if (day % span.backupEvery === span.backupEvery - 1 || day === span.to - 1) await backUpAt(day);
  // After the backup, so that a restore on this day must find it elsewhere.
  if (day % 5 === 0 || day === span.to - 1) await optOut(numberOf(day, 0), FIRST_DAY + day * DAY_MS);
}
await stores.sends.close();
process.exit();
