import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkBackups, checkDatabase } from '../../src/store/check.ts';
import { backUp } from '../../src/store/sqlite/backups.ts';
import { typed } from '../run-command.ts';
import { fileSetting, openedFile, refusalOf } from './file-setting.ts';

const { at, file, refusal } = fileSetting();
const whats = async (path: string) => (await checkDatabase(`file:${path}`, true)).map(({ what }) => what);

/** In a process of its own: Node's way to make several folders at once never comes back from /proc. */
function inAProcess(text: string): string {
  const module = new URL('../../src/store/sqlite/', import.meta.url);
  const words = ['--input-type=module', '--eval', text.replaceAll('sqlite/', module.href)];
  const { stdout, signal } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 20_000 });
  return signal ?? stdout;
}

describe('below /proc, where nobody makes a folder', () => {
  it('no database is made, and the start and doctor say so', async () => {
    const path = '/proc/nowhere/herald.db';
    const open = `import { openDatabase } from 'sqlite/open.ts'; console.log(openDatabase('${path}').error)`;
    expect(inAProcess(open)).toMatch(/^The database \/proc\/nowhere\/herald\.db could not be opened: E\w+: /);
    expect(await whats(path)).toEqual(['The user who runs this may not write to the folder /proc.']);
  });

  it('no backup is made, and the log and doctor say so', () => {
    const settings = { every: 24, keep: 14, to: '/proc/nowhere' };
    const take = `import { createBackups } from 'sqlite/backups.ts';
      console.log((await createBackups('herald.db', ${JSON.stringify(settings)}).take(0)).error)`;
    expect(inAProcess(take)).toMatch(/^The database \/proc\/nowhere\/.+ could not be opened: E\w+: /);
    expect(checkBackups(`file:${file()}`, settings, 0)).toEqual([
      {
        weight: 'wrong',
        what: 'The user who runs this may not write to the folder of backups /proc/nowhere.',
        fix: 'Put that right, or name another one in backup.to.',
      },
    ]);
  });
});

describe('a link', () => {
  it('to no folder is not taken for one that the start will make', async () => {
    symlinkSync(at('nowhere'), at('data'));
    const sentence = `${at('data')} is a link to what is not there.`;
    expect(refusal('data/herald.db')).toBe(
      `The database ${at('data/herald.db')} could not be opened: ${sentence} Check that the folder exists and that this user may write to it.`,
    );
    expect(await whats(at('data/herald.db'))).toEqual([sentence]);
  });

  it('to a folder is as good as the folder', async () => {
    mkdirSync(at('disk'));
    symlinkSync(at('disk'), at('data'));
    openedFile(at('data/herald.db')).close();
    expect(await whats(at('data/herald.db'))).toEqual([]);
  });

  it('to a database is refused: by another name a second Herald would use it, and backups would lack its log', async () => {
    const first = openedFile(file());
    symlinkSync(file(), at('same.db'));
    const sentence = `${at('same.db')} is a link, a folder or a device, and the database is a file. Name the file itself in DATABASE_URL, such as file:./data/herald.db: by two names, two Heralds could use it at once.`;
    expect(refusal('same.db')).toBe(sentence);
    expect(await whats(at('same.db'))).toEqual([sentence]);
    expect(await refusalOf(backUp(at('same.db'), at('copy.db')))).toBe(sentence);
    const env = { DATABASE_URL: `file:${at('same.db')}` };
    expect(await typed(['export', '+919876543210', at('kept.json')], env)).toEqual({
      code: 1,
      said: sentence,
    });
    first.close();
  });
});
