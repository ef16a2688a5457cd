import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import { UNOBSERVED } from '../../src/store/observer.ts';
import { openStores } from '../../src/store/open.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { FIRST_DAY, numberOf, PACKED_DAYS, sendsOn } from '../year/plan.ts';
import { IN_THE_MIDDLE, ROWS, ROWS_BELOW, TEMPLATE, WAITING } from './open-sends.ts';

/* Databases as an earlier version has left them, brought up to date and gone on with; how they were made: pack.ts. */

const packed = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const AT = FIRST_DAY + 1;

let folder: string;
const open: Stores[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-earlier-'));
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.sends.close();
  rmSync(folder, { recursive: true });
});

async function opened(url: string): Promise<Stores> {
  const logger = createRecordingLogger();
  const surroundings = { clock: systemClock, random: systemRandom, logger, observer: UNOBSERVED };
  const stores = await openStores(url, surroundings);
  if (!stores.ok) throw new Error(stores.error);
  open.push(stores.value);
  return stores.value;
}

function earlierFile(): string {
  const file = join(folder, 'herald.db');
  const database = new DatabaseSync(file);
  database.exec(packed('sqlite.sql'));
  database.close();
  return file;
}

async function earlierServer(): Promise<string> {
  const url = await freshDatabase();
  await directly(url, packed('postgres.sql'));
  return url;
}

/** Nothing is lost, and a send that was broken off goes on with those who were not tried. */
async function goesOn({ sends, audiences, templates, replies }: Stores): Promise<void> {
  for (let day = 0; day < PACKED_DAYS; day += 1)
    for (const { id, rows } of sendsOn(day)) {
      expect(await sends.find(id)).toMatchObject({ state: 'done', counts: { accepted: rows, pending: 0 } });
      expect((await sends.recipients(id)).map(({ number }) => number)).toEqual(
        Array.from({ length: rows }, (_, row) => numberOf(day, row)),
      );
      expect((await sends.events(id)).map(({ action }) => action)).toEqual(
        expect.arrayContaining(['approved', 'sending', 'done']),
      );
    }
  expect(await replies.findByMessageId('S-0-7')).toMatchObject({ sendId: 'S-0', row: 7 });
  expect(await replies.waiting(AT, 10)).toHaveLength(1);
  expect(await audiences.findOptOut(numberOf(0, 0))).toMatchObject({ actor: 'U' });
  expect((await templates.all()).map(({ template }) => template)).toEqual([TEMPLATE]);
  expect(await sends.find(WAITING)).toMatchObject({
    state: 'awaiting_approval',
    digest: `digest of ${WAITING}`,
    recipientCount: ROWS,
  });

  expect(await sends.recoverInterrupted(INTERRUPTED, AT)).toEqual([IN_THE_MIDDLE]);
  const counts = { accepted: 3, rejected: 1, unknown: 1, pending: 5, attempting: 0 };
  expect(await sends.find(IN_THE_MIDDLE)).toMatchObject({ state: 'sending', counts });
  const rest = await sends.claim(IN_THE_MIDDLE, ROWS, AT);
  expect(rest.map(({ row, values }) => [row, values])).toEqual(
    [5, 6, 7, 8, 9].map((row) => [row, [`Person "${row}" 🛵`]]),
  );
  await sends.settle(
    rest.map(({ row }) => ({
      sendId: IN_THE_MIDDLE,
      row,
      outcome: { state: 'accepted', status: 200 },
      settledAt: AT,
    })),
  );
  expect(await sends.find(IN_THE_MIDDLE)).toMatchObject({
    state: 'done',
    counts: { accepted: 8, rejected: 1, unknown: 1, pending: 0 },
  });
}

it('a file of an earlier version goes on', async () => {
  await goesOn(await opened(`file:${earlierFile()}`));
});

it('a file of an earlier version gets the schema of a new one', async () => {
  const earlier = earlierFile();
  const fresh = join(folder, 'fresh.db');
  for (const file of [earlier, fresh]) await (await opened(`file:${file}`)).sends.close();
  open.length = 0;
  const schemaOf = (file: string) =>
    new DatabaseSync(file, { readOnly: true })
      .prepare(
        `SELECT t.type, t.name, c.name AS column, c.type AS holds, c."notnull" AS filled, c.dflt_value AS preset, c.pk
         FROM sqlite_master t LEFT JOIN pragma_table_xinfo(t.name) c ORDER BY t.name, c.name`,
      )
      .all();
  expect(schemaOf(earlier)).toEqual(schemaOf(fresh));
});

await describeWithPostgres('a PostgreSQL database of an earlier version', () => {
  it('goes on', async () => {
    await goesOn(await opened(await earlierServer()));
  });

  it('gets the schema of a new one', async () => {
    const schemaOf = async (url: string) => {
      await opened(url);
      return [
        await directly(
          url,
          `SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default, generation_expression
           FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
        ),
        await directly(url, `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
      ];
    };
    expect(await schemaOf(await earlierServer())).toEqual(await schemaOf(await freshDatabase()));
  });

  it('is written to by that version when the schema is this one’s: replicas of both go on beside each other', async () => {
    const url = await freshDatabase();
    await opened(url);
    const [, rows = ''] = packed('postgres.sql').split(ROWS_BELOW);
    await directly(url, rows.slice(rows.indexOf(';') + 1));
    const [held] = await directly(url, 'SELECT count(*) AS recipients FROM recipients');
    expect(Number(held?.recipients)).toBeGreaterThan(100);
  });
});
