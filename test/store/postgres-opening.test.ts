import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LOCKS } from '../../src/store/postgres/database.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import { FIRST_VERSION } from '../../src/store/schema.ts';
import type { Stores } from '../../src/store/stores.ts';
import { PATIENT } from '../patience.ts';
import { describeWithPostgres, directly, freshDatabase, preparedDatabase } from '../postgres/database.ts';
import { closing, opened, surroundings } from './postgres-stores.ts';
import { describeRestoredStore, RESTORED } from './restored-contract.ts';
import { accepted, endedSend, numberOf } from './steps.ts';

await describeWithPostgres('a database on PostgreSQL', () => {
  const { toClose, stores } = closing();

  describeRestoredStore('PostgreSQL', async () => {
    const url = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    const elsewhere = Object.assign(new URL(url), { pathname: '/postgres' }).href;
    let open: Stores | undefined;
    const close = async () => {
      await open?.sends.close();
      open = undefined;
    };
    onTestFinished(close);
    return {
      reopen: async () => {
        await close();
        open = await opened(url);
        return open.sends;
      },
      copy: async () => {
        await close();
        await directly(elsewhere, `CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
      },
      restore: async () => {
        await close();
        await directly(elsewhere, `DROP DATABASE ${name}`);
        await directly(elsewhere, `CREATE DATABASE ${name} TEMPLATE ${name}_copy`);
      },
    };
  });

  it('takes the promotion of another server for a restored copy', async () => {
    const url = await freshDatabase();
    expect(await (await stores(url)).sends.stopRestored(RESTORED, 1)).toBeUndefined();
    const [noted] = await directly(url, 'SELECT place FROM newest_copy');
    expect(noted?.place).toMatch(/^\d+\/00000001\/\d+\/\d+$/);
    await directly(url, `UPDATE newest_copy SET place = replace(place, '/00000001/', '/00000002/')`);
    const replicas = await Promise.all([stores(url), stores(url)]);
    const found = await Promise.all(replicas.map(({ sends }) => sends.stopRestored(RESTORED, 2)));
    expect(found.toSorted()).toEqual([[], undefined]);
  });

  it('lets ten replicas that start at once make the tables once', async () => {
    const url = await freshDatabase();
    await Promise.all(Array.from({ length: 10 }, () => stores(url)));
    const versions = await directly(url, 'SELECT version FROM schema_versions ORDER BY version');
    expect(versions).toEqual(versions.map((_row, place) => ({ version: FIRST_VERSION + place })));
    expect(await directly(url, 'SELECT count(*)::int AS replicas FROM replicas')).toEqual([{ replicas: 10 }]);
  });

  describe('the locks', () => {
    it('are different numbers, and wherever one is taken it is one of them', () => {
      const numbers = Object.values(LOCKS);
      expect(new Set(numbers).size).toBe(numbers.length);
      const folder = new URL('../../src/store/', import.meta.url);
      const others = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && name !== 'postgres/database.ts')
        .filter((name) => /0x6865/.test(readFileSync(new URL(name, folder), 'utf8')));
      expect(others).toEqual([]);
    });

    it('are waited for without a statement that stands, however long another prepares the database', async () => {
      const url = await freshDatabase();
      await stores(url);
      const another = new Client({ connectionString: url });
      await another.connect();
      onTestFinished(() => another.end());
      await another.query('SELECT pg_advisory_lock($1)', [LOCKS.migrating]);
      const starting = opened(url);
      await vi.waitFor(async () => {
        const asking = await directly(
          url,
          `SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep($1)%'`,
        );
        expect(asking).toContainEqual({ wait_event: 'PgSleep' });
      }, PATIENT);
      const standing = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      expect(await directly(url, standing)).toEqual([{ count: 0 }]);
      await another.query('SELECT pg_advisory_unlock($1)', [LOCKS.migrating]);
      toClose.push(await starting);
    });
  });

  it('goes on working when a newer Herald has added to the tables, and a later start says why it cannot', async () => {
    const url = await freshDatabase();
    const before = await stores(url);
    // As the next version will: additions only.
    await directly(
      url,
      `ALTER TABLE sends ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';
       ALTER TABLE recipients ADD COLUMN colour TEXT;
       CREATE TABLE colours (name TEXT);
       INSERT INTO schema_versions SELECT max(version) + 1 FROM schema_versions`,
    );
    await endedSend(before.sends, 'S-OLD', [[numberOf(1), accepted('m')]]);
    expect((await before.sends.find('S-OLD'))?.state).toBe('done');
    const again = await openPostgresStores(url, surroundings());
    expect(again).toEqual({ ok: false, error: expect.stringMatching(/was written by a newer Herald/) });
  });

  it('does not let anybody rewrite the record', async () => {
    const url = await preparedDatabase();
    await stores(url);
    for (const sql of [
      `UPDATE send_events SET actor = 'X'`,
      'DELETE FROM send_events',
      'TRUNCATE send_events',
      'DELETE FROM opt_out_removals',
    ])
      await expect(directly(url, sql)).rejects.toThrow('append-only');
  });

  it('is refused in a sentence, without the password, when it cannot be opened', async () => {
    const url = new URL(await freshDatabase());
    const refused = async (wrong: URL | string) => {
      const result = await openPostgresStores(String(wrong), surroundings());
      return result.ok ? '' : result.error;
    };
    const { host } = url;
    const elsewhere = new URL(url);
    elsewhere.pathname = '/nowhere';
    expect(await refused(elsewhere)).toBe(
      `The PostgreSQL database ${host}/nowhere could not be opened: it has no database of this name. Make one, or name another in DATABASE_URL.`,
    );
    const stranger = new URL(url);
    stranger.password = 'hunter22222';
    expect(await refused(stranger)).toContain('it refused the password. Check user and password');
    expect(await refused('postgres://herald:hunter22222@127.0.0.1:1/herald')).toBe(
      'The PostgreSQL database 127.0.0.1:1/herald could not be opened: nothing listens there. Check that the server runs, and host and port in DATABASE_URL.',
    );
  });

  it.each([
    [999, 'was written by a newer Herald. Start that version, or name another database.'],
    [
      20,
      'was made by a commit before 0.1.0, which was the first release and cannot read it. Nothing was changed and nothing was sent. Name an empty database, or go on with that commit.',
    ],
  ])('is refused, and left as it was, with the schema %s of another Herald', async (version, why) => {
    const url = await freshDatabase();
    await directly(
      url,
      `CREATE TABLE schema_versions (version INTEGER); INSERT INTO schema_versions VALUES (${version})`,
    );
    const { host, pathname } = new URL(url);
    expect(await openPostgresStores(url, surroundings())).toEqual({
      ok: false,
      error: `The PostgreSQL database ${host}${pathname} ${why}`,
    });
    expect(await directly(url, 'SELECT * FROM schema_versions')).toEqual([{ version }]);
    const tables = `SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    expect(await directly(url, tables)).toEqual([{ tablename: 'schema_versions' }]);
  });
});
