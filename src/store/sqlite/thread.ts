import { parentPort, workerData } from 'node:worker_threads';
import { ok } from '../../core/result.ts';
import { createPseudonym } from '../../messages/numbers/pseudonym.ts';
import { type Call, type CallResult, type Opened, pack, type ThreadData, unpack } from './in-thread.ts';
import { openDatabase } from './open.ts';
import { createSqliteStores } from './stores.ts';

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
if (database.ok) {
  const stores = createSqliteStores(
    database.value,
    pseudonymKey === undefined ? undefined : createPseudonym(pseudonymKey),
  );
  type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  const methodsOf = stores as unknown as Readonly<Record<string, Methods>>;
  port.on('message', async ({ id, store, method, args }: Call) => {
    try {
      const value = await methodsOf[store]?.[method]?.(...args.map(unpack));
      port.postMessage({ id, ...pack(value) } satisfies CallResult);
    } catch (error) {
      port.postMessage({ id, error, isOutage: isOutage(error) } satisfies CallResult);
    }
    if (store === 'sends' && method === 'close') port.close();
  });
  port.postMessage(ok({ copy, stores: Object.keys(stores) }) satisfies Opened);
} else port.postMessage(database satisfies Opened);
