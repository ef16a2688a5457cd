import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { putBack } from '../../src/store/sqlite/put-back.ts';
import type { Memory } from '../../src/store/stores.ts';
import { DAY_MS, type Done, FIRST_DAY, numberOf, PSEUDONYM_KEY, type Span } from './plan.ts';

/*
 * A year on one file: a thousand sends, backups, retention, a disk that is lost and its restore. Nothing that was done may be
 * missing at the end.
 */
const LIFE = fileURLToPath(new URL('./life.ts', import.meta.url));
const LOST_ON = 300;
/** Each step of a thousand sends is waited for on disk: on a busy machine that takes minutes. */
const LONGEST_MS = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'herald-year-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'herald.db');
const report: string[] = [];
const size = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** Lives some days, and notes how long they took and what they left. */
async function live(name: string, from: number, to: number): Promise<void> {
  const span: Span = { folder, from, to };
  const started = performance.now();
  const lived = await promisify(execFile)(process.execPath, [LIFE, JSON.stringify(span)]);
  expect(lived.stderr).toBe('');
  const seconds = (performance.now() - started) / 1_000;
  report.push(`${name}, days ${from} to ${to}: ${seconds.toFixed(1)} s, file ${size(statSync(file).size)}`);
}

async function opened(): Promise<Memory> {
  const stores = await openSqliteStores(file, () => {}, undefined, PSEUDONYM_KEY);
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

const done = () =>
  readFileSync(join(folder, 'done.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Done);
const doneOf = <What extends Done['what']>(what: What) =>
  done().filter((one): one is Extract<Done, { what: What }> => one.what === what);

it(
  'loses nothing in a year',
  async () => {
    await live('from the first day on', 0, LOST_ON);

    // The disk is lost. What was given after the last backup, an opt-out, stands beside the backups.
    for (const name of readdirSync(folder).filter((one) => one.includes('herald.db')))
      rmSync(join(folder, name));
    const newest = readdirSync(join(folder, 'backups'))
      .filter((name) => name.endsWith('.db'))
      .toSorted()
      .at(-1);
    const started = performance.now();
    const restored = await putBack(file, join(folder, 'backups', newest ?? ''), FIRST_DAY + LOST_ON * DAY_MS);
    report.push(`restore: ${(performance.now() - started).toFixed(0)} ms`);
    expect(restored).toMatchObject({ ok: true, value: { takenOver: 1 } });
    await live('restored', LOST_ON, 365);

    const stores = await opened();
    const sends = doneOf('send');
    expect(sends).toHaveLength(1_000);
    const pseudonym = createPseudonym(PSEUDONYM_KEY);
    const removed = { numbers: 0, texts: 0 };
    for (const { id, day, rows } of sends) {
      const send = await stores.sends.find(id);
      expect(send).toMatchObject({ state: 'done', counts: { accepted: rows, pending: 0, unknown: 0 } });
      const actions = (await stores.sends.events(id)).map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(['approved', 'sending', 'done']));
      const found = (await stores.sends.recipients(id)).map(({ number }) => number);
      const numbers = Array.from({ length: rows }, (_, row) => numberOf(day, row));
      const without = actions.includes('numbers_removed');
      expect(found).toEqual(without ? numbers.map(pseudonym) : numbers);
      if (without) removed.numbers += 1;
      if (actions.includes('texts_removed')) removed.texts += 1;
      // What is old is gone, and what is young is there.
      expect(without).toBe(day < 364 - 90);
    }
    const optOuts = doneOf('opt-out').map(({ number }) => number);
    expect((await stores.audiences.listOptOuts('', 1_000)).map(({ number }) => number).toSorted()).toEqual(
      optOuts.toSorted(),
    );
    await stores.sends.close();

    const backups = doneOf('backup');
    const slowest = Math.max(...backups.map(({ ms }) => ms));
    console.log(
      [
        ...report,
        `${sends.length} sends to ${sends.reduce((sum, { rows }) => sum + rows, 0)} recipients; ${removed.numbers} without numbers, ${removed.texts} without texts; ${optOuts.length} opt-outs`,
        `${backups.length} backups, the slowest in ${slowest.toFixed(0)} ms, the last one ${size(backups.at(-1)?.bytes ?? 0)}; file ${size(statSync(file).size)}`,
      ].join('\n'),
    );
  },
  LONGEST_MS,
);
