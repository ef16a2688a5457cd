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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory } from '../../src/store/stores.ts';
import { oneSend } from './one-send.ts';

/** Longer than Herald waits before it brings its log into the database. */
const A_QUIET_MOMENT_MS = 5_000;

let folder: string;
let stores: Memory | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'herald-log-'));
});
afterEach(async () => {
  await stores?.sends.close();
  stores = undefined;
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function at(place: string): string {
  return join(folder, place);
}

function open(place: string): Memory {
  const database = openDatabase(at(place));
  if (!database.ok) throw new Error(database.error);
  return createSqliteStores(database.value);
}

function refusal(place: string): string {
  const database = openDatabase(at(place));
  if (!database.ok) return database.error;
  database.value.close();
  return '';
}

async function addSend(id: string): Promise<void> {
  await stores?.sends.create(oneSend(id));
}

/** What lies on the disk when the process is killed: the database, its log and its marker. */
function crashInto(place: string): void {
  for (const suffix of ['', '-wal']) copyFileSync(at(`herald.db${suffix}`), at(`${place}${suffix}`));
  copyFileSync(at('.herald.db.newest'), at(`.${place}.newest`));
}

describe('the log of a database file', () => {
  it('is brought into the database in a quiet moment, so that a copy of the file alone is whole', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    const optOut = { number: '+911' as Msisdn, at: 3, actor: 'U0ASHA', source: 'command' } as const;
    await stores.audiences.optOut([optOut]);
    vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
    copyFileSync(at('herald.db'), at('copy.db'));
    const copy = open('copy.db');
    expect(await copy.sends.find('S-1')).toMatchObject({ id: 'S-1' });
    expect(await copy.audiences.findOptOut('+911' as Msisdn)).toEqual(optOut);
    await copy.sends.close();
  });

  it('is not merged with a copy of the database that was made before it was begun', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
    copyFileSync(at('herald.db'), at('older'));
    await addSend('S-2');
    vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
    await addSend('S-3');
    vi.advanceTimersByTime(500);
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

  it('is not merged with a copy that another tool made by SQLite, before it was begun', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    const reader = new DatabaseSync(at('herald.db'), { readOnly: true });
    await backup(reader, at('copy.db'));
    reader.close();
    await addSend('S-2');
    await stores.sends.close();
    stores = open('herald.db');
    await addSend('S-3');
    vi.advanceTimersByTime(500);
    crashInto('crashed.db');
    copyFileSync(at('copy.db'), at('crashed.db'));
    expect(refusal('crashed.db')).toContain('belongs to another copy of the database');
  });

  it('makes every copy either whole again or refused, whenever it was made', async () => {
    const copies: string[] = [];
    let added = 0;
    stores = open('herald.db');
    const ways = [
      async () => {
        added += 1;
        await addSend(`S-${added}`);
      },
      async () => void vi.advanceTimersByTime(A_QUIET_MOMENT_MS),
      async () => {
        await stores?.sends.close();
        stores = open('herald.db');
      },
      async () => {
        const reader = new DatabaseSync(at('herald.db'), { readOnly: true });
        await backup(reader, at(`by-sqlite-${copies.length}`));
        reader.close();
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
    vi.advanceTimersByTime(500);
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
    stores = open('herald.db');
    await addSend('S-1');
    const reader = new DatabaseSync(at('herald.db'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM sends').all();
    await addSend('S-2');
    vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
    reader.exec('COMMIT');
    await addSend('S-3');
    vi.advanceTimersByTime(500);
    crashInto('crashed.db');
    reader.close();
    const reopened = open('crashed.db');
    expect(await reopened.sends.find('S-3')).toMatchObject({ id: 'S-3' });
    await reopened.sends.close();
  });

  it('is merged with its own database after a crash, also with a copy made since it was begun', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
    copyFileSync(at('herald.db'), at('since'));
    await addSend('S-2');
    vi.advanceTimersByTime(500);
    crashInto('crashed.db');
    crashInto('again.db');
    copyFileSync(at('since'), at('again.db'));
    for (const place of ['crashed.db', 'again.db']) {
      const reopened = open(place);
      expect(await reopened.sends.find('S-2')).toMatchObject({ id: 'S-2' });
      expect(await reopened.sends.stopRestored({ what: '', next: '', scope: 'send' }, 1)).toBeUndefined();
      await reopened.sends.close();
    }
  });

  it('is merged after a crash that came just after a restored copy was put in order', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    await stores.sends.close();
    rmSync(at('.herald.db.newest'));
    stores = open('herald.db');
    expect(await stores.sends.stopRestored({ what: '', next: '', scope: 'send' }, 1)).toEqual(['S-1']);
    await addSend('S-2');
    crashInto('crashed.db');
    const reopened = open('crashed.db');
    expect(await reopened.sends.find('S-2')).toMatchObject({ id: 'S-2' });
    await reopened.sends.close();
  });

  it('is merged when the crash came while it was brought into the database', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    vi.advanceTimersByTime(500);
    crashInto('crashed.db');
    vi.advanceTimersByTime(A_QUIET_MOMENT_MS);
    // The database is written already, its log still there.
    copyFileSync(at('herald.db'), at('crashed.db'));
    const reopened = open('crashed.db');
    expect(await reopened.sends.find('S-1')).toMatchObject({ id: 'S-1' });
    await reopened.sends.close();
  });

  it('is left alone when what stands in it was never committed', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    await stores.sends.close();
    stores = undefined;
    writeFileSync(at('herald.db-wal'), 'x'.repeat(9_000));
    expect(refusal('herald.db')).toBe('');
  });

  it('does not grow without end while it is never quiet', async () => {
    stores = open('herald.db');
    const body = 'x'.repeat(4_000_000);
    let largest = 0;
    for (let n = 0; n < 40; n += 1) {
      await stores.replies.keep([{ digest: String(n), receivedAt: n, body }], 1);
      largest = Math.max(largest, statSync(at('herald.db-wal')).size);
    }
    expect(largest).toBeLessThan(80_000_000);
    expect(largest).toBeGreaterThan(20_000_000);
  });

  it('is gone after a clean stop, and nothing but the owner’s files is left', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    await stores.sends.close();
    stores = undefined;
    const left = readdirSync(folder).toSorted();
    expect(left).toEqual(['.herald.db.lock', '.herald.db.newest', 'herald.db']);
    for (const name of left) expect(statSync(at(name)).mode & 0o777).toBe(0o600);
  });
});

describe('a database file beside the marker of a fuller one', () => {
  it('is refused when it is older, and nothing is changed', async () => {
    stores = open('herald.db');
    await addSend('S-1');
    await stores.sends.close();
    copyFileSync(at('herald.db'), at('older'));
    stores = open('herald.db');
    await addSend('S-2');
    await stores.sends.close();
    stores = undefined;
    copyFileSync(at('older'), at('herald.db'));
    expect(refusal('herald.db')).toMatch(/is an older copy.*opt-outs.*accept-older-database/s);
  });

  it.each([
    ['gone', async () => rmSync(at('herald.db'))],
    ['empty', async () => writeFileSync(at('herald.db'), '')],
    [
      'new',
      async () => {
        rmSync(at('herald.db'));
        await open('new.db').sends.close();
        copyFileSync(at('new.db'), at('herald.db'));
      },
    ],
  ])('is refused when it is %s', async (_name, replace) => {
    stores = open('herald.db');
    await addSend('S-1');
    await stores.sends.close();
    stores = undefined;
    await replace();
    expect(refusal('herald.db')).toMatch(/is empty.*restore PATH.*accept-older-database/s);
  });
});
