import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../src/messages/kinds.ts';
import { openSqliteStores } from '../src/store/sqlite/in-thread.ts';
import { benchSend, createBenchDispatching, expectAllArrived, prepareBenchSend } from './bench-send.ts';

/**
 * Sends to `recipients` people through the whole of dispatch, everything on: claims and outcomes on disk with
 * synchronous=FULL, the gateway's evidence, pace, breaker, log.
 *
 * @returns recipients a second, from the first claim to `done`
 */
export async function heraldPerSecond(
  origin: string,
  recipients: number,
  message?: Message,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const stores = await openSqliteStores(join(folder, 'herald.db'));
  if (!stores.ok) throw new Error(stores.error);
  const store = stores.value.sends;
  const { gateway, dispatcher } = createBenchDispatching(stores.value, origin);
  await prepareBenchSend(store, recipients, message);
  const send = await benchSend(store);
  const begun = performance.now();
  await dispatcher.run(send, {});
  const rate = (recipients * 1_000) / (performance.now() - begun);
  await expectAllArrived(store, recipients);
  await gateway.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return rate;
}
