import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/core/clock.ts';
import { keepHeapSmall } from '../../src/core/heap.ts';
import { systemRandom } from '../../src/core/random.ts';
import { UNOBSERVED } from '../../src/store/observer.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import { benchSend, createBenchDispatching, createBenchLogger } from '../bench-send.ts';

/*
 * One of several replicas on one send; called with the database, the service's address and the connections of all replicas
 * together. Says that it is ready, begins when it is told to, and says when the send has ended.
 */
keepHeapSmall();
const LOOK_EVERY_MS = 10;
/** Replicas learn of each other by their heartbeats. */
const ACQUAINTED_MS = 3_500;
const [url = '', origin = '', connections] = process.argv.slice(2);

const stores = await openPostgresStores(url, {
  observer: UNOBSERVED,
  clock: systemClock,
  random: systemRandom,
  logger: createBenchLogger(),
});
if (!stores.ok) throw new Error(stores.error);
const { sends } = stores.value;
const { gateway, dispatcher } = createBenchDispatching(stores.value, origin, Number(connections));
await delay(ACQUAINTED_MS);
process.once('message', async () => {
  for (;;) {
    const send = await benchSend(sends);
    if (send.state !== 'sending') break;
    await dispatcher.run(send, {});
    await delay(LOOK_EVERY_MS);
  }
  process.send?.('done');
  await gateway.close();
  await sends.close();
  process.disconnect?.();
});
process.send?.('ready');
