import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { body, CONNECTIONS, HEADERS } from '../bench-send.ts';

/* BullMQ, one job a recipient. Called with the service's address, how many recipients, and the port of Redis. */
const BATCH = 5_000;
const [origin = '', recipients, port] = process.argv.slice(2);
const count = Number(recipients);
const connection = new Redis(Number(port), '127.0.0.1', { maxRetriesPerRequest: null });
const queue = new Queue('bench', { connection });
for (let from = 0; from < count; from += BATCH)
  await queue.addBulk(
    Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => ({
      name: 'send',
      data: { body: body(from + n) },
      opts: { attempts: 1, removeOnComplete: true },
    })),
  );

const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, allowH2: false });
let done = 0;
const begun = performance.now();
const worker = new Worker<{ body: string }>(
  'bench',
  async ({ data }) => {
    const answer = await pool.request({
      path: '/v1/chatapp',
      method: 'POST',
      headers: HEADERS,
      body: data.body,
    });
    await answer.body.dump();
  },
  { connection, concurrency: CONNECTIONS },
);
await new Promise<void>((resolve, reject) => {
  worker.on('failed', (_job, error) => reject(error));
  worker.on('completed', () => {
    done += 1;
    if (done === count) resolve();
  });
});
process.send?.((count * 1_000) / (performance.now() - begun));
await worker.close();
await queue.close();
await pool.close();
connection.disconnect();
