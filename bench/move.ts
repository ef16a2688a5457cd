import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteStores } from '../src/store/sqlite/in-thread.ts';
import { startServer } from '../test/postgres/server.ts';
import { prepareBenchSend } from './bench-send.ts';
import { dropDatabase, freshDatabase } from './databases.ts';

/*
 * Moving a send from its file to PostgreSQL, copying and comparing: how long it takes, and that its memory does not grow with
 * the file. A tenth of the recipients first, then all of them.
 */
const WHOLE = Number(process.argv[2] ?? 1_000_000);
const server = await startServer(process.env.TEST_DATABASE_URL, { fsync: 'on' });
const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));

for (const recipients of [WHOLE / 10, WHOLE]) {
  const file = join(folder, `${recipients}.db`);
  const stores = await openSqliteStores(file);
  if (!stores.ok) throw new Error(stores.error);
  await prepareBenchSend(stores.value.sends, recipients);
  await stores.value.sends.close();
  const url = await freshDatabase(server.url);
  const child = fork(fileURLToPath(new URL('./move-contender.ts', import.meta.url)), [file, url]);
  const [{ seconds, peakMb }] = (await once(child, 'message')) as [{ seconds: number; peakMb: number }];
  console.log(
    `moving ${recipients} recipients: ${seconds.toFixed(0)} s, ${(recipients / seconds / 1_000).toFixed(0)} k/s, peak ${peakMb.toFixed(0)} MB`,
  );
  await dropDatabase(server.url, url);
}
rmSync(folder, { recursive: true });
await server.stop();
