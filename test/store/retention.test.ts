import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import type { NewCustomerEvent } from '../../src/sends/replies/ports.ts';
import { removeOld } from '../../src/sends/retention.ts';
import type { Send } from '../../src/sends/send.ts';
import type { RetentionPeriods } from '../../src/sends/settings.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createManualClock } from '../fakes/clock.ts';
import { contentsOf, describeWithPostgres, preparedDatabase } from '../postgres/database.ts';
import { openedStores } from '../run-command.ts';
import { fileSetting } from './file-setting.ts';
import { showAll, showAnswers } from './shown.ts';
import {
  accepted,
  bulkSend,
  draftedSend,
  endedSend,
  FAILURE,
  listed,
  numberOf,
  oneSend,
  sealSend,
  sendingToMany,
  settleRows,
  UNKNOWN,
} from './steps.ts';

const KEY = 'a-key-that-nobody-guesses';
const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 22);
const OLD = NOW - 100 * DAY;
const PERIODS: RetentionPeriods = { recipients: 90, texts: 60, webhooks: 30, answers: 90, lists: 90 };
const ASHA = '+919812345678' as Msisdn;

function describeRetention(
  name: string,
  setUp: () => Promise<{
    url: string;
    /** All that is stored, as text. */
    contents(): Promise<string>;
  }>,
): void {
  describe(`${name} and what is old`, () => {
    let url: string;
    let contents: () => Promise<string>;
    let stores: Stores;
    beforeEach(async () => {
      ({ url, contents } = await setUp());
      stores = await openedStores(url, KEY);
    });
    afterEach(() => stores.sends.close());

    /** A send to many, of whose end everybody was told. */
    async function sent(
      id: string,
      at: number,
      rows: number,
      over: Partial<Parameters<Stores['sends']['begin']>[0]> = {},
      isTold: (mark: string) => boolean = () => true,
    ) {
      const { sends } = stores;
      const numbers = Array.from({ length: rows }, (_, row) => numberOf(row));
      const recipients = numbers.map((number, row) => ({ row, number, values: [`value-${row}`] }));
      await sendingToMany(sends, id, recipients, at, over);
      await sends.claim(id, rows, at);
      const unknown = { state: 'unknown', failure: { ...FAILURE, explanation: 'no route' } } as const;
      const outcomes = recipients.map(({ row }) => (row % 2 === 0 ? accepted(`m-${id}-${row}`) : unknown));
      await settleRows(sends, id, outcomes, at);
      await told(id, isTold);
    }

    /** As if these posts of a send stood in Slack. */
    const told = (id: string, isTold: (mark: string) => boolean = () => true) =>
      showAll(stores.posts, NOW, (mark) => (mark.endsWith(id) && isTold(mark) ? {} : undefined));

    async function sentToOne(id: string, at: number, isTold = true): Promise<void> {
      await endedSend(stores.sends, id, [[ASHA, UNKNOWN]], at, { createdAt: at });
      if (isTold) await told(id);
    }

    async function removed(periods = PERIODS, at = NOW) {
      const clock = { ...createManualClock(at), sleep: async () => {} };
      const stopping = new AbortController().signal;
      return removeOld(periods, { store: stores.retention, audiences: stores.audiences, clock, stopping });
    }

    it('leaves of an old send its counts, its record and names that are the same each time', async () => {
      await sent('S-1', OLD, 603);
      await sent('S-2', OLD, 3);
      const before = await stores.sends.find('S-1');
      expect(await removed({ recipients: 90 })).toEqual({ recipients: 606 });
      expect(await removed({ recipients: 90 })).toEqual({});
      const after = await stores.sends.find('S-1');
      expect(after).toEqual({ ...before, removedAt: NOW });
      const pseudonym = createPseudonym(KEY);
      const rows = await stores.sends.recipients('S-1');
      expect(rows.map(({ number }) => number)).toEqual(rows.map(({ row }) => pseudonym(numberOf(row))));
      expect(new Set(rows.flatMap((one) => Object.keys(one)))).toEqual(
        new Set(['sendId', 'row', 'number', 'state', 'status', 'failure', 'attemptedAt', 'settledAt']),
      );
      expect(rows[1]?.failure).toEqual(FAILURE);
      expect((await stores.sends.events('S-1')).at(-1)).toEqual({
        sendId: 'S-1',
        at: NOW,
        actor: 'herald',
        action: 'numbers_removed',
      });
      expect(await contents()).not.toMatch(/\+9198|value-|m-S-/);
    });

    it('removes the texts and links of sends to one and to many', async () => {
      await sentToOne('S-1', OLD);
      await sent('S-2', OLD, 2, { message: { ...oneSend('').message, text: 'A word' } as Send['message'] });
      expect(await removed({ texts: 90 })).toEqual({ texts: 2 });
      for (const id of ['S-1', 'S-2'])
        expect(await stores.sends.find(id)).toMatchObject({
          message: { kind: 'sms', sender: 'ACMEIN', text: '(removed)' },
          removedAt: NOW,
        });
      expect((await stores.sends.recipients('S-1'))[0]?.number).toBe(ASHA);
      // That texts are gone is no event that keeps the numbers for longer.
      expect(await removed({ recipients: 90 })).toEqual({ recipients: 3 });
      expect(await contents()).not.toMatch(/Hello|A word/);
    });

    it('touches nothing that is young, has not ended, was not told, or is tried again', async () => {
      await sent('S-young', NOW - 89 * DAY, 2);
      const { sends } = stores;
      await draftedSend(sends, 'S-open', 1, { createdAt: OLD });
      const approval = { needed: 1, expiresAt: NOW + DAY };
      await sealSend(sends, 'S-open', { to: 'awaiting_approval', at: OLD, approval });
      await sends.create({ ...oneSend('S-pending'), createdAt: OLD });
      // Of one the record was not told, of one the end, and of one to one person anything.
      await sent('S-record', OLD, 1, {}, (mark) => !mark.startsWith('news:'));
      await sent('S-end', OLD, 1, {}, (mark) => !mark.startsWith('report:'));
      await sentToOne('S-single', OLD, false);
      await sent('S-retried', OLD, 2);
      const again = { createdAt: NOW, retryOf: 'S-retried', retryGroup: 'unknown' } as const;
      await sends.begin({ ...bulkSend('S-retry'), ...again });
      // Asked for long ago, and stopped only now.
      await sends.begin({ ...bulkSend('S-late'), createdAt: OLD });
      await sends.moveSend({ sendId: 'S-late', from: 'draft', to: 'cancelled', at: NOW - DAY, actor: 'U' });
      await told('S-late');
      expect(await removed({ recipients: 90, texts: 90 })).toEqual({});
      for (const id of ['S-record', 'S-end']) await told(id);
      expect(await removed({ recipients: 90, texts: 90 })).toEqual({ recipients: 2, texts: 2 });
    });

    it('forgets with a number what its owner read', async () => {
      await sent('S-1', NOW - 2 * DAY, 4);
      const { sends } = stores;
      const at = NOW - 2 * DAY;
      const asked = { number: numberOf(9), reading: { seen: 'a', at } };
      const { number, reading } = asked;
      await endedSend(sends, 'S-2', [[number, accepted('m')]], at, { createdAt: at, reading });
      await told('S-2');
      expect(await sends.gotSince([asked], NOW - 3 * DAY)).toMatchObject([{ sendId: 'S-2', at }]);
      await removed({ recipients: 1 });
      expect(await sends.gotSince([asked], NOW - 3 * DAY)).toEqual([]);
    });

    it('counts for the frequency cap whoever has another name now', async () => {
      await sent('S-1', NOW - 2 * DAY, 4);
      const asked = [numberOf(0), numberOf(1), numberOf(9)];
      const counted = async () => [await stores.sends.hadEnough(asked, 1, NOW - 3 * DAY)];
      const before = await counted();
      expect(before).toEqual([new Set([numberOf(0), numberOf(1)])]);
      expect(await removed({ recipients: 1 })).toEqual({ recipients: 4 });
      expect(await counted()).toEqual(before);
      const { sends } = stores;
      const again = asked.map((number, row) => ({ row, number, values: [] }));
      await sendingToMany(sends, 'S-2', again, NOW);
      const recipients = await sends.claim('S-2', 3, NOW);
      const asks = { sendId: 'S-2', recipients, most: 1, since: NOW - 3 * DAY, failure: FAILURE, at: NOW };
      expect(await sends.skipOverCap(asks)).toEqual([0, 1]);
    });

    it('knows for what is tried again who was reached, whoever has another name now', async () => {
      await sent('S-1', NOW - 2 * DAY, 4);
      expect(await removed({ recipients: 1 })).toEqual({ recipients: 4 });
      const asked = [numberOf(0), numberOf(9)].map((number, row) => ({ row, number, values: [] }));
      await sendingToMany(stores.sends, 'S-2', asked, NOW, { retryOf: 'S-1', retryGroup: 'failed' });
      const recipients = await stores.sends.claim('S-2', 2, NOW);
      const asks = { sendId: 'S-2', recipients, failure: FAILURE, state: 'skipped', at: NOW } as const;
      expect(await stores.sends.skipTaken(asks)).toEqual([0]);
    });

    it('goes on in the middle of a send after a restart', async () => {
      await sent('S-1', OLD, 700);
      await stores.retention.removeNumbers(NOW - 90 * DAY, NOW);
      expect((await stores.sends.find('S-1'))?.removedAt).toBe(NOW);
      expect(
        (await stores.sends.recipients('S-1')).filter(({ number }) => number.startsWith('#')),
      ).toHaveLength(500);
      await stores.sends.close();
      stores = await openedStores(url, KEY);
      expect(await removed({ recipients: 90 }, NOW + 1)).toEqual({ recipients: 200 });
      expect((await stores.sends.recipients('S-1')).every(({ number }) => number.startsWith('#'))).toBe(true);
      expect(
        (await stores.sends.events('S-1')).filter(({ action }) => action === 'numbers_removed'),
      ).toHaveLength(1);
    });

    describe('of what the service has posted', () => {
      const tap = (key: string, label: string): NewCustomerEvent => ({
        key,
        event: { kind: 'reply', replyId: label, title: label, from: ASHA },
        sendId: 'S-1',
        label,
        optedOut: false,
      });
      const words = (key: string): NewCustomerEvent => ({
        key,
        event: { kind: 'text', text: 'Is my parcel lost?', from: ASHA },
        optedOut: false,
      });

      async function posted(digest: string, receivedAt: number, events: readonly NewCustomerEvent[]) {
        const body = Buffer.from(`secret ${digest}`).toString('base64');
        await stores.replies.keep([{ digest, receivedAt, body, sender: ASHA }], 1);
        const kept = (await stores.replies.waiting(receivedAt, 9)).find((one) => one.digest === digest);
        await stores.replies.record([{ webhookId: kept?.id ?? -1, events, deliveries: [] }]);
        await showAnswers(stores, receivedAt, { place: { channelId: 'C', ts: '8' }, threadTs: '7' });
      }

      it('the bodies go, and the answers stay until it is their turn', async () => {
        await sent('S-1', OLD, 2);
        await posted('report', OLD, []);
        await posted('words', OLD, [words('k1')]);
        await posted('young', NOW, [words('k2')]);
        expect(await removed({ webhooks: 30 })).toEqual({ webhooks: 2 });
        expect(await removed({ webhooks: 30 })).toEqual({});
        expect(await stores.replies.answersOf(ASHA, { limit: 9 })).toHaveLength(2);
        expect(await contents()).not.toMatch(/secret (report|words)/);
        expect(await removed({ answers: 90 })).toEqual({ answers: 1 });
        expect((await stores.replies.answersOf(ASHA, { limit: 9 })).map(({ key }) => key)).toEqual(['k2']);
        expect(await stores.conversations.inThread({ channelId: 'C', threadTs: '7' }, 9)).toHaveLength(1);
      });

      it('a button that somebody chose counts for one person, also when they choose another much later', async () => {
        await sent('S-1', OLD, 2);
        await posted('tap', OLD, [tap('k1', 'Yes')]);
        expect(await removed({ answers: 90 })).toEqual({ answers: 1 });
        expect(await contents()).not.toContain(ASHA);
        expect((await stores.replies.summary('S-1')).tally).toEqual([{ label: 'Yes', count: 1 }]);
        await posted('again', NOW, [tap('k2', 'No')]);
        expect((await stores.replies.summary('S-1')).tally).toEqual([{ label: 'No', count: 1 }]);
        // Seen before: the key stays.
        await posted('repeated', NOW + 9, [tap('k1', 'Yes')]);
        expect((await stores.replies.summary('S-1')).tally).toEqual([{ label: 'No', count: 1 }]);
      });

      it('nothing goes that was not dealt with, or of which nobody was told', async () => {
        await stores.replies.keep([{ digest: 'waiting', receivedAt: OLD, body: '' }], 1);
        await stores.replies.keep([{ digest: 'untold', receivedAt: OLD + 1, body: '' }], 1);
        const [, untold] = await stores.replies.waiting(NOW, 9);
        await stores.replies.record([{ webhookId: untold?.id ?? -1, events: [words('k1')], deliveries: [] }]);
        expect(await removed({ webhooks: 30, answers: 30 })).toEqual({});
        expect(await stores.replies.waiting(NOW, 9)).toHaveLength(1);
        expect(await showAnswers(stores, NOW)).toMatchObject([{ events: [{ key: 'k1' }] }]);
      });
    });

    it('lists go, saved ones too, unless a send was asked for with them since, or has not ended', async () => {
      const { audiences, sends } = stores;
      const counts = { read: 1, valid: 1, invalid: 0, duplicate: 0, optedOut: 0, other: 0 };
      for (const id of ['A-saved', 'A-used', 'A-open', 'A-sent']) {
        await audiences.begin({ id, source: 'file', columns: ['name'], createdBy: 'U', createdAt: OLD });
        await audiences.append(id, listed({ row: 1, number: ASHA, values: [`name of ${id}`] }), []);
        await audiences.finish(id, counts as never, 'd');
        await audiences.save(id, id);
      }
      await sent('S-1', OLD, 1, { audience: { id: 'A-sent', columns: [] } });
      await sent('S-2', NOW - DAY, 1, { audience: { id: 'A-used', columns: [] } });
      await sends.begin({ ...bulkSend('S-3'), createdAt: OLD, audience: { id: 'A-open', columns: [] } });
      expect(await removed({ lists: 90 })).toEqual({ lists: 2 });
      expect((await audiences.list(9)).map(({ id }) => id)).toEqual(['A-open', 'A-used']);
      expect(await contents()).not.toMatch(/name of A-s/);
    });

    it('can remove no number without the key of their names', async () => {
      await sent('S-1', OLD, 1);
      await stores.sends.close();
      stores = await openedStores(url);
      await expect(removed({ recipients: 90 })).rejects.toThrow('PSEUDONYM_KEY');
      expect((await stores.sends.find('S-1'))?.removedAt).toBeUndefined();
    });
  });
}

