import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { acceptOlder, backUp, putBack } from '../../src/store/sqlite/copies.ts';
import { lockFile } from '../../src/store/sqlite/lock.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory } from '../../src/store/stores.ts';
import { oneSend } from './one-send.ts';

const RESTORED = { what: 'It was restored.', next: 'Look.', scope: 'send' } as const;
const AT = Date.UTC(2026, 10, 21, 23, 30);
const OPT_OUT = { number: '+911' as Msisdn, at: 3, actor: 'U0ASHA', source: 'command' } as const;

let folder: string;
let stores: Memory | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-copies-'));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const file = () => at('herald.db');
const copy = () => at('copy.db');

async function stop(): Promise<void> {
  await stores?.sends.close();
  stores = undefined;
}

function start(): Memory {
  const database = openDatabase(file());
  if (!database.ok) throw new Error(database.error);
  stores = createSqliteStores(database.value);
  return stores;
}

function refusal(): string | undefined {
  const database = openDatabase(file());
  if (!database.ok) return database.error;
  database.value.close();
  return undefined;
}

async function addSend(id: string): Promise<void> {
  await stores?.sends.create(oneSend(id));
}

/** Sends S-1 in the copy, S-1 and S-2 in the database, which is closed. */
async function copyOfAnOlder(): Promise<void> {
  start();
  await addSend('S-1');
  expect(await backUp(file(), copy())).toMatchObject({ ok: true });
  await addSend('S-2');
  await stop();
}

describe('a backup', () => {
  it('is one whole file for its owner only, made while the database is used, and changes nothing of it', async () => {
    const { audiences } = start();
    await addSend('S-1');
    await audiences.optOut([OPT_OUT]);
    expect(await backUp(file(), copy())).toEqual({ ok: true, value: { sends: 1, optOuts: 1 } });
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
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
    const lock = lockFile(at('other.db.unfinished'));
    for (const name of ['other.db.unfinished', 'copy.db.unfinished', '.copy.db.unfinished.lock'])
      writeFileSync(at(name), '');
    expect(await backUp(file(), copy())).toEqual({ ok: true, value: { sends: 0, optOuts: 0 } });
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([
      '.other.db.unfinished.lock',
      'other.db.unfinished',
    ]);
    expect(await backUp(file(), at('other.db'))).toEqual({
      ok: false,
      error: expect.stringContaining(`There is a file ${at('other.db.unfinished')} already`),
    });
    lock?.release();
    expect(await backUp(file(), at('other.db'))).toMatchObject({ ok: true });
  });

  it('never replaces a file, and leaves none behind when it fails', async () => {
    expect(await backUp(file(), copy())).toEqual({
      ok: false,
      error: `There is no database ${file()}. Check the path.`,
    });
    start();
    writeFileSync(copy(), 'mine');
    expect(await backUp(file(), copy())).toEqual({
      ok: false,
      error: `There is a file ${copy()} already, and a backup never replaces one. Name another file.`,
    });
    expect(readFileSync(copy(), 'utf8')).toBe('mine');
    const nowhere = await backUp(file(), at('nowhere/copy.db'));
    expect(nowhere.ok ? '' : nowhere.error).toContain('Check that the folder exists');
    await stop();
    const other = new DatabaseSync(at('other.db'));
    other.exec('CREATE TABLE notes (text)');
    other.close();
    expect(await backUp(at('other.db'), at('new.db'))).toEqual({
      ok: false,
      error: `The file ${at('other.db')} is no database of Herald. Name another file.`,
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('new'))).toEqual([]);
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
    start();
    await addSend('S-3');
    mkdirSync(at('crashed'));
    for (const name of ['herald.db', 'herald.db-wal', '.herald.db.newest'])
      copyFileSync(at(name), at(`crashed/${name}`));
    const crashed = at('crashed/herald.db');
    const restored = await putBack(crashed, copy(), AT);
    expect(restored).toMatchObject({ ok: true, value: { sends: 1 } });
    expect(readdirSync(at('crashed')).toSorted()).toEqual([
      '.herald.db.before-2026-11-21T23-30-00Z.newest',
      '.herald.db.lock',
      'herald.db',
      'herald.db.before-2026-11-21T23-30-00Z',
      'herald.db.before-2026-11-21T23-30-00Z-wal',
    ]);
    const before = new DatabaseSync(`${crashed}.before-2026-11-21T23-30-00Z`);
    expect(before.prepare('SELECT count(*) AS sends FROM sends').get()).toEqual({ sends: 3 });
    before.close();
  });

  it('works where nothing was, and where what was there is damaged', async () => {
    await copyOfAnOlder();
    mkdirSync(at('elsewhere'));
    expect(await putBack(at('elsewhere/herald.db'), copy(), AT)).toMatchObject({
      value: { sends: 1, takenOver: 0, aside: undefined },
    });
    writeFileSync(file(), 'no database at all '.repeat(500));
    expect(await putBack(file(), copy(), AT)).toMatchObject({ value: { sends: 1, takenOver: undefined } });
    expect(await start().sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
  });

  it('is refused while Herald runs, and for anything but a whole backup; then nothing is changed', async () => {
    await copyOfAnOlder();
    start();
    expect(await putBack(file(), copy(), AT)).toEqual({
      ok: false,
      error: `The database ${file()} is in use by another Herald. Stop that one first, or name another file.`,
    });
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
      `There is no database ${at('missing.db')}. Check the path.`,
      `${file()} is the database itself. Name the file of a backup.`,
      `The file ${at('notes.txt')} is not a database. Name another file.`,
      expect.stringContaining(`The database ${at('torn.db')} is damaged (`),
    ]);
    expect(readFileSync(file()).equals(bytes)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
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
    expect(await acceptOlder(file(), AT)).toEqual({
      ok: false,
      error: `There is nothing to accept: Herald starts on the database ${file()} as it is.`,
    });
  });

  it('sets the log of another copy aside', async () => {
    await copyOfAnOlder();
    start();
    await addSend('S-3');
    mkdirSync(at('crashed'));
    for (const name of ['herald.db', 'herald.db-wal', '.herald.db.newest'])
      copyFileSync(at(name), at(`crashed/${name}`));
    await stop();
    copyFileSync(copy(), at('crashed/herald.db'));
    expect(await acceptOlder(at('crashed/herald.db'), AT)).toMatchObject({
      value: { sends: 1, optOuts: 0 },
    });
    expect(existsSync(at('crashed/herald.db.before-2026-11-21T23-30-00Z-wal'))).toBe(true);
    const database = openDatabase(at('crashed/herald.db'));
    if (!database.ok) throw new Error(database.error);
    stores = createSqliteStores(database.value);
    expect(await stores.sends.stopRestored(RESTORED, 5)).toEqual(['S-1']);
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
