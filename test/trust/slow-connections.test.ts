import { expect, test } from 'vitest';
import { runningStack } from '../e2e/stack.ts';
import { ASHA } from '../e2e/team.ts';
import { forge } from './forged.ts';
import { openWire, type Wire } from './raw-http.ts';
import { WEBHOOKS } from './world.ts';

const DRIP_MS = 250;
/** On a busy machine. Without its guards Herald takes 40 s. */
const MOST_MS = 10_000;
const MOST_GROWTH_MB = 200;
const ROUNDS = 20;
const PATIENT = { timeout: 60_000, interval: 200 };

interface Attack {
  readonly count: number;
  /** What each of so many connections says at once. */
  readonly says: string;
  /** And then over and over, for as long as it is let. */
  readonly drips?: string;
  readonly isDeaf?: true;
}

const post = (path: string, header: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`;
const chunked = post(WEBHOOKS, 'Transfer-Encoding: chunked');
const ATTACKS: readonly Attack[] = [
  { count: 300, says: '' },
  { count: 150, says: 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Drop: ', drips: 'a' },
  { count: 100, says: post(WEBHOOKS, 'Content-Length: 9000'), drips: 'b' },
  { count: 100, says: chunked, drips: '1\r\nb\r\n' },
  { count: 100, says: `${chunked}1;`, drips: 'extension' },
  { count: 100, says: post('/slack/events', 'Content-Length: 9000'), drips: 'c' },
  { count: 150, says: post('/slack/events', 'Content-Length: 1000000') + 'c'.repeat(999_999) },
  { count: 300, says: post(WEBHOOKS, 'Content-Length: 262144') + 'b'.repeat(262_143) },
  { count: 10, says: 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(600), isDeaf: true },
  { count: 30, says: 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200), isDeaf: true },
];

const stack = runningStack({ mode: 'http' });

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${stack.heraldUrl}/metrics`)).text();
  return Number(new RegExp(`^${RegExp.escape(name)} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}
const megabytes = async () => (await figure('process_resident_memory_bytes')) / 1024 ** 2;
const sockets = () => figure('nodejs_active_resources{type="TCPSocketWrap"}');

async function attack({ count, says, isDeaf }: Attack): Promise<readonly Wire[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const wire = await openWire(stack.heraldUrl);
      if (isDeaf) wire.socket.pause();
      await new Promise((resolve) => wire.socket.write(says, resolve));
      return wire;
    }),
  );
}

/** A probe, a webhook and a click, at the same time. @returns how long the slowest of them took */
async function honest(): Promise<number> {
  const begun = performance.now();
  const [health, webhook, click] = await Promise.all([
    fetch(`${stack.heraldUrl}/healthz`),
    fetch(stack.heraldUrl + WEBHOOKS, { method: 'POST', body: 'honest' }),
    forge(stack, 'command:/herald', { userId: ASHA }, { text: 'help' }),
  ]);
  expect([health.status, webhook.status, click.ok]).toEqual([200, 200, true]);
  return performance.now() - begun;
}

test('slow connections: whoever is honest is answered, the others are let go, and memory stays', async ({
  task,
}) => {
  const before = { memory: await megabytes(), sockets: await sockets() };
  const open: (Attack & { readonly wires: readonly Wire[] })[] = [];
  for (const one of ATTACKS) open.push({ ...one, wires: await attack(one) });
  const dripping = setInterval(() => {
    for (const { drips, wires } of open)
      for (const { socket } of wires) if (drips !== undefined && socket.writable) socket.write(drips);
  }, DRIP_MS);
  let slowest = 0;
  let most = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    slowest = Math.max(slowest, await honest());
    most = Math.max(most, await megabytes());
  }
  await expect.poll(sockets, PATIENT).toBeLessThan(before.sockets + 5);
  clearInterval(dripping);
  const connections = open.flatMap(({ wires }) => wires);
  for (const { socket } of connections) socket.destroy();
  const grown = Math.round(most - before.memory);
  expect(slowest).toBeLessThan(MOST_MS);
  expect(grown).toBeLessThan(MOST_GROWTH_MB);
  task.meta.figure = `${connections.length} at once, none left; ${Math.round(slowest)} ms at most for an honest request; memory grew by ${grown} MB`;
});
