import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, it, type TestContext, vi } from 'vitest';
import { LEASE_TIMES } from '../../src/store/postgres/membership.ts';
import type { Stores } from '../../src/store/stores.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { startEmbedded } from '../postgres/server.ts';
import { isFull } from '../trust/how-many.ts';
import { type CountingService, startCountingService } from './counting-service.ts';
import { openStores } from './dispatching.ts';
import { judge } from './judging.ts';
import { prepareSend, SEND_ID } from './plan.ts';
import { startProxy } from './proxy.ts';

const RECIPIENTS = isFull ? 6_000 : 3_000;
const PER_SECOND = 600;
const CONCURRENCY = 60;
const REPLICA = fileURLToPath(new URL('./replica.ts', import.meta.url));
const PATIENCE = { timeout: 180_000, interval: 50 };

/** Does it once the test has ended, the last one first. */
type Clean = TestContext['onTestFinished'];

await describeWithPostgres('a send goes on to its end, nobody twice and nobody forgotten, when', () => {
  /** A send to many, under way on replicas that reach their database at `urls`. */
  async function inFlight(clean: Clean, direct: string, urls: readonly string[]) {
    const service = await startCountingService();
    clean(service.close);
    const stores = await openStores(direct);
    clean(() => stores.sends.close().catch(() => {}));
    await prepareSend(stores.sends, RECIPIENTS);
    const replicas = await Promise.all(urls.map((url) => replica(clean, url, service)));
    await vi.waitFor(() => expect(service.received.size).toBeGreaterThan(500), PATIENCE);
    return { service, stores, replicas };
  }

  async function replica(clean: Clean, url: string, service: CountingService): Promise<ChildProcess> {
    const child = fork(REPLICA, [url, service.url, String(PER_SECOND), String(CONCURRENCY)]);
    clean(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    return child;
  }

  /** Everybody is accounted for, and at most `mostUnknown` are unknown. */
  async function endsWell(stores: Stores, service: CountingService, mostUnknown: number): Promise<void> {
    await vi.waitFor(
      async () => expect((await stores.sends.find(SEND_ID).catch(() => undefined))?.state).toBe('done'),
      PATIENCE,
    );
    const { twice, late, unknown } = await judge(stores, service);
    expect({ twice, late }).toEqual({ twice: 0, late: 0 });
    expect(unknown).toBeLessThanOrEqual(mostUnknown);
    expect((await stores.sends.find(SEND_ID))?.counts).toMatchObject({
      accepted: RECIPIENTS - unknown,
      unknown,
      pending: 0,
      attempting: 0,
    });
    expect(RECIPIENTS - service.received.size).toBeLessThanOrEqual(unknown);
  }

  it.concurrent('PostgreSQL is restarted', async ({ onTestFinished: clean }) => {
    const server = await startEmbedded();
    clean(server.stop);
    const { service, stores } = await inFlight(clean, server.url, [server.url, server.url]);
    await server.restart();
    await server.restart();
    await endsWell(stores, service, 2 * CONCURRENCY);
  }, 400_000);

  it.concurrent('one replica is cut off from the database for longer than its lease', async ({
    onTestFinished: clean,
  }) => {
    const url = await freshDatabase();
    const proxy = await startProxy(url);
    clean(proxy.close);
    const { service, stores } = await inFlight(clean, url, [url, proxy.url]);
    proxy.cut();
    await vi.waitFor(async () => expect(await takenOver(url)).toBe(true), { timeout: 60_000, interval: 200 });
    proxy.restore();
    await endsWell(stores, service, CONCURRENCY + PER_SECOND / 20);
  }, 400_000);

  it.concurrent('every connection waits: replicas stay alive, and nothing is taken from them', async ({
    onTestFinished: clean,
  }) => {
    const url = await freshDatabase();
    const { service, stores } = await inFlight(clean, url, [url, url]);
    const leases = () =>
      directly(
        url,
        'SELECT id, extract(epoch FROM lease_until)::float8 * 1000 AS until FROM replicas ORDER BY id',
      );
    const before = await leases();
    const jam = new Client({ connectionString: url });
    await jam.connect();
    await jam.query('BEGIN; LOCK TABLE sends IN ACCESS EXCLUSIVE MODE');
    // Longer than a lease: without a word of theirs they would be taken for dead.
    const jammedUntil = Date.now() + LEASE_TIMES.leaseMs + 2_000;
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(jammedUntil), PATIENCE);
    const after = await leases();
    await jam.query('COMMIT');
    await jam.end();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (const { until } of after) expect(Number(until)).toBeGreaterThan(jammedUntil - 1_000);
    await endsWell(stores, service, 0);
  }, 400_000);

  async function takenOver(url: string): Promise<boolean> {
    const [row] = await directly(url, 'SELECT count(*)::int AS alive FROM replicas');
    return row?.alive === 2;
  }
});
