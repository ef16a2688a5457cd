import { systemClock } from '../../src/core/clock.ts';
import { INTERRUPTED } from '../../src/sends/failures.ts';
import { ALONE } from '../../src/store/alone.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteSendStore } from '../../src/store/sqlite/send-store.ts';
import { createDispatching } from './dispatching.ts';
import { CONCURRENCY, PER_SECOND, SEND_ID } from './plan.ts';

/*
 * What a Herald process does with a bulk send, from start to end or until it is killed: puts in order what the one
 * before left, and goes on. Says `running` when it starts and `done` when there is nothing left.
 */
const [path = '', serviceUrl = ''] = process.argv.slice(2);

const database = openDatabase(path);
if (!database.ok) throw new Error(database.error);
const store = createSqliteSendStore(database.value);
const { gateway, dispatcher } = createDispatching({ sends: store, lease: ALONE }, serviceUrl, {
  perSecond: PER_SECOND,
  concurrency: CONCURRENCY,
});

await store.recoverInterrupted(INTERRUPTED, systemClock.now());
const send = await store.find(SEND_ID);
if (send === undefined) throw new Error('there is nothing to send');
process.send?.('running');
if (send.state === 'sending') await dispatcher.run(send);
await gateway.close();
await store.close();
process.send?.('done');
process.disconnect?.();
