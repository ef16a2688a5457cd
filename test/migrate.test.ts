import { beforeEach, describe, expect, it } from 'vitest';
import { runMigration } from '../src/migrate.ts';
import { ownFolder } from './folder.ts';
import { describeWithPostgres, freshDatabase } from './postgres/database.ts';
import { openedFile } from './store/file-setting.ts';

const at = ownFolder();
let file: string;
beforeEach(() => {
  file = at('herald.db');
  openedFile(file).close();
});

/** @param stopped true: the operator has asked it to stop before it began */
async function run(options: readonly string[], env: Readonly<Record<string, string>> = {}, stopped = false) {
  const said: string[] = [];
  const code = await runMigration(options, {
    env,
    say: (text) => said.push(...text.split('\n')),
    give: (text) => said.push(text),
    untilStopped: stopped ? Promise.resolve() : new Promise(() => undefined),
  });
  return { code, said };
}

describe('migrate', () => {
  const FROM = '--from needs the address of a file, such as file:./data/herald.db.';
  const TO = '--to needs the address of a database, such as postgres://user:password@host:5432/herald.';
  const target = (to: string) => ['--from', 'file:herald.db', '--to', to];
  it.each([
    ['nothing', [], FROM],
    ['a path', ['--from', 'herald.db'], FROM],
    ['no target', ['--from', 'file:herald.db'], TO],
    ['a file as the target', target('file:other.db'), TO],
    ['the password of no database', target('postgres://herald:secret@host'), TO],
  ])('given %s says what is missing and how it is used', async (_name, options, sentence) => {
    const { code, said } = await run(options);
    expect([code, said[0], said[1]]).toEqual([1, sentence, '']);
    expect(said).toContain(
      '  node dist/main.js migrate --from file:./data/herald.db --to postgres://user:password@host:5432/herald',
    );
    expect(said.join()).not.toContain('secret');
  });

  it('names an option that it does not know', async () => {
    const { code, said } = await run(['--form', 'file:herald.db']);
    expect([code, said[0]]).toEqual([1, expect.stringContaining("'--form'")]);
  });
});

await describeWithPostgres('migrate, with PostgreSQL', () => {
  it('stops when it is asked to, begins anew, and says how it ends', async () => {
    const DATABASE_URL = await freshDatabase();
    const database = openedFile(file);
    database.exec(`INSERT INTO opt_outs VALUES ('+919812345678', 1, 'U', 'command')`);
    database.close();
    const from = ['--from', `file:${file}`];

    const stopped = await run(from, { DATABASE_URL }, true);
    expect([stopped.code, stopped.said.at(-1)]).toEqual([
      1,
      'Stopped. Nothing was moved: Herald may go on with the file, and the same command begins anew.',
    ]);
    openedFile(file).close();

    const moved = await run(from, { DATABASE_URL });
    expect(moved.code).toBe(0);
    expect(moved.said).toContainEqual(
      expect.stringMatching(/^moved opt_outs: 1 rows, digest [\da-f]{16} on both sides$/),
    );
    expect(moved.said).toContain(
      'Moved: everything was read back from PostgreSQL and is as it was in the file.',
    );
    expect(moved.said.join('\n')).not.toMatch(/\+91|:\/\//);
    const again = await run(from, { DATABASE_URL });
    expect([again.code, again.said[0]]).toEqual([
      0,
      'This file was moved to that database before; there is nothing left to do.',
    ]);
  });
});
