import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { keepLogShort } from '../../src/store/sqlite/newest-copy.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import { fileSetting, openedFile } from './file-setting.ts';

/** Longer than Herald waits before it brings its log into the database. */
const A_QUIET_MOMENT_MS = 5_000;

const { at, folder, start, stop, reopen, refusal, addSend } = fileSetting();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The log is brought into the database. */
const beQuiet = () => void vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
/** The marker follows, and the log stays. */
const follow = () => void vi.advanceTimersByTime(500);

/** Another Herald finds a send in a file. */
async function expectSendIn(place: string, id: string): Promise<void> {
  const { sends } = createSqliteStores(openedFile(at(place)));
  expect(await sends.find(id)).toMatchObject({ id });
  expect(await sends.stopRestored({ what: '', next: '', scope: 'send' }, 1)).toBeUndefined();
  await sends.close();
}

/** SQLite makes a copy, as other tools do. */
async function copyBySqlite(place: string): Promise<void> {
  using reader = new DatabaseSync(at('herald.db'), { readOnly: true });
  await backup(reader, at(place));
}

/** What lies on the disk when the process is killed: the database, its log and its marker. */
function crashInto(place: string): void {
  for (const suffix of ['', '-wal']) copyFileSync(at(`herald.db${suffix}`), at(`${place}${suffix}`));
  copyFileSync(at('.herald.db.newest'), at(`.${place}.newest`));
}

