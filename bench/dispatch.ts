import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axios from 'axios';
import pLimit from 'p-limit';
import { Pool, type Dispatcher as Undici } from 'undici';
import { systemClock } from '../src/core/clock.ts';
import { systemRandom } from '../src/core/random.ts';
import { createGateway } from '../src/gateway/gateway.ts';
import { wireSchema } from '../src/gateway/wire.ts';
import type { Message } from '../src/messages/message.ts';
import type { Msisdn } from '../src/messages/phone-number.ts';
import { createDispatcher } from '../src/sends/dispatch/dispatcher.ts';
import { openSqliteStores } from '../src/store/sqlite/in-thread.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { formatRound, median } from './figures.ts';

/*
 * How much of a bare undici loop is left with everything on: claims and outcomes on disk with synchronous=FULL, the
 * gateway's evidence, the pace, the breaker, the log. Rounds are interleaved, because a machine has good and bad
 * minutes; what counts is the ratio within a round.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const RECIPIENTS = Number(process.argv[3] ?? 50_000);
/** axios needs ten times as long; fewer requests give the same rate. */
const AXIOS_RECIPIENTS = Math.min(RECIPIENTS, 10_000);
const CONNECTIONS = 100;

const MESSAGE: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'order_update',
  params: ['{{name}}', 'A-1001'],
  campaignName: 'spring',
};
const number = (n: number) => `+9198${String(n).padStart(8, '0')}` as Msisdn;
const body = (n: number) =>
  JSON.stringify({
    from: MESSAGE.kind === 'chatapp' ? MESSAGE.from : '',
    to: number(n),
    templateName: 'order_update',
    type: 'template',
    campaignName: 'spring',
    components: { body: { params: [`Person ${n}`, 'A-1001'] } },
  });
/** What Herald sends, byte for byte, so that the contenders differ in nothing but what they do around it. */
const HEADERS = {
  apikey: 'bench-key-0123456789',
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'Herald',
};

const responder = fork(fileURLToPath(new URL('./responder.ts', import.meta.url)));
const [port] = (await once(responder, 'message')) as [number];
const origin = `http://127.0.0.1:${port}`;

/** Recipients a second of one contender. */
async function perSecond(count: number, run: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await run();
  return (count * 1_000) / (performance.now() - begun);
}

function bare(): Promise<number> {
  return perSecond(RECIPIENTS, async () => {
    const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, allowH2: false });
    let next = 0;
    await Promise.all(
      Array.from(
        { length: CONNECTIONS },
        () => new Promise<void>((resolve, reject) => dispatchNext(resolve, reject)),
      ),
    );
    await pool.close();

    function dispatchNext(resolve: () => void, reject: (error: Error) => void): void {
      if (next >= RECIPIENTS) {
        resolve();
        return;
      }
      const n = next;
      next += 1;
      const handler: Undici.DispatchHandler = {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: () => {},
        onResponseEnd: () => dispatchNext(resolve, reject),
        onResponseError: (_controller, error) => reject(error),
      };
      pool.dispatch({ path: '/v1/chatapp', method: 'POST', headers: HEADERS, body: body(n) }, handler);
    }
  });
}

async function herald(): Promise<number> {
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
  for (let from = 0; from < RECIPIENTS; from += 5_000) {
    const size = Math.min(5_000, RECIPIENTS - from);
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
  const rate = await perSecond(RECIPIENTS, () => dispatcher.run(send));
  const after = await store.find('S-BENCH');
  if (after?.state !== 'done' || after.counts.accepted !== RECIPIENTS)
    throw new Error(`not all arrived: ${JSON.stringify(after)}`);
  await gateway.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return rate;
}

function limitedAxios(): Promise<number> {
  return perSecond(AXIOS_RECIPIENTS, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const client = axios.create({ baseURL: origin, headers: HEADERS, httpAgent: agent });
    const limit = pLimit(CONNECTIONS);
    await Promise.all(
      Array.from({ length: AXIOS_RECIPIENTS }, (_, n) => limit(() => client.post('/v1/chatapp', body(n)))),
    );
    agent.destroy();
  });
}

await bare();
await herald();
const rounds: { bare: number; herald: number; axios: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  rounds.push({ bare: await bare(), herald: await herald(), axios: await limitedAxios() });
  const last = rounds.at(-1);
  if (last) console.log(formatRound(round + 1, last));
}
console.log(`Herald / bare dispatch: ${median(rounds.map((r) => r.herald / r.bare)).toFixed(2)}  (aim 0.65)`);
console.log(`Herald / p-limit + axios: ${median(rounds.map((r) => r.herald / r.axios)).toFixed(1)}  (aim 5)`);
console.log(`Peak memory: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
responder.disconnect();
