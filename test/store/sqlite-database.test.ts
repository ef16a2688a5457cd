import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { type SqliteDatabase, sqliteDatabase } from '../../src/store/sqlite/database.ts';

const COUNT = 'SELECT count(*) AS count FROM notes';
const ADD = 'INSERT INTO notes VALUES (:note)';

let database: SqliteDatabase;
beforeEach(() => {
  const file = new DatabaseSync(':memory:');
  file.exec('CREATE TABLE notes (note TEXT)');
  database = sqliteDatabase(file);
});

it('does everything in turn: nobody reads or writes in the middle of a transaction of another', async () => {
  const add = async (note: string) =>
    database.transaction(async (runner) => {
      const [before] = await runner.run(COUNT);
      await runner.change(ADD, { note });
      await runner.change(ADD, { note });
      return before?.count;
    });
  // Another object for the same file waits for the same turns.
  const read = sqliteDatabase(database.file).run(COUNT);
  const [first, second, between, third] = await Promise.all([
    add('a'),
    add('b'),
    database.run(COUNT),
    add('c'),
    read,
  ]);
  expect([first, second, between, third]).toEqual([0, 2, [{ count: 4 }], 4]);
  expect(await read).toEqual([{ count: 0 }]);
});

it('takes back all of a transaction in which anything failed, and goes on with the next', async () => {
  const commits: string[] = [];
  database.onCommit(() => commits.push('commit'));
  const failing = database.transaction(async (runner) => {
    await runner.change(ADD, { note: 'x' });
    throw new Error('changed my mind');
  });
  const next = database.change(ADD, { note: 'y' });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await next).toBe(1);
  expect(await database.run('SELECT note FROM notes')).toEqual([{ note: 'y' }]);
  expect(commits).toEqual(['commit']);
});
