import { parentPort, workerData } from 'node:worker_threads';
import { createPseudonym } from '../../messages/numbers/pseudonym.ts';
import { openDatabase } from './open.ts';
import { createSqliteStores } from './stores.ts';
import { type Call, type CallResult, type Opened, pack, type ThreadData, unpack } from './thread-messages.ts';

/*
 * The thread that has the database file: SQL and the wait for the disk happen here, while the main thread goes on
 * sending and answering Slack. Started by in-thread.ts, with the file's path as its data.
 */
/** SQLite's codes of what can never be written: too big, against a constraint, of another type. */
const UNFIT: readonly unknown[] = [18, 19, 20];

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  // The lowest byte; the others say it more closely.
  return !UNFIT.includes(Number(error.errcode) & 0xff);
}

const port = parentPort;
if (port === null) throw new Error('The store’s thread is started by Herald, not by itself.');
const { path, pseudonymKey } = workerData as ThreadData;
let copy: string | undefined;
const database = openDatabase(path, (kept) => {
  copy = kept;
});
const opened: Opened = database.ok ? { state: 'open', copy } : { state: 'failed', sentence: database.error };

if (database.ok) {
  const stores = createSqliteStores(
    database.value,
    pseudonymKey === undefined ? undefined : createPseudonym(pseudonymKey),
  );
  port.on('message', async ({ id, store, method, args }: Call) => {
    const methods = stores[store] as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
    try {
      const value = await methods[method]?.(...args.map(unpack));
      port.postMessage({ id, ...pack(value) } satisfies CallResult);
    } catch (error) {
      port.postMessage({ id, error, isOutage: isOutage(error) } satisfies CallResult);
    }
    if (store === 'sends' && method === 'close') port.close();
  });
}
port.postMessage(opened);
