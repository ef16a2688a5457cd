import { Client } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { callEveryMethod, LIFE_KEY } from './every-method.ts';
import { opened as openedStores, surroundings } from './postgres-stores.ts';

/** Tables that hold few rows however long Herald runs, and those that only the operator’s commands read as a whole. */
const SMALL: readonly string[] = ['alert_version', 'channels', 'newest_copy'];
const BY_OPERATOR: readonly string[] = ['audience_exclusions', 'audience_rows', 'drafts', 'webhooks'];
/** What the operator’s command covers in the words of others. */
const COVERING = /^UPDATE (?:customer_events SET event|alerts SET document) = replace/;
/** Swept once a day or an hour; there is one for each large send at most. */
const SWEPT: readonly string[] = ['audiences'];
const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_versions'`;

async function opened() {
  const url = await freshDatabase();
  const stores = await openedStores(url, { pseudonym: createPseudonym(LIFE_KEY) });
  const database = createDatabase(url, createRecordingLogger(), surroundings());
  onTestFinished(async () => {
    await database.close();
    await stores.sends.close();
  });
  return { url, database, stores };
}

/** From now on the result holds the texts of statements that are prepared. */
function preparedTexts(): ReadonlySet<string> {
  const texts = new Set<string>();
  const { query } = Client.prototype;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...asked) {
    const [config] = asked as readonly unknown[] as readonly [{ name?: string; text: string }];
    if (config.name !== undefined) texts.add(config.text);
    return Reflect.apply(query, this, asked);
  });
  onTestFinished(() => spy.mockRestore());
  return texts;
}

await describeWithPostgres('a replica on PostgreSQL', () => {
  it('does all that it does while the next version adds a column to every table', async () => {
    const { url, database, stores } = await opened();
    await callEveryMethod(stores, database, 'before');
    for (const { tablename } of await directly(url, TABLES))
      await directly(url, `ALTER TABLE ${String(tablename)} ADD COLUMN added_later TEXT DEFAULT 'x'`);
    await callEveryMethod(stores, database, 'after');
  });

  it('has an index for every statement on a table that grows', async () => {
    const { url, database, stores } = await opened();
    const texts = preparedTexts();
    await callEveryMethod(stores, database, 'once');
    // Of a lock there is no plan.
    const asked = [...texts].filter((text) => !text.startsWith('LOCK') && !COVERING.test(text));
    expect(asked.length).toBeGreaterThan(100);
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('SET enable_seqscan = off');
    const scanned = new Set<string>();
    for (const text of asked) {
      const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
      for (const row of rows) scanned.add(/Seq Scan on (\w+)/.exec(String(row['QUERY PLAN']))?.[1] ?? '');
    }
    // A few rows, of which the server’s statistics say more or less at random.
    for (const name of ['', 'replicas']) scanned.delete(name);
    expect([...scanned].toSorted()).toEqual([...SMALL, ...BY_OPERATOR, ...SWEPT].toSorted());
  });
});
