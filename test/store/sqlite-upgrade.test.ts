import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrations.ts';
import { markerOf } from '../../src/store/sqlite/newest-copy.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { putBack } from '../../src/store/sqlite/put-back.ts';
import { unpackNext } from '../chaos/next-version.ts';
import { fileSetting } from './file-setting.ts';

/* This version’s files, and the next version that upgrades them: the same program with one more migration. */

const program = mkdtempSync(join(tmpdir(), 'herald-next-'));
let next: typeof import('../../src/store/sqlite/in-thread.ts') &
  typeof import('../../src/store/sqlite/open.ts');
beforeAll(async () => {
  unpackNext(program);
  const file = (name: string) => import(join(program, 'src/store/sqlite', name));
  next = { ...(await file('open.ts')), ...(await file('in-thread.ts')) };
});
afterAll(() => rmSync(program, { recursive: true }));

const { at, file, folder } = fileSetting();
let copy: string;
beforeEach(() => {
  copy = at('herald.db.before-upgrade');
});
const BEFORE = SCHEMA_VERSION;
const NUMBERS = 'SELECT number FROM opt_outs';

/** As this version has left it, with an opt-out; killed, with all of it still in the log. */
function anOlderOne({ killed = false } = {}): void {
  openedBy(openDatabase).close();
  // Without its marker, which belongs to a Herald that has worked on it.
  rmSync(markerOf(file()), { force: true });
  const older = new DatabaseSync(file());
  older.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  older.exec(`INSERT INTO opt_outs VALUES ('+911', 1, 'U', 'command')`);
  const left = ['', '-wal'].map((suffix) => ({
    path: `${file()}${suffix}`,
    bytes: readFileSync(`${file()}${suffix}`),
  }));
  older.close();
  if (killed) for (const { path, bytes } of left) writeFileSync(path, bytes);
}

const copies = () =>
  readdirSync(folder())
    .filter((name) => name.includes('before-upgrade'))
    .toSorted();

function openedBy(open: typeof openDatabase): DatabaseSync {
  const database = open(file());
  if (!database.ok) throw new Error(database.error);
  return database.value;
}

describe('a database of this version, upgraded to the next', () => {
  it.each([
    ['stopped in good order', false],
    ['killed', true],
  ])('is copied before anything in it is changed, and it is said where: %s', async (_how, killed) => {
    anOlderOne({ killed });
    const told: string[] = [];
    const stores = await next.openSqliteStores(file(), (path) => told.push(path));
    if (stores.ok) await stores.value.sends.close();
    expect({ ok: stores.ok, told }).toEqual({ ok: true, told: [copy] });
    // Up to date now: the next start copies nothing.
    openedBy(next.openDatabase).close();
    expect(copies()).toEqual([basename(copy)]);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const before = new DatabaseSync(copy, { readOnly: true });
    expect(before.prepare('PRAGMA user_version').get()).toEqual({ user_version: BEFORE });
    expect(before.prepare(NUMBERS).all()).toEqual([{ number: '+911' }]);
    expect(before.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    before.close();
  });

  it('is left as it is when it cannot be copied, with the copy of before', () => {
    writeFileSync(copy, 'of the upgrade before');
    anOlderOne();
    mkdirSync(`${copy}.unfinished`);
    expect(next.openDatabase(file())).toEqual({
      ok: false,
      error: expect.stringContaining(`The database ${file()} could not be opened`),
    });
    expect(readFileSync(copy, 'utf8')).toBe('of the upgrade before');
    const still = new DatabaseSync(file(), { readOnly: true });
    expect(still.prepare('PRAGMA user_version').get()).toEqual({ user_version: BEFORE });
    still.close();
    rmdirSync(`${copy}.unfinished`);
    openedBy(next.openDatabase).close();
    expect(copies()).toEqual([basename(copy)]);
  });

  it('is what one goes back to: refused after the upgrade, and restored with the opt-outs given since', async () => {
    anOlderOne();
    const newer = openedBy(next.openDatabase);
    newer.exec(`INSERT INTO opt_outs VALUES ('+912', 2, 'U', 'command')`);
    newer.close();
    const refused = openDatabase(file());
    expect(refused).toEqual({
      ok: false,
      error: `The database ${file()} was written by a newer Herald. Start that version. To go back to this one, restore what was copied before the upgrade, ${file()}.before-upgrade, or a backup: node dist/main.js restore PATH.`,
    });
    expect(await putBack(file(), copy, Date.UTC(2026, 10, 22))).toMatchObject({
      ok: true,
      value: { takenOver: 1 },
    });
    const restored = openedBy(openDatabase);
    expect(restored.prepare(`${NUMBERS} ORDER BY number`).all()).toEqual([
      { number: '+911' },
      { number: '+912' },
    ]);
    restored.close();
  });

  it('is copied again when it is upgraded again, over the copy of before, and over nothing else', () => {
    // Named by a person, and the copy of another database.
    const others = ['herald.db.before-upgrade.gz', 'other-herald.db.before-upgrade'];
    for (const name of others) writeFileSync(at(name), 'of somebody else');
    writeFileSync(copy, 'of the upgrade before');
    anOlderOne();
    openedBy(next.openDatabase).close();
    expect(copies()).toEqual([basename(copy), ...others].toSorted());
    const before = new DatabaseSync(copy, { readOnly: true });
    expect(before.prepare(NUMBERS).all()).toEqual([{ number: '+911' }]);
    before.close();
  });

  it('is as it was when the second of its steps fails', () => {
    anOlderOne();
    const older = new DatabaseSync(file());
    older.exec('CREATE TABLE added_by_the_next_version (in_the_way TEXT)');
    const before = older.prepare('SELECT sql FROM sqlite_master').all();
    const refused = next.openDatabase(file());
    expect(refused).toEqual({
      ok: false,
      error: expect.stringContaining('added_by_the_next_version already exists'),
    });
    expect(older.prepare('PRAGMA user_version').get()).toEqual({ user_version: BEFORE });
    expect(older.prepare('SELECT sql FROM sqlite_master').all()).toEqual(before);
    older.close();
  });
});
