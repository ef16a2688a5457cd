import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { fillEveryTable } from '../store/moving/every-table.ts';
import { howMany } from '../trust/how-many.ts';

/*
 * The command that moves an installation, killed again and again in the middle: neither is the file closed nor the database
 * opened before everything is there, and in the end every row is there once, as it was.
 */
const ROWS = 8_000;
const { count: KILLS, said: KILLS_SAID } = howMany(5, 10);
/** From its start to its end: at most this long, about what a whole move takes. */
const LONGEST_LIFE_MS = 1_500;
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-move-'));
  file = join(folder, 'herald.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function begin(url: string): ChildProcess {
  return spawn(process.execPath, [MAIN, 'migrate', '--from', `file:${file}`, '--to', url], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {},
  });
}

/** Returns whether it was killed before it had ended. */
async function killInTheMiddle(url: string): Promise<boolean> {
  const mover = begin(url);
  const exited = once(mover, 'exit');
  await Promise.race([delay(Math.random() * LONGEST_LIFE_MS), exited]);
  mover.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL';
}

/** Which of the two a Herald could be started on. */
async function usable(url: string): Promise<{ file: boolean; target: boolean }> {
  const database = openDatabase(file);
  if (database.ok) database.value.close();
  const [arrival] = await directly(url, 'SELECT installation FROM arrival').catch(() => []);
  return { file: database.ok, target: arrival !== undefined };
}

await describeWithPostgres('a move that is killed in the middle', () => {
  it('brings every row once, however often it happens', async ({ task }) => {
    const database = openDatabase(file);
    if (!database.ok) throw new Error(database.error);
    const tables = fillEveryTable(database.value, ROWS);
    database.value.close();
    const url = await freshDatabase();
    let kills = 0;
    for (let attempt = 0; attempt < KILLS && (await killInTheMiddle(url)); attempt += 1) {
      kills += 1;
      expect(await usable(url)).not.toEqual({ file: true, target: true });
    }
    const last = begin(url);
    const [said, [code]] = await Promise.all([
      text(last.stderr as NodeJS.ReadableStream),
      once(last, 'exit'),
    ]);
    task.meta.figure = `${kills} kills${KILLS_SAID}, ${tables.length} tables of ${ROWS} rows`;
    expect(kills).toBeGreaterThan(0);
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/Moved: everything was read back|was moved to that database before/),
    ]);
    for (const table of tables)
      expect([table, await directly(url, `SELECT count(*)::int AS rows FROM ${table}`)]).toEqual([
        table,
        [{ rows: ROWS }],
      ]);
    expect(openDatabase(file).ok).toBe(false);
  }, 400_000);
});
