import { systemClock } from '../../src/core/clock.ts';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import { retryUntilStored } from '../../src/sends/store-trouble.ts';
import { createClearWay } from '../fakes/sends.ts';
import { createDispatching, openStores, silent } from './dispatching.ts';
import { SENDS } from './plan.ts';

/*
 * One of several replicas on the bulk sends of a plan, from start to end or until it is killed: it sends what it can claim,
 * and takes over what others have left. Says `running` when it starts, and ends when the sends have.
 */
const LOOK_EVERY_MS = 500;
const [url = '', serviceUrl = '', perSecond = '0', concurrency = '0'] = process.argv.slice(2);

const stores = await openStores(url);
const { sends } = stores;
const { gateway, dispatcher } = createDispatching(stores, serviceUrl, {
  perSecond: Number(perSecond),
  concurrency: Number(concurrency),
});

// Whoever started it is gone.
process.once('disconnect', () => process.exit());

let ended = false;
async function keepTakingOver(): Promise<void> {
  while (!ended) {
    // A transaction that was ended while this process was stopped is tried again, as in Herald itself.
    await sends.recoverInterrupted(INTERRUPTED, systemClock.now()).catch(() => []);
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}

const takingOver = keepTakingOver();
process.send?.('running');
const { storeTrouble } = createClearWay();
const untilItAnswers = {
  storeTrouble,
  clock: systemClock,
  logger: silent,
  stopping: new AbortController().signal,
};
async function work(sendId: string): Promise<void> {
  for (;;) {
    const send = await retryUntilStored(() => sends.find(sendId), untilItAnswers);
    if (send?.state !== 'sending') return;
    await dispatcher.run(send);
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
await Promise.all(SENDS.map(work));
ended = true;
await takingOver;
await gateway.close();
await sends.close();
process.exit();
