import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { openStores } from '../chaos/dispatching.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, preparedDatabase } from '../postgres/database.ts';

const open = (url: string) =>
  openPostgresStores(url, {
    ...{ observer: UNOBSERVED, clock: systemClock, random: systemRandom, logger: createRecordingLogger() },
  });

await describeWithPostgres('PostgreSQL', () => {
  test('a dump put back without a table: Herald does not start on it, and says what to do', async ({
    task,
  }) => {
    const url = await preparedDatabase();
    const tables = await directly(
      url,
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const said: Record<string, string> = {};
    for (const { tablename } of tables) {
      const name = String(tablename);
      await directly(url, `ALTER TABLE ${name} RENAME TO lost`);
      const opened = await open(url);
      if (opened.ok) await opened.value.sends.close();
      said[name] = opened.ok ? 'started' : opened.error;
      await directly(url, `DROP TABLE IF EXISTS ${name}`);
      await directly(url, `ALTER TABLE lost RENAME TO ${name}`);
    }
    const without = Object.entries(said).filter(
      ([name, sentence]) =>
        !sentence.includes(
          ` lacks ${name}: a dump was put back in part. Nothing was sent. Put the whole dump back`,
        ),
    );
    expect(without).toEqual([]);
    await (await openStores(url)).sends.close();
    task.meta.figure = `${tables.length} tables`;
  });
});