describe('the log of a database file', () => {
  it('is brought into the database in a quiet moment, so that a copy of the file alone is whole', async () => {
    const { audiences } = start();
    await addSend('S-1');
    await audiences.optOut([{ number: '+911' as Msisdn, at: 3, actor: 'U0ASHA', source: 'command' }]);
    beQuiet();
    copyFileSync(at('herald.db'), at('copy.db'));
    await stop();
    const copy = start('copy.db');
    expect(await copy.sends.find('S-1')).toMatchObject({ id: 'S-1' });
    expect(await copy.audiences.countOptOuts()).toBe(1);
  });

  it('is not merged with a copy of the database that was made before it was begun', async () => {
    start();
    await addSend('S-1');
    beQuiet();
    copyFileSync(at('herald.db'), at('older'));
    await addSend('S-2');
    beQuiet();
    await addSend('S-3');
    follow();
    crashInto('crashed.db');
    copyFileSync(at('older'), at('crashed.db'));
    const log = readFileSync(at('crashed.db-wal'));
    expect(refusal('crashed.db')).toContain('belongs to another copy of the database');
    expect(refusal('crashed.db')).toContain('accept-older-database');
    expect(readFileSync(at('crashed.db-wal')).equals(log)).toBe(true);
    expect(readFileSync(at('crashed.db')).equals(readFileSync(at('older')))).toBe(true);

    // An empty database is another one, too.
    writeFileSync(at('crashed.db'), '');
    expect(refusal('crashed.db')).toContain('belongs to another copy of the database');
  });

  it('makes every copy either whole again or refused, whenever it was made', async () => {
    const copies: string[] = [];
    let added = 0;
    start();
    const ways = [
      async () => {
        added += 1;
        await addSend(`S-${added}`);
      },
      async () => beQuiet(),
      reopen,
      async () => {
        await copyBySqlite(`by-sqlite-${copies.length}`);
        copies.push(`by-sqlite-${copies.length}`);
      },
      async () => {
        copyFileSync(at('herald.db'), at(`plain-${copies.length}`));
        copies.push(`plain-${copies.length}`);
      },
    ];
    const ended = { whole: 0, refused: 0 };
    for (const step of [0, 4, 0, 3, 1, 0, 3, 4, 0, 1, 4, 0, 2, 3, 4, 0, 1, 0, 4, 3, 2, 0, 3, 4, 0])
      await ways[step]?.();
    follow();
    for (const copy of copies) {
      crashInto('crashed.db');
      copyFileSync(at(copy), at('crashed.db'));
      const database = openDatabase(at('crashed.db'));
      if (database.ok) {
        expect(database.value.prepare('SELECT count(*) AS sends FROM sends').get()).toEqual({ sends: added });
        expect(database.value.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
        database.value.close();
        ended.whole += 1;
      } else ended.refused += 1;
      rmSync(at('crashed.db-wal'), { force: true });
    }
    expect(ended).toEqual({ whole: 3, refused: copies.length - 3 });
  });

  it('is gone on with while somebody reads the database', async () => {
    start();
    await addSend('S-1');
    const reader = new DatabaseSync(at('herald.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM sends').all();
    await addSend('S-2');
    beQuiet();
    reader.exec('COMMIT');
    await addSend('S-3');
    follow();
    crashInto('crashed.db');
    reader.close();
    await expectSendIn('crashed.db', 'S-3');
  });

  it('is merged with its own database after a crash, also with a copy made since it was begun', async () => {
    start();
    await addSend('S-1');
    beQuiet();
    copyFileSync(at('herald.db'), at('since'));
    await addSend('S-2');
    follow();
    crashInto('crashed.db');
    crashInto('again.db');
    copyFileSync(at('since'), at('again.db'));
    for (const place of ['crashed.db', 'again.db']) await expectSendIn(place, 'S-2');
  });

  it('is merged after a crash that came just after a restored copy was put in order', async () => {
    start();
    await addSend('S-1');
    await stop();
    rmSync(at('.herald.db.newest'));
    const { sends } = await reopen();
    expect(await sends.stopRestored({ what: '', next: '', scope: 'send' }, 1)).toEqual(['S-1']);
    await addSend('S-2');
    crashInto('crashed.db');
    await expectSendIn('crashed.db', 'S-2');
  });

  it('is merged when the crash came while it was brought into the database', async () => {
    start();
    await addSend('S-1');
    follow();
    crashInto('crashed.db');
    beQuiet();
    // The database is written already, its log still there.
    copyFileSync(at('herald.db'), at('crashed.db'));
    await expectSendIn('crashed.db', 'S-1');
  });

  it('is left alone when what stands in it was never committed', async () => {
    start();
    await addSend('S-1');
    await stop();
    writeFileSync(at('herald.db-wal'), 'x'.repeat(9_000));
    expect(refusal()).toBeUndefined();
  });

  it('does not grow without end while it is never quiet', async () => {
    const { replies } = start();
    const body = 'x'.repeat(4_000_000);
    let largest = 0;
    for (let n = 0; n < 40; n += 1) {
      await replies.keep([{ digest: String(n), receivedAt: n, body }], 1);
      largest = Math.max(largest, statSync(at('herald.db-wal')).size);
    }
    expect(largest).toBeLessThan(80_000_000);
    expect(largest).toBeGreaterThan(20_000_000);
  });

  it('is gone after a clean stop, and nothing but the owner’s files is left', async () => {
    start();
    await addSend('S-1');
    await stop();
    const left = readdirSync(folder()).toSorted();
    expect(left).toEqual(['.herald.db.lock', '.herald.db.newest', 'herald.db']);
    for (const name of left) expect(statSync(at(name)).mode & 0o777).toBe(0o600);
  });
});

describe('a database file beside the marker of a fuller one', () => {
  it.each([
    ['gone', async () => rmSync(at('herald.db'))],
    ['empty', async () => writeFileSync(at('herald.db'), '')],
    [
      'new',
      async () => {
        rmSync(at('herald.db'));
        openedFile(at('new.db')).close();
        copyFileSync(at('new.db'), at('herald.db'));
      },
    ],
  ])('is refused when it is %s', async (_name, replace) => {
    start();
    await addSend('S-1');
    await stop();
    await replace();
    expect(refusal()).toMatch(/is empty.*restore PATH.*accept-older-database/s);
  });
});

/** A disk of 6 MB, or undefined: only the superuser may mount one. */
function smallDisk(): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'herald-small-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk]);
  if (status === 0) return disk;
  rmSync(disk, { recursive: true });
  return undefined;
}
const disk = smallDisk();
afterAll(() => {
  if (disk === undefined) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

const name = 'the log does not fill a small disk, however long a send is busy';
const why = disk === undefined ? ' (skipped: only the superuser may mount one)' : '';
it.skipIf(disk === undefined)(`${name}${why}`, () => {
  const file = join(disk ?? '', 'herald.db');
  const database = openedFile(file);
  const log = keepLogShort(database, file, () => {});
  database.exec('CREATE TABLE busy (id INTEGER PRIMARY KEY, text TEXT)');
  const write = database.prepare('INSERT OR REPLACE INTO busy (id, text) VALUES (?, ?)');
  // Ten times what the disk holds, over rows that fit.
  for (let count = 0; count < 10_000; count += 1) {
    write.run(count % 100, String(count).padEnd(4_000));
    log.committed();
  }
  log.close();
  database.close();
  expect(statSync(file).size).toBeLessThan(2_000_000);
});
