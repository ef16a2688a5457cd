import { onTestFinished } from 'vitest';
import { createDatabase } from '../../src/store/postgres/database.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, preparedDatabase } from '../postgres/database.ts';
import { describeSendStore } from './contract.ts';
import { describeStores } from './contracts.ts';
import { describeNotes } from './notes-contract.ts';
import { closing, opened, surroundings } from './postgres-stores.ts';

await describeWithPostgres('on PostgreSQL', () => {
  describeSendStore('PostgreSQL', async () => {
    const url = await preparedDatabase();
    const open = [await opened(url)];
    return {
      store: (open[0] as Stores).sends,
      successor: async () => {
        const next = await opened(url);
        open.push(next);
        // Last, so that no heartbeat of the others comes before what follows.
        await directly(
          url,
          `UPDATE replicas SET lease_until = '-infinity' WHERE id <> '${String(next.replica?.())}'`,
        );
        return next.sends;
      },
      close: async () => {
        for (const { sends } of open) await sends.close();
      },
    };
  });
  const { stores } = closing();
  describeNotes('PostgreSQL', async () => (await stores(await preparedDatabase())).notes);
  describeStores('PostgreSQL', async () => {
    const url = await preparedDatabase();
    const database = createDatabase(url, createRecordingLogger(), surroundings());
    onTestFinished(() => database.close());
    return { ...(await stores(url)), database, another: async () => (await stores(url)).alerts };
  });
});
