import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import { putBack } from '../../src/store/sqlite/copies.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory } from '../../src/store/stores.ts';
import { oneSend } from './one-send.ts';
import { describeRestoredStore } from './restored-contract.ts';

const RESTORED = { what: 'It was restored.', next: 'Look.', scope: 'send' } as const;
let folder: string;
let stores: Memory | undefined;
let moment = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-restored-'));
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'herald.db');
const marker = () => join(folder, '.herald.db.newest');
const backup = () => join(folder, 'backup');

async function close(): Promise<void> {
  await stores?.sends.close();
  stores = undefined;
}

async function reopen(): Promise<Memory> {
  await close();
  const database = openDatabase(file());
  if (!database.ok) throw new Error(database.error);
  stores = createSqliteStores(database.value);
  return stores;
}

async function copy(): Promise<void> {
  await close();
  copyFileSync(file(), backup());
}

async function restore(): Promise<void> {
  await close();
  moment += 1_000;
  const restored = await putBack(file(), backup(), moment);
  if (!restored.ok) throw new Error(restored.error);
}

const noticed = (store: SendStore) => store.stopRestored(RESTORED, 5);

describeRestoredStore('SQLite', async () => ({
  reopen: async () => (await reopen()).sends,
  copy,
  restore,
}));

it('takes a database that was moved without its marker for a restored one', async () => {
  const { sends } = await reopen();
  await sends.create(oneSend('S-1'));
  await close();
  rmSync(marker());
  expect(await noticed((await reopen()).sends)).toEqual(['S-1']);
});

it('goes on while somebody else writes to the file, and marks it with the next commit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { sends } = await reopen();
    await sends.create(oneSend('S-1'));
    const other = new DatabaseSync(file());
    other.exec('BEGIN IMMEDIATE');
    vi.advanceTimersByTime(50);
    other.exec('COMMIT');
    other.close();
    await sends.create(oneSend('S-2'));
    vi.advanceTimersByTime(50);
  } finally {
    vi.useRealTimers();
  }
  await close();
  rmSync(marker());
  expect(await noticed((await reopen()).sends)).toEqual(['S-1', 'S-2']);
});

it('takes a marker that nobody can read for none', async () => {
  const { sends } = await reopen();
  await sends.create(oneSend('S-1'));
  await close();
  writeFileSync(marker(), 'what?');
  expect(await noticed((await reopen()).sends)).toEqual(['S-1']);
});

it('forgets no opt-out that was given since the copy was made', async () => {
  await (await reopen()).sends.create(oneSend('S-1'));
  await copy();
  const optOut = { number: '+911' as Msisdn, at: 3, actor: 'U0ASHA', source: 'command' } as const;
  await (await reopen()).audiences.optOut([optOut]);
  await restore();
  const { sends, audiences } = await reopen();
  expect(await noticed(sends)).toEqual(['S-1']);
  expect(await audiences.findOptOut(optOut.number)).toEqual(optOut);
});

it('keeps its marker for its owner only, and in memory has none', async () => {
  await (await reopen()).sends.create(oneSend('S-1'));
  await close();
  expect(statSync(marker()).mode & 0o777).toBe(0o600);
  const database = openDatabase(':memory:');
  if (!database.ok) throw new Error(database.error);
  const { sends } = createSqliteStores(database.value);
  await sends.create(oneSend('S-1'));
  expect(await noticed(sends)).toBeUndefined();
  await sends.close();
});
