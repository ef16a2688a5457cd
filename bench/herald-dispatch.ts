import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/core/clock.ts';
import { systemRandom } from '../src/core/random.ts';
import { createGateway } from '../src/gateway/gateway.ts';
import { wireSchema } from '../src/gateway/wire.ts';
import type { Message } from '../src/messages/message.ts';
import type { Msisdn } from '../src/messages/phone-number.ts';
import { createDispatcher } from '../src/sends/dispatch/dispatcher.ts';
import { openSqliteStores } from '../src/store/sqlite/in-thread.ts';
import { createLogger } from '../src/telemetry/logger.ts';

/** Connections of every contender. */
export const CONNECTIONS = 100;

const MESSAGE: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'order_update',
  params: ['{{name}}', 'A-1001'],
  campaignName: 'spring',
};
const number = (n: number) => `+9198${String(n).padStart(8, '0')}` as Msisdn;
export const body = (n: number) =>
  JSON.stringify({
    from: MESSAGE.kind === 'chatapp' ? MESSAGE.from : '',
    to: number(n),
    templateName: 'order_update',
    type: 'template',
    campaignName: 'spring',
    components: { body: { params: [`Person ${n}`, 'A-1001'] } },
  });
/** What Herald sends, byte for byte, so that the contenders differ in nothing but what they do around it. */
export const HEADERS = {
  apikey: 'bench-key-0123456789',
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'Herald',
};

/**
 * Sends to `recipients` people through the whole of dispatch, everything on: claims and outcomes on disk with
 * synchronous=FULL, the gateway's evidence, pace, breaker, log.
 *
 * @returns recipients a second, from the first claim to `done`
 */
export async function heraldPerSecond(origin: string, recipients: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const stores = await openSqliteStores(join(folder, 'herald.db'));
  if (!stores.ok) throw new Error(stores.error);
  const store = stores.value.sends;
  const logger = createLogger({ level: 'info', secrets: [HEADERS.apikey], destination: { write: () => {} } });
  const gateway = createGateway({
    baseUrl: origin,
    flashUrl: origin,
    apiKey: HEADERS.apikey,
    wire: wireSchema.parse({}),
    connections: CONNECTIONS,
    clock: systemClock,
    logger,
  });
  const pace = { perSecond: 1_000_000, concurrency: CONNECTIONS };
  const dispatcher = createDispatcher({
    store,
    gateway,
    pacing: { chatapp: pace, rcs: pace, sms: pace, flash: pace },
    clock: systemClock,
    random: systemRandom,
    logger,
    stopping: new AbortController().signal,
  });
  await store.begin({
    id: 'S-BENCH',
    kind: 'chatapp',
    message: MESSAGE,
    origin: { teamId: 'T', userId: 'U', channelId: 'C' },
    createdAt: 1,
    requestKey: 'k',
    audience: { id: 'A', columns: ['name'] },
  });
  for (let from = 0; from < recipients; from += 5_000) {
    const size = Math.min(5_000, recipients - from);
    const rows = Array.from({ length: size }, (_, n) => ({
      row: from + n,
      number: number(from + n),
      values: [`Person ${from + n}`],
    }));
    await store.addRecipients('S-BENCH', rows);
  }
  await store.seal({ sendId: 'S-BENCH', digest: 'd', to: 'approved', at: 1, actor: 'U' });
  await store.moveSend({ sendId: 'S-BENCH', from: 'approved', to: 'sending', at: 1, actor: 'U' });
  const send = await store.find('S-BENCH');
  if (send === undefined) throw new Error('the send was not stored');
  const begun = performance.now();
  await dispatcher.run(send);
  const rate = (recipients * 1_000) / (performance.now() - begun);
  const after = await store.find('S-BENCH');
  if (after?.state !== 'done' || after.counts.accepted !== recipients)
    throw new Error(`not all arrived: ${JSON.stringify(after)}`);
  await gateway.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return rate;
}
