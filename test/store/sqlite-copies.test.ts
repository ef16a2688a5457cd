import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { backUp } from '../../src/store/sqlite/backups.ts';
import { lockFile } from '../../src/store/sqlite/open.ts';
import { acceptOlder, putBack } from '../../src/store/sqlite/put-back.ts';
import { fileSetting, refusalOf } from './file-setting.ts';
import { RESTORED } from './restored-contract.ts';

const AT = Date.UTC(2026, 10, 21, 23, 30);
const OPT_OUT = { number: '+911' as Msisdn, at: 3, actor: 'U0ASHA', source: 'command' } as const;

const { at, file, folder, start, stop, refusal, addSend } = fileSetting();
const copy = () => at('copy.db');

/** Sends S-1 in the copy, S-1 and S-2 in the database, which is closed. */
async function copyOfAnOlder(): Promise<void> {
  start();
  await addSend('S-1');
  expect(await backUp(file(), copy())).toMatchObject({ ok: true });
  await addSend('S-2');
  await stop();
}

/** What a crash leaves of the database with one send more; Herald goes on beside it. */
async function crashedWithThree(): Promise<string> {
  start();
  await addSend('S-3');
  mkdirSync(at('crashed'));
  for (const name of ['herald.db', 'herald.db-wal', '.herald.db.newest'])
    copyFileSync(at(name), at(`crashed/${name}`));
  return at('crashed/herald.db');
}

/** How many sends a file holds. */
function sendsIn(name: string) {
  using database = new DatabaseSync(name, { readOnly: true });
  return database.prepare('SELECT count(*) AS sends FROM sends').get()?.sends;
}

describe('a backup', () => {
  it('is one whole file for its owner only, made while the database is used, and changes nothing of it', async () => {
    const { audiences } = start();
    await addSend('S-1');
    await audiences.optOut([OPT_OUT]);
    expect(await backUp(file(), copy())).toEqual({ ok: true, value: { sends: 1, optOuts: 1 } });
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder()).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
    await addSend('S-2');
    await stop();
    expect(refusal()).toBeUndefined();
  });

  it('can be made while Herald is stopped, also of what a crash left behind', async () => {
    start();
    await addSend('S-1');
    mkdirSync(at('crashed'));
    for (const suffix of ['', '-wal']) copyFileSync(`${file()}${suffix}`, at(`crashed/herald.db${suffix}`));
    expect(await backUp(at('crashed/herald.db'), copy())).toEqual({
      ok: true,
      value: { sends: 1, optOuts: 0 },
    });
    await stop();
    expect(await backUp(file(), at('second.db'))).toEqual({ ok: true, value: { sends: 1, optOuts: 0 } });
  });

  it('takes away what a killed one has left, and leaves alone what another one is at work on', async () => {
    start();
    const unfinished = at('.herald-backup.unfinished');
    const left = () => readdirSync(folder()).filter((name) => name.includes('unfinished'));
    const lock = lockFile(unfinished);
    for (const suffix of ['', '-journal']) writeFileSync(`${unfinished}${suffix}`, 'half');
    writeFileSync(at('other.unfinished'), '');
    expect(await refusalOf(backUp(file(), copy()))).toEqual(
      `Another backup is being made in ${folder()}. Wait for its end, or name another folder.`,
    );
    expect(left()).toHaveLength(4);
    if (lock.ok) lock.value.release();
    expect(await backUp(file(), copy())).toEqual({ ok: true, value: { sends: 0, optOuts: 0 } });
    expect(left()).toEqual(['other.unfinished']);
  });

  it('never replaces a file, and leaves none behind when it fails', async () => {
    expect(await refusalOf(backUp(file(), copy()))).toEqual(
      `There is no database ${file()} that this user can see. Check the path, and whose folder it is.`,
    );
    start();
    writeFileSync(copy(), 'mine');
    expect(await refusalOf(backUp(file(), copy()))).toEqual(
      `There is a file ${copy()} already, and a backup never replaces one. Name another file.`,
    );
    expect(readFileSync(copy(), 'utf8')).toBe('mine');
    const nowhere = await backUp(file(), at('nowhere/copy.db'));
    expect(nowhere.ok ? '' : nowhere.error).toContain('Check that the folder exists');
    await stop();
    const other = new DatabaseSync(at('other.db'));
    other.exec('CREATE TABLE notes (text)');
    other.close();
    expect(await refusalOf(backUp(at('other.db'), at('new.db')))).toEqual(
      `The file ${at('other.db')} is no database of Herald. Name another file.`,
    );
    expect(readdirSync(folder()).filter((name) => name.startsWith('new'))).toEqual([]);
  });
});

