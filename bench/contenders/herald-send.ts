import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepHeapSmall } from '../../src/core/heap.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import {
  BULK_SMS,
  benchSend,
  createBenchDispatching,
  expectAllArrived,
  prepareBenchSend,
} from '../bench-send.ts';

/*
 * The whole of Herald's dispatch, everything on: claims and outcomes on disk with synchronous=FULL, the gateway's evidence,
 * pace, breaker, log. Called with the service's address, how many recipients, and `sms` for one text to all of them; says
 * recipients a second, from the first claim to `done`.
 */
keepHeapSmall();
const [origin = '', count, kind] = process.argv.slice(2);
const recipients = Number(count);
const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
const stores = await openSqliteStores(join(folder, 'herald.db'));
if (!stores.ok) throw new Error(stores.error);
const store = stores.value.sends;
const { gateway, dispatcher } = createBenchDispatching(stores.value, origin);
await prepareBenchSend(store, recipients, kind === 'sms' ? BULK_SMS : undefined);
const send = await benchSend(store);
const begun = performance.now();
await dispatcher.run(send);
const perSecond = (recipients * 1_000) / (performance.now() - begun);
await expectAllArrived(store, recipients);
await gateway.close();
await store.close();
rmSync(folder, { recursive: true });
process.send?.(perSecond);
