import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import type { Result } from '../../../src/core/result.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { INTERRUPTED } from '../../../src/sends/recovery.ts';
import { type MoveEnd, moveInstallation } from '../../../src/store/moving/move.ts';
import { openPostgresStores } from '../../../src/store/postgres/stores.ts';
import { openDatabase } from '../../../src/store/sqlite/open.ts';
import { acceptOlder } from '../../../src/store/sqlite/put-back.ts';
import { createSqliteStores } from '../../../src/store/sqlite/stores.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import {
  behind,
  describeWithPostgres,
  directly,
  freshDatabase,
  preparedDatabase,
} from '../../postgres/database.ts';
import { fileSetting, openedFile, refusalOf } from '../file-setting.ts';
import { opened as openedStores, surroundings } from '../postgres-stores.ts';
import { numberOf, sendingToMany } from '../steps.ts';
import { fillEveryTable } from './every-table.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const ROWS = 40;
const ASHA = '+919812345678' as Msisdn;
const OPT_OUT = { number: ASHA, at: 1, actor: 'U', source: 'command' } as const;

const { at } = fileSetting();
let file: string;
let url: string;
let place: string;
beforeEach(() => {
  file = at('herald.db');
});
const opened = () => openedFile(file);
const herald = () => createSqliteStores(opened());

function aim(at: string): string {
  url = at;
  const { host, pathname } = new URL(url);
  place = host + pathname;
  return url;
}
const fresh = async () => aim(await freshDatabase());

function filled(): readonly string[] {
  const database = opened();
  const tables = fillEveryTable(database, ROWS);
  database.close();
  return tables;
}

interface Moved {
  readonly end: Result<MoveEnd, string>;
  readonly lines: readonly string[];
}

/** @param stopAfter the line after which it is asked to stop */
async function move(stopAfter?: (line: string) => boolean): Promise<Moved> {
  const lines: string[] = [];
  const stopping = new AbortController();
  const end = await moveInstallation({
    from: file,
    to: url,
    clock: createManualClock(NOON),
    logger: createRecordingLogger(),
    stopping: stopping.signal,
    progressed: (line) => {
      lines.push(line);
      if (stopAfter?.(line)) stopping.abort();
    },
  });
  return { end, lines };
}

const refusal = () => refusalOf(move().then(({ end }) => end));
const openTarget = (): Promise<Result<Stores, string>> => openPostgresStores(url, surroundings());
const target = (): Promise<Stores> => openedStores(url);

