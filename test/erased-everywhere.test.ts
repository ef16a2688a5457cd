import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import type { Alert, AlertEvent } from '../src/sends/alerts/alert.ts';
import type { Stores } from '../src/store/stores.ts';
import { describeWithPostgres, directly, preparedDatabase } from './postgres/database.ts';
import { openedStores, typed } from './run-command.ts';
import { bulkSend } from './store/bulk-send.ts';
import { listed } from './store/listed.ts';
import { oneSend } from './store/one-send.ts';

const KEY = 'a-key-that-nobody-guesses';
/** One person, as a list has the number and as the chat platform writes it; and somebody else. */
const ANA = '+525512345678' as Msisdn;
const ANA_REPORTED = '+5215512345678' as Msisdn;
const LUZ = '+525512345670' as Msisdn;
/** With and without `+`, and national. */
const OF_ANA = /5512345678/;
const FAILURE = { what: 'It was lost.', next: 'Look.', scope: 'recipient' } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-erased-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A life in which both got messages, answered, tapped, were reported of, stood in lists, and in the words of an alert. */
async function live(stores: Stores): Promise<void> {
  const { sends, replies, audiences, drafts, alerts } = stores;
  const both = [ANA, LUZ];
  for (const [index, number] of both.entries())
    await sends.create({ ...oneSend(`S-${index}`), recipients: [{ number }] });
  await sends.begin(bulkSend('S-many'));
  const rows = [ANA_REPORTED, LUZ].map((number, row) => ({ row, number, values: [`of ${number}`] }));
  await sends.addRecipients('S-many', rows);
  const odd = { count: 1, row: 0, column: 'name', value: `of ${ANA}` };
  const survey = { recipients: 2, odd, rows: [] };
  await sends.seal({ sendId: 'S-many', digest: 'd', to: 'approved', at: 2, actor: 'U', survey });
  for (const sendId of ['S-0', 'S-1', 'S-many']) {
    await sends.moveSend({ sendId, from: 'approved', to: 'sending', at: 4, actor: 'U' });
    const claimed = await sends.claim(sendId, 9, 5);
    await sends.settle(
      claimed.map(({ row }) => ({
        ...{ sendId, row, settledAt: 6 },
        outcome:
          sendId === 'S-many'
            ? { state: 'unknown', failure: FAILURE }
            : { state: 'accepted', status: 200, messageId: `m-${sendId}` },
      })),
    );
  }
  for (const [index, number] of [ANA, ANA_REPORTED, LUZ].entries()) {
    const written = (text: string) => Buffer.from(`${text} of ${number.slice(1)}`).toString('base64');
    const common = { receivedAt: 7, sender: number };
    await replies.keep(
      [
        { ...common, digest: `words ${index}`, body: written('words') },
        { ...common, digest: `report ${index}`, body: written('report') },
      ],
      1,
    );
    const tap = { kind: 'reply', replyId: 'y', title: 'Yes', from: number } as const;
    const events = [
      { key: `t${index}`, event: tap, sendId: 'S-many', label: 'Yes', optedOut: false },
      { key: `w${index}`, event: { kind: 'text', text: `I am ${number}`, from: number }, optedOut: false },
    ] as const;
    const [words, report] = await replies.waiting(9, 9);
    const sendId = number === LUZ ? 'S-1' : 'S-0';
    await replies.record([
      { webhookId: words?.id ?? 0, events, deliveries: [] },
      {
        ...{ webhookId: report?.id ?? 0, events: [] },
        deliveries: [{ sendId, row: 0, status: 'delivered', at: 8 }],
      },
    ]);
  }
  // Luz gives the number of Ana.
  const values = [{ name: 'phone_number', value: ANA.slice(1) }];
  await replies.keep([{ digest: 'address', receivedAt: 9, body: '', sender: LUZ }], 1);
  const [address] = await replies.waiting(9, 9);
  const event = { kind: 'address', values, from: LUZ } as const;
  await replies.record([
    {
      webhookId: address?.id ?? 0,
      events: [{ key: 'a', event, sendId: 'S-many', optedOut: false }],
      deliveries: [],
    },
  ]);
  await audiences.begin({ id: 'A-1', source: 'file', columns: ['name'], createdBy: 'U', createdAt: 1 });
  const exclusions = ['55-1234-5678', ANA_REPORTED].map((value, index) => ({
    ...{ row: 9 + index, value, cause: 'duplicate' as const, reason: 'Twice.' },
  }));
  await audiences.append(
    'A-1',
    listed(...both.map((number, row) => ({ row, number, values: [number] }))),
    exclusions,
  );
  await audiences.finish('A-1', { read: 3, valid: 2 } as never, 'd');
  await audiences.save('A-1', 'friends');
  const draft = { to: ANA_REPORTED, text: 'Hello' } as never;
  await drafts.save({ owner: 'U', kind: 'sms', name: 'draft', values: draft, savedAt: 1 });
  const text = `${ANA} cannot pay, nor can ${ANA_REPORTED.slice(1)}`;
  const told: AlertEvent = {
    ...{ eventId: 'Ev1', channelId: 'C', ts: '1.1', eventTs: '1.1', author: {}, receivedAt: 1 },
    kind: 'posted',
    text,
  };
  await alerts.keep([told]);
  const [waiting] = await alerts.waiting(9);
  const { version } = await alerts.state({ recent: 0, openSince: 0, ids: [] });
  const alert: Alert = {
    ...{ id: 'L-1', rule: 'r', channelId: 'C', ts: '1.1', threadTs: '1.1', fingerprint: 'f', title: text },
    ...{ text, postedAt: 1, receivedAt: 1, repeats: 0, steps: [] },
    state: 'resolved',
  };
  const events = [{ id: waiting?.id ?? 0, decisions: [] }];
  await alerts.commit(version, { events, alerts: [alert] }, 2);
}

