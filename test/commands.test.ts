import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownFolder } from './folder.ts';
import { typed } from './run-command.ts';
import { openedFile } from './store/file-setting.ts';

const at = ownFolder();

describe('the commands about the database', () => {
  it.each([
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
    ['accept-older-database', 'by itself'],
  ])('%s leaves PostgreSQL to its own tools, and shows no password', async (command, tool) => {
    const url = 'postgres://herald:a-password@db.example:5432/herald';
    const { code, said } = await typed([command, at('copy')], { DATABASE_URL: url });
    expect([code, said]).toEqual([1, expect.stringContaining(tool)]);
    expect(said).not.toContain('a-password');
  });

  it.each(['backup', 'restore'])('%s needs one path', async (command) => {
    const env = { DATABASE_URL: `file:${at('herald.db')}` };
    for (const paths of [[], ['one', 'two']]) {
      const { code, said } = await typed([command, ...paths], env);
      expect([code, said]).toEqual([1, expect.stringContaining(`${command} needs one path`)]);
    }
    for (const empty of ['', ' '])
      expect(await typed([command, empty], env)).toEqual({
        code: 1,
        said: expect.stringMatching(/^No copy was named: .*Nothing was/),
      });
  });

  it('restore says which database it put where, and that Herald is to be started again', async () => {
    const [file, copy] = [at('herald.db'), at('copy')];
    openedFile(file).close();
    const env = { DATABASE_URL: `file:${file}` };
    await typed(['backup', copy], env);
    const there = readdirSync(at());
    const rehearsed = await typed(['restore', '--check', copy], env);
    expect([rehearsed.code, rehearsed.said.split('\n'), readdirSync(at())]).toEqual([
      0,
      [
        `The copy ${copy} can be the database ${file}, and was checked: 0 sends, 0 opt-outs.`,
        'Opt-outs given since the backup, taken over: 0.',
        'This was a rehearsal: nothing was changed.',
      ],
      there,
    ]);
    const { code, said } = await typed(['restore', copy], env);
    expect([code, said.split('\n')]).toEqual([
      0,
      [
        `The copy ${copy} is now the database ${file}, and was checked: 0 sends, 0 opt-outs.`,
        expect.stringContaining(`What was there before is ${file}.before-`),
        'Opt-outs given since the backup, taken over: 0.',
        expect.stringContaining('Now start Herald again.'),
      ],
    ]);
  });

  it('restore makes no database elsewhere of a copy that lies beside its own', async () => {
    const [file, elsewhere] = [at('herald.db'), at('elsewhere/herald.db')];
    for (const name of [file, `${file}.before-upgrade`]) openedFile(name).close();
    const restore = ['restore', `${file}.before-upgrade`];
    const { code, said } = await typed(restore, { DATABASE_URL: `file:${elsewhere}` });
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`is a copy of ${file}, and DATABASE_URL names`),
    ]);
    expect(existsSync(elsewhere)).toBe(false);
    expect((await typed(restore, { DATABASE_URL: `file:${file}` })).code).toBe(0);
  });

  it('restore --check rehearses beside a running Herald, and says why a copy cannot be put back', async () => {
    const [file, copy] = [at('herald.db'), at('copy')];
    const running = openedFile(file);
    const env = { DATABASE_URL: `file:${file}` };
    await typed(['backup', copy], env);
    expect((await typed(['restore', '--check', copy], env)).code).toBe(0);
    const there = readdirSync(at());
    writeFileSync(at('other'), 'no database'.repeat(100));
    const refused = await typed(['restore', '--check', at('other')], env);
    expect(refused).toEqual({ code: 1, said: expect.stringContaining('is not a database') });
    expect(readdirSync(at()).toSorted()).toEqual([...there, 'other'].toSorted());
    running.close();
  });

  it('say what is wrong with DATABASE_URL, and that there is no database', async () => {
    const wrong = await typed(['backup', at('copy')], { DATABASE_URL: 'herald.db' });
    expect(wrong).toEqual({ code: 1, said: expect.stringMatching(/^DATABASE_URL must be file: and a path/) });
    const file = at('herald.db');
    for (const words of [['backup', at('copy')], ['accept-older-database']])
      expect(await typed(words, { DATABASE_URL: `file:${file}` })).toEqual({
        code: 1,
        said: `There is no database ${file} that this user can see. Check the path, and whose folder it is.`,
      });
  });
});

it('about the database stop where the file of its address cannot be read', async () => {
  const env = { DATABASE_URL_FILE: at('absent') };
  expect(await typed(['backup', at('copy')], env)).toEqual({
    code: 1,
    said: `DATABASE_URL_FILE: found no file that can be read at ${at('absent')}; expected the path of a file that holds the value`,
  });
});

it('lists every command, and starts nothing for a word that it does not know', async () => {
  const { code, said } = await typed(['help']);
  expect(code).toBe(0);
  for (const name of [
    'doctor [--offline]',
    'backup PATH',
    'restore [--check] PATH',
    'take-over-opt-outs ADDRESS',
    'export NUMBER PATH',
    'erase NUMBER',
    'accept-older-database',
    'migrate',
    'help',
  ])
    expect(said).toContain(`node dist/main.js ${name}`);
  const columns = said.split('\n').map((line) => /^ {2}node.*? {2,}(?=[A-Z])/.exec(line)?.[0].length);
  expect(new Set(columns.slice(2)).size).toBe(1);
  expect(await typed(['toString'])).toMatchObject({
    code: 1,
    said: expect.stringContaining('has no command'),
  });
});
