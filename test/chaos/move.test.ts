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

/*
 * The command that moves an installation, killed again and again in the middle: asked once more it goes on, and in the
 * end every row is there once, as it was.
 */
const ROWS = 8_000;
const KILLS = 10;
/** From the first batch that a process has written to its end: at most this long. */
const LONGEST_LIFE_MS = 150;
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

/** How many rows have arrived, by the target's own notes. */
async function arrived(url: string): Promise<number> {
  const notes = 'SELECT coalesce(sum(rows), 0)::int AS rows FROM arrival_tables';
  const [found] = await directly(url, notes).catch(() => [{ rows: 0 }]);
  return Number(found?.rows);
}

async function killInTheMiddle(url: string): Promise<void> {
  const before = await arrived(url);
  const mover = begin(url);
  const exited = once(mover, 'exit');
  while (mover.exitCode === null && (await arrived(url)) === before);
  await delay(Math.random() * LONGEST_LIFE_MS);
  mover.kill('SIGKILL');
  await exited;
}

await describeWithPostgres('a move that is killed in the middle', () => {
  it('brings every row once, however often it happens', async ({ task }) => {
    const database = openDatabase(file);
    if (!database.ok) throw new Error(database.error);
    const tables = fillEveryTable(database.value, ROWS);
    database.value.close();
    const url = await freshDatabase();
    let kills = 0;
    while (kills < KILLS && (await arrived(url)) < ROWS * tables.length) {
      await killInTheMiddle(url);
      kills += 1;
      expect(openDatabase(file).ok).toBe(false);
    }
    const last = begin(url);
    const [said, [code]] = await Promise.all([
      text(last.stderr as NodeJS.ReadableStream),
      once(last, 'exit'),
    ]);
    task.meta.figure = `${kills} kills, ${tables.length} tables of ${ROWS} rows`;
    expect(kills).toBeGreaterThan(5);
    expect([code, said]).toEqual([0, expect.stringContaining('Moved: everything was read back')]);
    for (const table of tables)
      expect([table, await directly(url, `SELECT count(*)::int AS rows FROM ${table}`)]).toEqual([
        table,
        [{ rows: ROWS }],
      ]);
    expect(openDatabase(file).ok).toBe(false);
  }, 400_000);
});
