import { readdirSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOutage } from '../../src/core/outage.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { sqliteDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { putBack } from '../../src/store/sqlite/put-back.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import { describeSendStore } from './contract.ts';
import { describeStores } from './contracts.ts';
import { fileSetting, openedFile } from './file-setting.ts';
import { describeLimits } from './limit-contract.ts';
import { describeRepeats } from './repeat-contract.ts';
import { describeRetries } from './retry-contract.ts';
import { listed, numberOf, oneSend, sendingToMany, startSending } from './steps.ts';

describeSendStore('SQLite', async () => {
  const database = openedFile(':memory:');
  return {
    store: createSqliteStores(database).sends,
    successor: async () => createSqliteStores(database).sends,
    close: async () => database.close(),
  };
});

const alone = async () => {
  const database = openedFile(':memory:');
  return { stores: [createSqliteStores(database).sends], close: async () => database.close() };
};
describeRetries('SQLite', alone);
describeLimits('SQLite', alone);
describeRepeats('SQLite', alone);

describe('the SQLite file', () => {
  const { at, file, folder, refusal } = fileSetting();

  it('is made with its folder, for its owner only', () => {
    const path = at('deep/herald.db');
    const database = openedFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  });

  it('builds an index without holding all of it in memory, and puts back what it set for that', () => {
    const path = at('it’s here/herald.db');
    const database = openedFile(path);
    expect(database.prepare('PRAGMA temp_store').get()).toEqual({ temp_store: 2 });
    expect(database.prepare('PRAGMA temp_store_directory').get()).toBeUndefined();
    database.close();
  });

  it('is really written to when that is tried, and holds the same as before', async () => {
    const database = openedFile(file());
    using beside = new DatabaseSync(file(), { readOnly: true });
    const seen = () => ({
      change: beside.prepare('PRAGMA data_version').get()?.data_version,
      held: beside.prepare('SELECT version FROM alert_version').get(),
    });
    const before = seen();
    await createSqliteStores(database).sends.tryWrite();
    const after = seen();
    expect(after.change).not.toBe(before.change);
    expect(after.held).toEqual(before.held);
    database.close();
  });

  it('is refused when a commit before 0.1.0 wrote it, and left as it was', async () => {
    using older = new DatabaseSync(file());
    older.exec('CREATE TABLE send_events (id INTEGER); PRAGMA user_version = 29');
    const sentence = `The database ${file()} was made by a commit before 0.1.0, which was the first release and cannot read it. Nothing was changed and nothing was sent. Name another file in DATABASE_URL, or go on with that commit.`;
    expect(refusal()).toBe(sentence);
    expect(older.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'send_events' }]);
    expect(older.prepare('PRAGMA user_version').get()).toEqual({ user_version: 29 });
    expect(readdirSync(folder()).filter((name) => name.includes('before-upgrade'))).toEqual([]);
    // Nor is it put back in the place of a database.
    expect(await putBack(at('other.db'), file(), 1)).toEqual({ ok: false, error: sentence });
  });

  it.each([
    [
      'send_events',
      `INSERT INTO send_events (send_id, at, actor, action) VALUES ('S-1', 1, 'U', 'requested')`,
    ],
    ['opt_out_removals', `INSERT INTO opt_out_removals (at, actor, number) VALUES (1, 'U', '…1')`],
    [
      'template_changes',
      `INSERT INTO template_changes (channel, name, revision, action, source, actor, at, definition)
        VALUES ('rcs', 'a', 1, 'added', 'form', 'U', 1, '{}')`,
    ],
  ])('does not let anybody rewrite %s', (table, insert) => {
    const database = openedFile(file());
    database.exec('PRAGMA foreign_keys = OFF');
    database.exec(insert);
    expect(() => database.exec(`UPDATE ${table} SET actor = 'X'`)).toThrow('append-only');
    expect(() => database.exec(`DELETE FROM ${table}`)).toThrow('append-only');
    database.close();
  });
});

it('tells an outage from what can never be written', async () => {
  const stores = await openSqliteStores(':memory:');
  if (!stores.ok) throw new Error(stores.error);
  const { alerts, sends } = stores.value;
  const failure = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const entry = { userId: 'U', number: '+919812345678' as Msisdn, at: 1, by: 'U' };
  expect(isOutage(await failure(alerts.putNumber({ ...entry, at: 'soon' as never })))).toBe(false);
  expect(isOutage(await failure(alerts.putNumber({ ...entry, at: {} as never })))).toBe(false);
  await sends.close();
  expect(isOutage(await failure(alerts.numbers()))).toBe(true);
});

it('hands each recipient that is claimed over with their own values, whatever stands in them', async () => {
  const stores = await openSqliteStores(':memory:');
  if (!stores.ok) throw new Error(stores.error);
  const { sends } = stores.value;
  let count = 0;
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('","', ']],[[', '\0', '\ud800', 'null'),
  );
  const people = fc.array(fc.array(text, { maxLength: 3 }), { minLength: 1, maxLength: 30 });
  const limits = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
  const claims = fc.asyncProperty(people, limits, async (values, sizes) => {
    count += 1;
    const id = `S-${count}`;
    const to = values.map((own, at) => ({ row: at * 2, number: numberOf(at), values: own }));
    await sendingToMany(sends, id, to);
    const expected = to.map((one) => ({ ...one, sendId: id, state: 'attempting', attemptedAt: 7 }));
    for (const size of [...sizes, 30])
      expect(await sends.claim(id, size, 7)).toEqual(expected.splice(0, size));
    expect((await sends.find(id))?.counts).toMatchObject({ pending: 0, attempting: to.length });
    expect(await sends.claim(id, 1, 7)).toEqual([]);
  });
  await fc.assert(claims, { numRuns: 50 });
  await sends.create({ ...oneSend('S-ONE') });
  await startSending(sends, 'S-ONE');
  const [one] = await sends.claim('S-ONE', 5, 7);
  expect(one).toEqual({ sendId: 'S-ONE', row: 0, number: '+911', state: 'attempting', attemptedAt: 7 });
  expect(await sends.claim('S-NONE', 5, 7)).toEqual([]);
  await sends.close();
});

describeStores('SQLite', async () => {
  const file = openedFile(':memory:');
  const another = async () => createSqliteStores(file).alerts;
  return { ...createSqliteStores(file), database: sqliteDatabase(file), another };
});

it('sweeps audiences that a crash left unfinished', async () => {
  const database = openedFile(':memory:');
  const store = createSqliteStores(database).audiences;
  await store.begin({ id: 'A-1', source: 'numbers', columns: [], createdBy: 'U', createdAt: 1 });
  await store.append('A-1', listed({ row: 1, number: '+911' as Msisdn, values: [] }), []);
  const after = createSqliteStores(database).audiences;
  expect(await after.rows('A-1', 0, 9)).toEqual([]);
});
