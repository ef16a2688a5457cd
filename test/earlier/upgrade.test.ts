import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import type { SendState } from '../../src/sends/send.ts';
import type { Stores } from '../../src/store/stores.ts';
import { ownFolder } from '../folder.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { openedStores } from '../run-command.ts';
import { showAnswers } from '../store/shown.ts';
import { AT, CUSTOMER, FAILURE, numberOf, ROWS, sendIn, TEMPLATE, WAYS, WORDS } from './life.ts';
import { fillServer, frozen, read, unpackFile, unpackServer } from './packed.ts';

/* Databases as 0.1.0 has left them, brought up to date and gone on with; how they were made: pack.ts. */

const LATER = AT + 1;

const at = ownFolder();
const open: Stores[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.sends.close();
});

async function opened(url: string): Promise<Stores> {
  const stores = await openedStores(url);
  open.push(stores);
  return stores;
}

function earlierFile(): string {
  const file = at('herald.db');
  unpackFile(file);
  return file;
}

async function earlierServer(): Promise<string> {
  const url = await freshDatabase();
  await unpackServer(url);
  return url;
}

/** Nothing is lost, and a send that was broken off goes on with those who were not tried. */
async function goesOn(stores: Stores): Promise<void> {
  await keepsEverything(stores);
  const { sends } = stores;
  const [going, paused] = [sendIn('sending'), sendIn('paused')];
  expect((await sends.recoverInterrupted(INTERRUPTED, LATER)).toSorted()).toEqual(
    [paused, going, sendIn('stopped')].toSorted(),
  );
  const failed = { rejected: 1, not_sent: 1, unknown: 2, skipped: 1 };
  expect(await sends.find(going)).toMatchObject({
    state: 'sending',
    counts: { ...failed, accepted: 1, pending: 1, attempting: 0 },
  });
  const rest = await sends.claim(going, ROWS, LATER);
  expect(rest.map(({ row, values }) => [row, values])).toEqual([[ROWS - 1, [WORDS]]]);
  const outcome = { state: 'accepted', status: 200 } as const;
  await sends.settle(rest.map(({ row }) => ({ sendId: going, row, outcome, settledAt: LATER })));
  const counts = { ...failed, accepted: 2, pending: 0 };
  expect(await sends.find(going)).toMatchObject({ state: 'done', counts });
}

async function keepsEverything({ sends, audiences, templates, drafts, ...rest }: Stores): Promise<void> {
  for (const state of Object.keys(WAYS) as SendState[]) {
    const id = sendIn(state);
    expect(await sends.find(id)).toMatchObject({ id, state, audience: { columns: ['name'] } });
    expect((await sends.recipients(id)).map(({ number }) => number)).toEqual(
      Array.from({ length: ROWS + 1 }, (_, row) => numberOf(row)),
    );
    const actions = (await sends.events(id)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining([...(WAYS[state] ?? [])].slice(1)));
  }
  const failures = await sends.failures(sendIn('sending'));
  const failure = { ...FAILURE, explanation: 'No route.' };
  expect(failures).toContainEqual({ state: 'rejected', count: 1, failure });
  expect(await sends.approvals(sendIn('awaiting_approval'))).toEqual([{ userId: 'V', at: AT }]);
  const { replies, posts, conversations, alerts, notices, inputs } = rest;
  await replies.indexIds();
  expect(await replies.findByMessageId(`m-${sendIn('done')}-4`)).toMatchObject({ row: 4 });
  expect(await replies.waiting(LATER, 10)).toMatchObject([{ digest: 'waiting' }]);
  expect(await replies.summary(sendIn('done'))).toMatchObject({ delivered: 1, failed: 1 });
  expect(await showAnswers({ replies, posts }, LATER)).toMatchObject([{ events: [{ key: 'words' }] }]);
  const thread = { channelId: 'C', threadTs: '2' };
  expect(await conversations.claimHint(thread, 'U')).toBe(false);
  expect(await audiences.findOptOut(numberOf(ROWS + 1))).toMatchObject({ actor: 'U' });
  expect(await audiences.optOutRemovals(0, 10)).toHaveLength(1);
  expect(await audiences.findByName('regulars')).toMatchObject({ id: 'A-KEPT' });
  expect(await audiences.rows('A-KEPT', 0, 10)).toEqual([{ row: 1, number: CUSTOMER, values: [WORDS] }]);
  expect(await audiences.exclusions('A-KEPT', 0, 10)).toMatchObject([{ value: 'nobody' }]);
  expect((await templates.all()).map(({ template }) => template)).toEqual([TEMPLATE]);
  expect(await drafts.names('U', 'sms')).toEqual(['Monday']);
  expect(await alerts.find('L-1')).toMatchObject({ rule: 'disk', text: WORDS });
  expect(await alerts.waiting(10)).toMatchObject([{ eventId: 'E-2' }]);
  expect(await alerts.numbers()).toEqual([{ userId: 'U', number: CUSTOMER, at: AT, by: 'U' }]);
  expect(await notices.find(`1-${AT}`)).toEqual({ name: 'disk', what: 'The disk is full.', since: AT });
  expect(await inputs.counts('webhook', ['5'])).toEqual([{ id: '5', attempts: 1 }]);
}

it('the schema of 0.1.0 is as it was released: never change it, add a migration', () => {
  // Until 0.1.0 is released, `npx node test/earlier/pack.ts` after a change of it.
  expect(frozen()).toEqual(read().frozen);
});

it('a file of 0.1.0 goes on', async () => {
  await goesOn(await opened(`file:${earlierFile()}`));
});

it('a file of 0.1.0 gets the schema of a new one', async () => {
  const earlier = earlierFile();
  const fresh = at('fresh.db');
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

await describeWithPostgres('a PostgreSQL database of 0.1.0', () => {
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
    await fillServer(url);
    const [held] = await directly(url, 'SELECT count(*) AS recipients FROM recipients');
    expect(Number(held?.recipients)).toBeGreaterThan(50);
  });
});
