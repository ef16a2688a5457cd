import { Agent } from 'node:http';
import axios from 'axios';
import pLimit from 'p-limit';
import { Pool, type Dispatcher as Undici } from 'undici';
import { body, CONNECTIONS, HEADERS } from './bench-send.ts';
import { formatRound, median } from './figures.ts';
import { heraldPerSecond } from './herald-dispatch.ts';
import { startResponder } from './start-responder.ts';

/*
 * How much of a bare undici loop is left with everything on: claims and outcomes on disk with synchronous=FULL, the
 * gateway's evidence, the pace, the breaker, the log. Rounds are interleaved, because a machine has good and bad
 * minutes; what counts is the ratio within a round.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const RECIPIENTS = Number(process.argv[3] ?? 50_000);
/** axios needs ten times as long; fewer requests give the same rate. */
const AXIOS_RECIPIENTS = Math.min(RECIPIENTS, 10_000);

const responder = await startResponder();
const { origin } = responder;

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
await heraldPerSecond(origin, RECIPIENTS);
const rounds: { bare: number; herald: number; axios: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  rounds.push({
    bare: await bare(),
    herald: await heraldPerSecond(origin, RECIPIENTS),
    axios: await limitedAxios(),
  });
  const last = rounds.at(-1);
  if (last) console.log(formatRound(round + 1, last));
}
console.log(`Herald / bare dispatch: ${median(rounds.map((r) => r.herald / r.bare)).toFixed(2)}  (aim 0.65)`);
console.log(`Herald / p-limit + axios: ${median(rounds.map((r) => r.herald / r.axios)).toFixed(1)}  (aim 5)`);
console.log(`Peak memory: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
responder.stop();