describe('putting a backup back', () => {
  it('stops what it holds as not ended, takes over opt-outs given since, and keeps what was there', async () => {
    await copyOfAnOlder();
    await start().audiences.optOut([OPT_OUT]);
    await stop();
    const aside = `${file()}.before-2026-11-21T23-30-00Z`;
    expect(await putBack(file(), copy(), AT)).toEqual({
      ok: true,
      value: { sends: 1, optOuts: 1, takenOver: 1, aside },
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const { sends, audiences } = start();
    expect(await sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
    expect(await audiences.findOptOut(OPT_OUT.number)).toEqual(OPT_OUT);
    await stop();
    expect(await start().sends.stopRestored(RESTORED, 6)).toBeUndefined();
    const before = new DatabaseSync(aside);
    expect(before.prepare('SELECT id FROM sends ORDER BY id').all()).toEqual([{ id: 'S-1' }, { id: 'S-2' }]);
    before.close();
    expect(existsSync(at('.herald.db.before-2026-11-21T23-30-00Z.newest'))).toBe(true);
  });

  it('keeps what each of two in one second replaced', async () => {
    await copyOfAnOlder();
    const replaced = [await putBack(file(), copy(), AT), await putBack(file(), copy(), AT)];
    const first = `${file()}.before-2026-11-21T23-30-00Z`;
    expect(replaced.map((one) => one.ok && one.value.aside)).toEqual([first, `${first}-2`]);
    expect([first, `${first}-2`].map(sendsIn)).toEqual([2, 1]);
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner of the database when root does it', async () => {
    await copyOfAnOlder();
    const ownerOf = (name: string) => [statSync(at(name)).uid, statSync(at(name)).gid];
    chownSync(file(), 1_234, 2_345);
    rmSync(at('.herald.db.lock'));
    expect(await putBack(file(), copy(), AT)).toMatchObject({ ok: true });
    mkdirSync(at('elsewhere'));
    chownSync(at('elsewhere'), 3_456, 4_567);
    expect(await putBack(at('elsewhere/herald.db'), copy(), AT)).toMatchObject({ ok: true });
    expect(
      ['herald.db', '.herald.db.lock', 'elsewhere/herald.db', 'elsewhere/.herald.db.lock'].map(ownerOf),
    ).toEqual([
      [1_234, 2_345],
      [1_234, 2_345],
      [3_456, 4_567],
      [3_456, 4_567],
    ]);
  });

  it('moves the log of a crash aside with its database', async () => {
    await copyOfAnOlder();
    const crashed = await crashedWithThree();
    const restored = await putBack(crashed, copy(), AT);
    expect(restored).toMatchObject({ ok: true, value: { sends: 1 } });
    expect(readdirSync(at('crashed')).toSorted()).toEqual([
      '.herald.db.before-2026-11-21T23-30-00Z.newest',
      '.herald.db.lock',
      'herald.db',
      'herald.db.before-2026-11-21T23-30-00Z',
      'herald.db.before-2026-11-21T23-30-00Z-wal',
    ]);
    expect(sendsIn(`${crashed}.before-2026-11-21T23-30-00Z`)).toBe(3);
  });

  it('works where nothing was, and where what was there is damaged', async () => {
    await copyOfAnOlder();
    mkdirSync(at('elsewhere'));
    expect(await putBack(at('elsewhere/herald.db'), copy(), AT)).toMatchObject({
      value: { sends: 1, takenOver: undefined, aside: undefined },
    });
    writeFileSync(file(), 'no database at all '.repeat(500));
    expect(await putBack(file(), copy(), AT)).toMatchObject({ value: { sends: 1, takenOver: undefined } });
    expect(await start().sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
  });

  it('is refused while Herald runs, and for anything but a whole backup; then nothing is changed', async () => {
    await copyOfAnOlder();
    start();
    expect(await refusalOf(putBack(file(), copy(), AT))).toEqual(
      `The database ${file()} is in use by another Herald. Stop that one first, or name another file.`,
    );
    await stop();
    const bytes = readFileSync(file());
    const errors = [];
    for (const from of ['missing.db', 'herald.db', 'notes.txt', 'torn.db']) {
      if (from === 'notes.txt') writeFileSync(at(from), 'Only a text. '.repeat(500));
      if (from === 'torn.db') {
        copyFileSync(copy(), at(from));
        truncateSync(at(from), statSync(at(from)).size - 3 * 4_096);
      }
      const refused = await putBack(file(), at(from), AT);
      errors.push(refused.ok ? '' : refused.error);
    }
    expect(errors).toEqual([
      `There is no database ${at('missing.db')} that this user can see. Check the path, and whose folder it is.`,
      `${file()} is the database itself. Name the file of a backup.`,
      `The file ${at('notes.txt')} is not a database. Name another file.`,
      expect.stringContaining(`The database ${at('torn.db')} is damaged (`),
    ]);
    expect(readFileSync(file()).equals(bytes)).toBe(true);
    expect(readdirSync(folder()).filter((name) => name.includes('restoring'))).toEqual([]);
    expect(refusal()).toBeUndefined();
  });
});

describe('accepting a database that was refused', () => {
  it('takes an older copy for a restored one from then on', async () => {
    await copyOfAnOlder();
    copyFileSync(copy(), file());
    expect(refusal()).toContain('is an older copy');
    expect(await acceptOlder(file(), AT)).toMatchObject({ ok: true, value: { sends: 1, optOuts: 0 } });
    expect(await start().sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
    await stop();
    expect(refusal()).toBeUndefined();
    expect(await refusalOf(acceptOlder(file(), AT))).toEqual(
      `There is nothing to accept: Herald starts on the database ${file()} as it is.`,
    );
  });

  it('sets the log of another copy aside', async () => {
    await copyOfAnOlder();
    const crashed = await crashedWithThree();
    await stop();
    copyFileSync(copy(), crashed);
    expect(await acceptOlder(crashed, AT)).toMatchObject({
      value: { sends: 1, optOuts: 0 },
    });
    expect(existsSync(at('crashed/herald.db.before-2026-11-21T23-30-00Z-wal'))).toBe(true);
    expect(await start('crashed/herald.db').sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
  });

  it('goes on with what it had prepared where it was killed at its very end', async () => {
    await copyOfAnOlder();
    rmSync(file());
    copyFileSync(copy(), at('.herald.db.restoring'));
    expect(await acceptOlder(file(), AT)).toMatchObject({ value: { sends: 1, optOuts: 0 } });
    expect(await start().sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
  });

  it('begins anew where the database is gone', async () => {
    await copyOfAnOlder();
    rmSync(file());
    expect(await acceptOlder(file(), AT)).toMatchObject({ value: { sends: 0, optOuts: 0 } });
    start();
    await addSend('S-9');
    await stop();
    expect(refusal()).toBeUndefined();
  });
});
