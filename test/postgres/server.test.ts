import { Client } from 'pg';
import { expect, it } from 'vitest';
import { describeWithPostgres, freshDatabase } from './database.ts';

await describeWithPostgres('the PostgreSQL of the tests', () => {
  it('gives everybody an empty database of their own', async () => {
    const urls = await Promise.all([freshDatabase(), freshDatabase()]);
    expect(new Set(urls).size).toBe(2);
    for (const connectionString of urls) {
      const client = new Client({ connectionString });
      await client.connect();
      const { rows } = await client.query(
        `SELECT count(*)::int AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
      );
      expect(rows).toEqual([{ tables: 0 }]);
      await client.end();
    }
  });
});