const { file: path } = fileSetting();

describeRetention('SQLite', async () => ({
  url: `file:${path()}`,
  contents: async () => contentsOfFile(path()),
}));

function contentsOfFile(path: string): string {
  const file = new DatabaseSync(path, { readOnly: true });
  const tables = file.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  const rows = tables.flatMap(({ name }) => file.prepare(`SELECT * FROM ${String(name)}`).all());
  file.close();
  const asText = (_key: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value;
  return JSON.stringify(rows, asText);
}

await describeWithPostgres('on PostgreSQL', () => {
  describeRetention('PostgreSQL', async () => {
    const url = await preparedDatabase();
    return { url, contents: () => contentsOf(url) };
  });
});

describe('the room of what was removed', () => {
  it('goes back to the disk', async () => {
    await (await openedStores(`file:${path()}`)).sends.close();
    const file = new DatabaseSync(path());
    file.exec('CREATE TABLE filling (text TEXT)');
    file.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO filling SELECT hex(randomblob(2000)) FROM n`);
    file.exec('DELETE FROM filling');
    file.close();
    const before = statSync(path()).size;
    const { retention, audiences, sends } = await openedStores(`file:${path()}`);
    let steps = 0;
    while ((await retention.giveBack()) > 0) steps += 1;
    expect(steps).toBeGreaterThan(2);
    expect(await audiences.countOptOuts()).toBe(0);
    await sends.close();
    expect(statSync(path()).size).toBeLessThan(before / 5);
    using database = new DatabaseSync(path());
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });
});