type Rows = readonly Record<string, unknown>[];

/** Where the number is still found: `table.column`, of all that the schema has. */
async function placesOf(query: (sql: string) => Promise<Rows>, tables: string): Promise<readonly string[]> {
  const places: string[] = [];
  const names = (await query(tables)).map(({ name }) => String(name));
  expect(names.length).toBeGreaterThan(20);
  for (const table of names)
    for (const row of await query(`SELECT * FROM ${table}`))
      for (const [column, value] of Object.entries(row)) {
        const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
        if (OF_ANA.test(text.replaceAll(/[ ()-]/g, ''))) places.push(`${table}.${column}`);
      }
  return [...new Set(places)].toSorted();
}

function describeErasing(
  name: string,
  setUp: () => Promise<{ url: string; places(): Promise<readonly string[]> }>,
): void {
  describe(`on ${name}`, () => {
    it.each([ANA, ANA_REPORTED])('erase %s leaves the number in no column of any table', async (erased) => {
      const { url, places } = await setUp();
      const stores = await openedStores(url, KEY);
      await live(stores);
      // What retention leaves of a tap, and what an earlier version left beside it.
      await stores.retention.removeAnswers(8);
      await stores.sends.close();
      expect((await places()).length).toBeGreaterThan(8);
      const { code, said } = await typed(['erase', erased], { DATABASE_URL: url, PSEUDONYM_KEY: KEY });
      expect([code, said]).toEqual([0, expect.stringMatching(/^Erased from messages \(2\)/)]);
      expect(await places()).toEqual([]);
    });
  });
}

describeErasing('SQLite', async () => {
  const file = join(folder, 'herald.db');
  const query = async (sql: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };
  const tables = `SELECT name FROM sqlite_master WHERE type = 'table'`;
  return { url: `file:${file}`, places: () => placesOf(query, tables) };
});

await describeWithPostgres('of PostgreSQL', () => {
  describeErasing('PostgreSQL', async () => {
    const url = await preparedDatabase();
    const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
    return { url, places: () => placesOf((sql) => directly(url, sql), tables) };
  });
});
