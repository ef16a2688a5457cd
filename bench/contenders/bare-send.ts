import { Pool, type Dispatcher as Undici } from 'undici';
import { BULK_SMS, body, CONNECTIONS, HEADERS, number, SMS_PER_REQUEST } from '../bench-send.ts';

/*
 * A loop over undici that keeps nothing: no journal, no judgement. Called with the service's address, how many recipients,
 * and `sms` for many of them in each request.
 */
const [origin = '', recipients, kind] = process.argv.slice(2);
const each = kind === 'sms' ? SMS_PER_REQUEST : 1;
const requests = Math.ceil(Number(recipients) / each);
const path = kind === 'sms' ? '/v1/sms' : '/v1/chatapp';
const { text, sender } = BULK_SMS as typeof BULK_SMS & { kind: 'sms' };
const smsBody = (n: number) =>
  JSON.stringify({ text, sender, to: Array.from({ length: each }, (_, m) => number(n * each + m)) });
const bodyOf = kind === 'sms' ? smsBody : body;

const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, allowH2: false });
let next = 0;
const begun = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, () => new Promise<void>(dispatchNext)));
process.send?.((Number(recipients) * 1_000) / (performance.now() - begun));
await pool.close();

function dispatchNext(resolve: () => void, reject: (error: Error) => void): void {
  if (next >= requests) {
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
  pool.dispatch({ path, method: 'POST', headers: HEADERS, body: bodyOf(n) }, handler);
}
