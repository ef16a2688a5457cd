import { afterEach, expect, it } from 'vitest';
import { isOutage } from '../../src/core/outage.ts';
import { createDatabase, LOCKS, type PostgresDatabase } from '../../src/store/postgres/database.ts';
import { withoutHurry } from '../../src/store/postgres/migrations.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { surroundings } from './postgres-stores.ts';

const one = 'SELECT 1 AS one';
const END_THE_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

await describeWithPostgres('the connections to PostgreSQL', () => {
  let database: PostgresDatabase | undefined;
  afterEach(() => database?.close());

  it('may break at any moment: what was under way fails, and the next statement has a new one', async () => {
    const url = await freshDatabase();
    const logger = createRecordingLogger();
    database = createDatabase(url, logger, surroundings());
    const broken = database.transaction(async (runner) => {
      await runner.run(one);
      await directly(url, END_THE_OTHERS);
      return runner.run(one);
    });
    await expect(broken).rejects.toThrow();
    expect(await database.run(one)).toEqual([{ one: 1 }]);
    await directly(url, END_THE_OTHERS);
    // The pool may not have heard of it yet; the one after that has a connection that lives.
    await database.run(one).catch(() => undefined);
    expect(await database.run(one)).toEqual([{ one: 1 }]);
    // A statement that was under way would have got the error in place of the log.
    await directly(url, END_THE_OTHERS);
    await expect
      .poll(() => logger.lines.map(({ message }) => message))
      .toContain('a connection to the database broke');
  });

  it('tell an outage from a question that can never be answered', async () => {
    const url = await freshDatabase();
    database = createDatabase(url, createRecordingLogger(), surroundings());
    const failure = (text: string) =>
      (database as PostgresDatabase).run(text).catch((error: unknown) => error);
    expect(isOutage(await failure('SELECT 1 / 0'))).toBe(false);
    expect(isOutage(await failure(`SELECT 'a'::int`))).toBe(false);
    expect(isOutage(await failure('SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(true);
    await failure('CREATE TABLE notes (note TEXT)');
    await failure('SELECT * FROM notes');
    await directly(url, 'ALTER TABLE notes ADD COLUMN more TEXT');
    const changed = await failure('SELECT * FROM notes');
    expect(changed).toMatchObject({ code: '0A000' });
    expect(isOutage(changed)).toBe(false);
    const nobody = Object.assign(new URL(url), { port: '1' }).href;
    const nowhere = createDatabase(nobody, createRecordingLogger(), surroundings());
    expect(isOutage(await nowhere.run(one).catch((error: unknown) => error))).toBe(true);
    expect(isOutage(await nowhere.transaction(async () => 1).catch((error: unknown) => error))).toBe(true);
    await nowhere.close();
  });

  it('limit how long a transaction stands still, and statements again after one that may take long', async () => {
    database = createDatabase(await freshDatabase(), createRecordingLogger(), surroundings());
    const limit = 'SHOW statement_timeout';
    const after = database.alone(LOCKS.migrating, async (client) => {
      await withoutHurry(client, 'SELECT 1');
      return (await client.query(limit)).rows;
    });
    expect(await after).toEqual([{ statement_timeout: '30s' }]);
    expect(await database.run(limit)).toEqual([{ statement_timeout: '30s' }]);
    expect(await database.run('SHOW idle_in_transaction_session_timeout')).toEqual([
      { idle_in_transaction_session_timeout: '2s' },
    ]);
  });

  it('take back all of a transaction in which anything failed', async () => {
    database = createDatabase(await freshDatabase(), createRecordingLogger(), surroundings());
    await database.run('CREATE TABLE notes (note TEXT)');
    const failing = database.transaction(async (runner) => {
      await runner.run(`INSERT INTO notes VALUES ('x')`);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await database.run('SELECT * FROM notes')).toEqual([]);
  });
});
