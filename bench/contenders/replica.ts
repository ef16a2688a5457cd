import { setTimeout as delay } from 'node:timers/promises';
import { keepHeapSmall } from '../../src/core/heap.ts';
import { benchSend, createBenchDispatching, openBenchDatabase } from '../bench-send.ts';

/*
 * One of several replicas on one send; called with the database, the service's address and the connections of all replicas
 * together. Says that it is ready, begins when it is told to, and says when the send has ended.
 */
keepHeapSmall();
const LOOK_EVERY_MS = 10;
/** Replicas learn of each other by their heartbeats. */
const ACQUAINTED_MS = 3_500;
const [url = '', origin = '', connections] = process.argv.slice(2);

const stores = await openBenchDatabase(url);
const { sends } = stores;
const { gateway, dispatcher } = createBenchDispatching(stores, origin, Number(connections));
await delay(ACQUAINTED_MS);
process.once('message', async () => {
  for (;;) {
    const send = await benchSend(sends);
    if (send.state !== 'sending') break;
    await dispatcher.run(send);
    await delay(LOOK_EVERY_MS);
  }
  process.send?.('done');
  await gateway.close();
  await sends.close();
  process.disconnect?.();
});
process.send?.('ready');
