import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import type { SendStore } from '../../src/sends/ports.ts';
import { putBack } from '../../src/store/sqlite/put-back.ts';
import { openMemoryStores } from '../fakes/stores.ts';
import { fileSetting } from './file-setting.ts';
import { describeRestoredStore, RESTORED } from './restored-contract.ts';
import { oneSend } from './steps.ts';

let moment = 0;
const { at, file, stop, reopen, addSend } = fileSetting();
const marker = () => at('.herald.db.newest');
const backup = () => at('backup');

async function copy(): Promise<void> {
  await stop();
  copyFileSync(file(), backup());
}

async function restore(): Promise<void> {
  await stop();
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

it.each([
  ['that was moved without its marker', () => rmSync(marker())],
  ['whose marker nobody can read', () => writeFileSync(marker(), 'what?')],
])('takes a database %s for a restored one', async (_which, lose) => {
  await reopen();
  await addSend('S-1');
  await stop();
  lose();
  expect(await noticed((await reopen()).sends)).toEqual(['S-1']);
});

it('goes on while somebody else writes to the file, and marks it with the next commit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await reopen();
    await addSend('S-1');
    const other = new DatabaseSync(file());
    other.exec('BEGIN IMMEDIATE');
    vi.advanceTimersByTime(50);
    other.exec('COMMIT');
    other.close();
    await addSend('S-2');
    vi.advanceTimersByTime(50);
  } finally {
    vi.useRealTimers();
  }
  await stop();
  rmSync(marker());
  expect(await noticed((await reopen()).sends)).toEqual(['S-1', 'S-2']);
});

it('takes none in memory for a restored one', async () => {
  const { sends } = openMemoryStores();
  await sends.create(oneSend('S-1'));
  expect(await noticed(sends)).toBeUndefined();
  await sends.close();
});
