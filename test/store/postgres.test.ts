import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { describeAudienceStore } from './audience-contract.ts';
import { describeSendStore } from './contract.ts';

async function opened(url: string): Promise<Stores> {
  const stores = await openPostgresStores(url, {
    clock: systemClock,
    random: systemRandom,
    logger: createRecordingLogger(),
    monotonic: () => performance.now(),
  });
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

await describeWithPostgres('on PostgreSQL', () => {
  describeSendStore('PostgreSQL', async () => {
    const url = await freshDatabase();
    const open = [await opened(url)];
    return {
      store: (open[0] as Stores).sends,
      successor: async () => {
        await directly(url, `UPDATE replicas SET lease_until = '-infinity'`);
        const next = await opened(url);
        open.push(next);
        return next.sends;
      },
      close: async () => {
        for (const { sends } of open) await sends.close();
      },
    };
  });

  const toClose: Stores[] = [];
  afterEach(async () => {
    for (const { sends } of toClose.splice(0)) await sends.close();
  });
  const stores = async (url: string) => {
    const joined = await opened(url);
    toClose.push(joined);
    return joined;
  };

  describeAudienceStore('PostgreSQL', async () => (await stores(await freshDatabase())).audiences);

  it('lets ten replicas that start at once make the tables once', async () => {
    const url = await freshDatabase();
    await Promise.all(Array.from({ length: 10 }, () => stores(url)));
    expect(await directly(url, 'SELECT version FROM schema_versions')).toEqual([{ version: 1 }]);
    expect(await directly(url, 'SELECT count(*)::int AS replicas FROM replicas')).toEqual([{ replicas: 10 }]);
  });
});
