import { expect, it, onTestFinished, vi } from 'vitest';
import { checkDatabase } from '../../src/store/check.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { startCountingService } from '../chaos/counting-service.ts';
import { createDispatching } from '../chaos/dispatching.ts';
import { judge } from '../chaos/judging.ts';
import { prepareSend, SEND_ID } from '../chaos/plan.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { PATIENT } from '../patience.ts';
import { directly, freshDatabase } from '../postgres/database.ts';
import { describeWithPgbouncer, startPgbouncer } from '../postgres/pgbouncer.ts';
import { opened, surroundings } from './postgres-stores.ts';

const RECIPIENTS = 500;

/** As a replica does, until the send has ended. */
async function sendAll(stores: Stores, serviceUrl: string): Promise<void> {
  const { gateway, dispatcher } = createDispatching(stores, serviceUrl, {
    perSecond: 1_000,
    concurrency: 20,
  });
  await vi.waitFor(async () => {
    const send = await stores.sends.find(SEND_ID);
    if (send?.state === 'sending') await dispatcher.run(send);
    expect(send?.state).toBe('done');
  }, PATIENT);
  await gateway.close();
}

await describeWithPgbouncer('behind PgBouncer', () => {
  it('in session mode Herald works, each connection with Herald’s settings', async () => {
    const url = await freshDatabase();
    const pooler = await startPgbouncer(url, { pool_mode: 'session', default_pool_size: '30' });
    const replicas = [await opened(pooler), await opened(pooler)];
    const service = await startCountingService();
    const [one] = replicas as [Stores];
    await prepareSend(one.sends, RECIPIENTS);
    await Promise.all(replicas.map((stores) => sendAll(stores, service.url)));
    const { twice, unknown } = await judge(one, service);
    expect({ twice, unknown, received: service.received.size }).toEqual({
      twice: 0,
      unknown: 0,
      received: RECIPIENTS,
    });
    expect(await one.sends.find(SEND_ID)).toMatchObject({ state: 'done' });
    for (const { sends } of replicas) await sends.close();
    service.close();

    // What Herald left is given to the next, who finds nothing of its settings.
    const sessions = await directly(pooler, `SELECT current_setting('enable_seqscan') AS value`);
    expect(sessions).toEqual([{ value: 'on' }]);
    const database = createDatabase(pooler, createRecordingLogger(), surroundings());
    onTestFinished(() => database.close());
    const settings = await database.run(
      `SELECT name, setting FROM pg_settings WHERE name IN ('enable_seqscan', 'statement_timeout', 'synchronous_commit',
        'idle_in_transaction_session_timeout', 'default_transaction_isolation') ORDER BY name COLLATE "C"`,
    );
    expect(settings.map(({ name, setting }) => [name, setting])).toEqual([
      ['default_transaction_isolation', 'read committed'],
      ['enable_seqscan', 'off'],
      ['idle_in_transaction_session_timeout', '2000'],
      ['statement_timeout', '30000'],
      ['synchronous_commit', 'on'],
    ]);
  });

  it.each([
    ['transaction', 'transaction', '0'],
    ['transaction, one session after the other', 'transaction', '1'],
    ['statement', 'statement', '0'],
  ])('in another mode Herald refuses to start: %s', async (_name, mode, roundRobin) => {
    const url = await freshDatabase();
    const pooler = await startPgbouncer(url, { pool_mode: mode, server_round_robin: roundRobin });
    // Sessions that others have left open in it.
    await Promise.all([directly(pooler, 'SELECT pg_sleep(0.1)'), directly(pooler, 'SELECT pg_sleep(0.1)')]);
    expect(await openPostgresStores(pooler, surroundings())).toEqual({
      ok: false,
      error: expect.stringMatching(
        /cannot be used: .*pool_mode = transaction or statement.*pool_mode = session/,
      ),
    });
    expect(await directly(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    const [finding] = await checkDatabase(pooler, false);
    expect(finding?.fix).toContain('pool_mode = session');
  });
});