await describeWithPostgres('a move to PostgreSQL', () => {
  beforeEach(async () => {
    await fresh();
  });

  it('brings every row of every table, and says so with counts and digests', async () => {
    const tables = filled();
    const { end, lines } = await move();
    expect(end).toEqual({ ok: true, value: 'moved' });
    const expected = tables.flatMap((table) => [
      `copying ${table}`,
      expect.stringMatching(new RegExp(`^moved ${table}: ${ROWS} rows, digest [\\da-f]{16} on both sides$`)),
    ]);
    expect(lines).toHaveLength(expected.length);
    expect(lines).toEqual(expect.arrayContaining(expected));
    for (const table of tables)
      expect(await directly(url, `SELECT count(*)::int AS rows FROM ${table}`)).toEqual([{ rows: ROWS }]);
  });

  it('closes the file and opens the database, for good', async () => {
    filled();
    await move();
    expect(openDatabase(file)).toEqual({
      ok: false,
      error: `What the database ${file} held was moved to PostgreSQL at ${place} on 2026-11-21, and its sends go on there. Started on this file as well, Herald could message people twice. Set DATABASE_URL to that database.`,
    });
    await (await target()).sends.close();
    expect((await move()).end).toEqual({ ok: true, value: 'moved_before' });
    await fresh();
    expect(await refusal()).toEqual(expect.stringContaining('was moved to'));
    expect((await openTarget()).ok).toBe(true);
  });

  it('makes copies of the file older ones, and does not move an older copy', async () => {
    const before = herald();
    await before.audiences.optOut([OPT_OUT]);
    await before.sends.close();
    const copy = at('copy.db');
    copyFileSync(file, copy);
    await move();
    copyFileSync(copy, file);
    for (const journal of ['-wal', '-shm']) rmSync(file + journal, { force: true });
    expect(await refusal()).toEqual(
      expect.stringContaining('is an older copy than the one that was used here last'),
    );
    expect(await acceptOlder(file, 1)).toMatchObject({ ok: true });
    expect(await refusal()).toEqual(
      'The database is an older copy that was restored, so what it holds as unsent may have been sent since it was made. Start Herald on it once, which puts that in order, stop it, and then move it.',
    );
    const restored = herald();
    expect(await restored.sends.stopRestored(INTERRUPTED, 5)).toEqual([]);
    await restored.sends.close();
  });

  it('lets PostgreSQL go on where the file was: what was attempted is unknown, the rest is sent', async () => {
    const before = herald();
    const recipients = [0, 1, 2].map((row) => ({ row, number: numberOf(row), values: ['a\u0000b'] }));
    await sendingToMany(before.sends, 'S-MOVED', recipients);
    await before.sends.claim('S-MOVED', 1, 5);
    const list = { id: 'A-1', source: 'numbers', columns: ['number'], createdBy: 'U', createdAt: 1 } as const;
    await before.audiences.begin(list);
    await before.audiences.append('A-1', '[]', [
      { row: 0, value: 'x\u0000y', cause: 'invalid', reason: '“\u0000”' },
    ]);
    await before.audiences.finish('A-1', { rows: 1 } as never, 'd');
    await before.audiences.optOut([OPT_OUT]);
    const exclusions = await before.audiences.exclusions('A-1', -1, 9);
    const events = await before.sends.events('S-MOVED');
    await before.sends.close();

    expect((await move()).end).toEqual({ ok: true, value: 'moved' });
    const after = await target();
    expect(await after.sends.events('S-MOVED')).toEqual(events);
    expect(await after.audiences.exclusions('A-1', -1, 9)).toEqual(exclusions);
    expect(await after.audiences.findOptOut(ASHA)).toEqual(OPT_OUT);
    expect(await after.sends.recoverInterrupted(INTERRUPTED, 9)).toEqual(['S-MOVED']);
    expect((await after.sends.adopt(['sending'], 9)).map(({ id }) => id)).toEqual(['S-MOVED']);
    expect((await after.sends.claim('S-MOVED', 9, 10)).map(({ row }) => row)).toEqual([1, 2]);
    expect(await after.sends.find('S-MOVED')).toMatchObject({
      state: 'sending',
      counts: { pending: 0, attempting: 2, unknown: 1 },
    });
    await after.sends.moveSend({ sendId: 'S-MOVED', from: 'sending', to: 'paused', at: 11, actor: 'U' });
    expect(await after.sends.events('S-MOVED')).toHaveLength(events.length + 1);
    await after.sends.close();
  });

  it('begins from empty where it was stopped, and Herald may go on with the file meanwhile', async () => {
    filled();
    const first = await move((line) => line.startsWith('moved recipients:'));
    expect(first.end).toEqual({ ok: false, error: expect.stringMatching(/^Stopped\. Nothing was moved/) });
    expect(await directly(url, 'SELECT count(*)::int AS rows FROM opt_outs')).toEqual([{ rows: 0 }]);
    const database = opened();
    database.exec(`UPDATE sends SET state = 'done'`);
    database.close();
    expect((await move()).end).toEqual({ ok: true, value: 'moved' });
    expect(await directly(url, 'SELECT DISTINCT state FROM sends')).toEqual([{ state: 'done' }]);
  });

  it('finds a row that is not what it was, and moves nothing', async () => {
    filled();
    await (await target()).sends.close();
    // Whoever else writes to the database while it is filled.
    await directly(
      url,
      `CREATE FUNCTION alter_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.number := NEW.number || '0'; RETURN NEW; END $$`,
    );
    await directly(url, `UPDATE replicas SET lease_until = '-infinity'`);
    await directly(
      url,
      'CREATE TRIGGER altering BEFORE INSERT ON opt_outs FOR EACH ROW EXECUTE FUNCTION alter_it()',
    );
    await directly(url, 'ALTER TABLE opt_outs ENABLE ALWAYS TRIGGER altering');
    const { end } = await move();
    expect(end).toEqual({
      ok: false,
      error: expect.stringMatching(
        /^The table opt_outs did not arrive as it was: the file has 40 rows, digest [\da-f]{16}, PostgreSQL has 40 rows, digest [\da-f]{16}\. Nothing was moved/,
      ),
    });
    expect(await directly(url, 'SELECT count(*)::int AS rows FROM opt_outs')).toEqual([{ rows: 0 }]);
    opened().close();
    await directly(url, 'DROP TRIGGER altering ON opt_outs');
    expect((await move()).end).toEqual({ ok: true, value: 'moved' });
  });

  it('keeps a Herald that starts meanwhile away from the database that is filled', async () => {
    filled();
    aim(await preparedDatabase());
    // Everything is copied; what says so waits.
    const { end } = await behind(url, 'LOCK TABLE arrival IN SHARE MODE', move, async () =>
      expect(await openTarget()).toEqual({
        ok: false,
        error: `What a file held is being moved to the PostgreSQL database ${place}. Wait until that has ended, or name another database.`,
      }),
    );
    expect(end).toEqual({ ok: true, value: 'moved' });
  });

  it('goes on after a crash between the end of the file and that of the transaction', async () => {
    filled();
    const before = await freshDatabase();
    await move();
    const copy = new DatabaseSync(file);
    // As it was just before PostgreSQL had everything: the file is closed, the target empty.
    copy.exec(
      `UPDATE departure SET arrived = 0, target = '${new URL(before).host}${new URL(before).pathname}'`,
    );
    copy.close();
    const refused = openDatabase(file);
    expect(refused).toEqual({
      ok: false,
      error: expect.stringContaining('Run node dist/main.js migrate again.'),
    });
    expect((await move()).end).toEqual({ ok: true, value: 'moved_before' });
    const reset = new DatabaseSync(file);
    reset.exec('UPDATE departure SET arrived = 0');
    reset.close();
    url = before;
    expect((await move()).end).toEqual({ ok: true, value: 'moved' });
    expect(await directly(url, 'SELECT count(*)::int AS rows FROM opt_outs')).toEqual([{ rows: ROWS }]);
    expect((await move()).end).toEqual({ ok: true, value: 'moved_before' });
    // Whoever empties that database later does not get again what was sent since.
    await directly(url, 'DELETE FROM arrival');
    expect(await refusal()).toEqual(expect.stringContaining('Set DATABASE_URL to that database.'));
  });

  it('is refused while a Herald has the file, and where there is none', async () => {
    const working = opened();
    expect(await refusal()).toEqual(
      `The database ${file} is in use by another Herald. Stop that one first, or name another file.`,
    );
    working.close();
    file = at('none.db');
    expect(await refusal()).toEqual(
      `There is no database ${file} that this user can see. Check the path, and whose folder it is.`,
    );
    expect(existsSync(file)).toBe(false);
  });

  it('is refused where a Herald runs, or ran, on PostgreSQL, and leaves the file as it was', async () => {
    filled();
    const there = await target();
    expect(await refusal()).toEqual(
      `A Herald runs on the PostgreSQL database ${place}, or ended there a few seconds ago. Stop it, or name another database.`,
    );
    await there.audiences.optOut([OPT_OUT]);
    await there.sends.close();
    expect(await refusal()).toEqual(
      `The PostgreSQL database ${place} holds other data: rows in opt_outs. Name an empty database.`,
    );
    opened().close();
    await (await target()).sends.close();
  });

  it('is refused into what another installation was moved to', async () => {
    filled();
    await move();
    const other = file;
    file = at('second.db');
    filled();
    expect(await refusal()).toEqual(
      `The PostgreSQL database ${place} holds other data: what was moved from ${other}. Name an empty database.`,
    );
    opened().close();
  });
});
