import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../src/messages/numbers/pseudonym.ts';
import type { Alert, AlertEvent } from '../src/sends/alerts/alert.ts';
import type { Stores } from '../src/store/stores.ts';
import { ownFolder } from './folder.ts';
import { contentsOf, describeWithPostgres, freshDatabase } from './postgres/database.ts';
import { openedStores, typed } from './run-command.ts';
import {
  accepted,
  bulkSend,
  FAILURE,
  listed,
  oneSend,
  sealSend,
  settleRows,
  startSending,
} from './store/steps.ts';

const KEY = 'a-key-that-nobody-guesses';
/** One person, as a list has the number and as the chat platform writes it; and somebody else. */
const ASHA = '+525512345678' as Msisdn;
const ASHA_REPORTED = '+5215512345678' as Msisdn;
const RAVI = '+525512345670' as Msisdn;
/** With and without `+`, and national; without what people write between digits. */
const OF_ASHA = /Asha|(?:\+?521?)?5512345678/g;
const inOneSpelling = (text: string) => text.replaceAll(/[ ()-]/g, '');

const at = ownFolder();

const opened = (url: string) => openedStores(url, KEY);

function describePerson(
  name: string,
  setUp: () => Promise<{
    url: string;
    /** All that lies on the disk of it, as far as that can be looked at. */
    contents(): Promise<string>;
    /** Whether Herald may run beside `erase`. */
    besides: boolean;
  }>,
): void {
  describe(`on ${name}`, () => {
    let url: string;
    let contents: () => Promise<string>;
    let besides: boolean;
    let stores: Stores | undefined;
    beforeEach(async () => {
      ({ url, contents, besides } = await setUp());
      stores = await opened(url);
      await fill(stores);
    });
    afterEach(stop);

    async function stop(): Promise<void> {
      await stores?.sends.close();
      stores = undefined;
    }

    const env = () => ({ DATABASE_URL: url, PSEUDONYM_KEY: KEY });

    it('export writes all that is kept of a number, also while Herald runs, and of nobody else', async () => {
      const path = at('asha.json');
      expect(await typed(['export', ASHA, path], env())).toEqual({
        code: 0,
        said: `What is kept of the number is in ${path}.`,
      });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const text = readFileSync(path, 'utf8');
      expect(text).not.toMatch(/Ravi|12345670/);
      expect(JSON.parse(text)).toEqual({
        number: ASHA,
        messages: [
          {
            ...{ send: 'S-many', askedAt: '1970-01-01T00:00:00.001Z', askedBy: 'U', outcome: 'unknown' },
            message: { ...oneSend('').message },
            values: ['Asha of the list'],
            why: 'It was lost.',
            attemptedAt: '1970-01-01T00:00:00.005Z',
          },
          {
            ...{ send: 'S-one', askedAt: '1970-01-01T00:00:00.001Z', askedBy: 'U0ASHA', outcome: 'accepted' },
            message: { ...oneSend('').message, text: 'Dear Asha' },
            attemptedAt: '1970-01-01T00:00:00.005Z',
            delivery: { status: 'delivered', at: '1970-01-01T00:00:00.008Z' },
          },
        ],
        answers: [
          {
            receivedAt: '1970-01-01T00:00:00.007Z',
            answer: { kind: 'text', text: 'It is Asha', from: ASHA },
          },
          { receivedAt: '1970-01-01T00:00:00.007Z', send: 'S-many', answer: expect.anything() },
        ],
        lists: [{ name: 'friends', createdAt: '1970-01-01T00:00:00.001Z', values: ['Asha in a list'] }],
        optedOut: { at: '1970-01-01T00:00:00.003Z', by: 'herald', from: 'reply' },
      });
      const again = await typed(['export', ASHA, path], env());
      expect([again.code, again.said]).toEqual([1, expect.stringContaining('could not be written')]);
    });

    it.each([ASHA, ASHA_REPORTED])(
      'erase %s leaves nothing but that it opted out, and of all others everything',
      async (number) => {
        if (!besides) {
          const running = await typed(['erase', number], env());
          expect([running.code, running.said]).toEqual([
            1,
            expect.stringContaining('is in use by another Herald'),
          ]);
          await stop();
        }
        const erased = await typed(['erase', number], env());
        expect(erased).toEqual({
          code: 0,
          said: [
            'Erased from messages (2), answers (2) and rows of lists (1).',
            'It stays on the opt-out list, so that nobody writes to it again.',
            'Backups hold it until they are deleted: after a restore, do the same again. What was posted in Slack stays there.',
          ].join('\n'),
        });
        await stop();
        const left = await contents();
        expect(inOneSpelling(left).match(OF_ASHA)).toEqual([ASHA]);
        expect(left).toContain('Ravi of the list');

        stores = await opened(url);
        const { sends, replies, audiences } = stores;
        expect(await audiences.findOptOut(ASHA)).toMatchObject({ number: ASHA, source: 'reply' });
        const rows = await sends.recipients('S-many');
        expect(rows).toMatchObject([
          { number: createPseudonym(KEY)(number), state: 'unknown' },
          { number: RAVI, state: 'unknown', values: ['Ravi of the list'] },
        ]);
        expect(await sends.find('S-one')).toMatchObject({
          message: { text: '(removed)' },
          removedAt: expect.anything(),
        });
        expect((await sends.find('S-many'))?.removedAt).toBeUndefined();
        expect((await replies.summary('S-many')).tally).toEqual([{ label: 'Yes', count: 1 }]);
        expect(await sends.hadEnough([ASHA, RAVI], 1, 0)).toEqual(new Set([ASHA, RAVI]));
        for (const id of ['S-one', 'S-many'])
          expect((await sends.events(id)).at(-1)).toMatchObject({ actor: 'herald', action: 'erased' });
        expect(await typed(['export', ASHA, at('after.json')], env())).toMatchObject({ code: 0 });
        const after = JSON.parse(readFileSync(at('after.json'), 'utf8'));
        expect(after).toMatchObject({ messages: [], answers: [], lists: [] });
      },
    );

    it('erase removes nothing while a send that has not ended holds the number, or has yet to come to it', async () => {
      await stores?.sends.create({ ...oneSend('S-open'), recipients: [{ number: ASHA }] });
      for (const more of [
        { id: 'S-list', audience: { id: 'A-1', columns: ['name'] } },
        { id: 'S-again', audience: { id: 'A-2', columns: [] }, retryOf: 'S-many', retryGroup: 'unknown' },
        { id: 'S-other', audience: { id: 'A-2', columns: [] } },
      ] as const)
        await stores?.sends.begin({ ...bulkSend(more.id), ...more });
      await stop();
      const before = (await contents()).match(OF_ASHA)?.length;
      expect(before).toBeGreaterThan(10);
      expect(await typed(['erase', ASHA], env())).toEqual({
        code: 1,
        said: 'Sends that have not ended hold this number (3): S-open, S-again, S-list. Nothing was erased. Stop them or wait for their end, and do the same again.',
      });
      expect((await contents()).match(OF_ASHA)).toHaveLength(before ?? 0);
    });
  });
}

/** Asha and Ravi, in everything that keeps numbers. */
async function fill(stores: Stores): Promise<void> {
  await fillSends(stores);
  await fillReplies(stores);
  await fillLists(stores);
  await fillAlerts(stores);
}

async function fillSends({ sends }: Stores): Promise<void> {
  await sends.create({
    ...oneSend('S-one'),
    message: { ...oneSend('').message, text: 'Dear Asha' } as never,
    recipients: [{ number: ASHA }],
  });
  await sends.begin(bulkSend('S-many'));
  await sends.addRecipients('S-many', [
    { row: 0, number: ASHA_REPORTED, values: ['Asha of the list'] },
    { row: 1, number: RAVI, values: ['Ravi of the list'] },
  ]);
  const odd = { count: 1, row: 0, column: 'name', value: `Asha of ${ASHA}` };
  await sealSend(sends, 'S-many', { survey: { recipients: 2, odd, rows: [] } });
  const unknown = { state: 'unknown', failure: FAILURE } as const;
  for (const [sendId, ...outcomes] of [
    ['S-one', accepted('m-1')],
    ['S-many', unknown, unknown],
  ] as const) {
    await startSending(sends, sendId, 4);
    await sends.claim(sendId, 9, 5);
    await settleRows(sends, sendId, outcomes, 6);
  }
}

async function fillReplies({ replies }: Stores): Promise<void> {
  const kept = (digest: string, sender: Msisdn, text: string) => {
    return { digest, receivedAt: 7, sender, body: Buffer.from(text).toString('base64') };
  };
  const posted = [
    kept('words', ASHA, 'It is Asha'),
    kept('report', ASHA_REPORTED, `{"to":"${ASHA_REPORTED.slice(1)}","who":"Asha"}`),
    kept('ravi', RAVI, 'It is Ravi'),
  ];
  await replies.keep(posted, 1);
  const tap = { kind: 'reply', replyId: 'y', title: 'Yes', from: ASHA_REPORTED } as const;
  const asha = [
    { key: 'k1', event: { kind: 'text', text: 'It is Asha', from: ASHA }, optedOut: true },
    { key: 'k2', event: tap, sendId: 'S-many', label: 'Yes', optedOut: false },
  ] as const;
  // Ravi gives the number of Asha.
  const values = [{ name: 'phone_number', value: ASHA.slice(1) }];
  const ravi = [
    { key: 'k3', event: { kind: 'text', text: 'It is Ravi', from: RAVI }, optedOut: false },
    { key: 'k4', event: { kind: 'address', values, from: RAVI }, sendId: 'S-many', optedOut: false },
  ] as const;
  const deliveries = [{ sendId: 'S-one', row: 0, status: 'delivered', at: 8 }] as const;
  await replies.record([
    { webhookId: 1, events: asha, deliveries: [] },
    { webhookId: 2, events: [], deliveries },
    { webhookId: 3, events: ravi, deliveries: [] },
  ]);
}

async function fillLists({ audiences, drafts }: Stores): Promise<void> {
  await audiences.begin({ id: 'A-1', source: 'file', columns: ['name'], createdBy: 'U', createdAt: 1 });
  const excluded = ['55 (1234)-5678', ASHA_REPORTED].map((value, index) => {
    return { row: 3 + index, value, cause: 'duplicate', reason: 'Like Asha.' } as const;
  });
  await audiences.append(
    'A-1',
    listed(
      { row: 1, number: ASHA, values: ['Asha in a list'] },
      { row: 2, number: RAVI, values: ['Ravi in a list'] },
    ),
    excluded,
  );
  await audiences.finish('A-1', { read: 3, valid: 2 } as never, 'd');
  await audiences.save('A-1', 'friends');
  await audiences.optOut([{ number: ASHA, at: 3, actor: 'herald', source: 'reply' }]);
  const values = { to: ASHA_REPORTED, text: 'To Asha' } as never;
  await drafts.save({ owner: 'U', kind: 'sms', name: 'draft', values, savedAt: 1 });
}

async function fillAlerts({ alerts }: Stores): Promise<void> {
  const text = `${ASHA} cannot pay, nor can ${ASHA_REPORTED.slice(1)}`;
  const told = { channelId: 'C', ts: '1.1', text, receivedAt: 1 };
  const event: AlertEvent = { ...told, eventId: 'Ev1', eventTs: '1.1', author: {}, kind: 'posted' };
  await alerts.keep([event]);
  const [waiting] = await alerts.waiting(9);
  const { version } = await alerts.state({ recent: 0, openSince: 0, ids: [] });
  const alert: Alert = {
    ...{ ...told, id: 'L-1', rule: 'r', threadTs: '1.1', fingerprint: 'f', title: text, postedAt: 1 },
    ...{ repeats: 0, steps: [], state: 'resolved' },
  };
  const events = [{ id: waiting?.id ?? 0, decisions: [] }];
  await alerts.commit(version, { events, alerts: [alert] }, 2);
}

describePerson('SQLite', async () => ({
  url: `file:${at('herald.db')}`,
  besides: false,
  // Byte by byte: what was deleted must not stand there any more, either.
  contents: async () =>
    readdirSync(at())
      .filter((name) => name.startsWith('herald.db'))
      .map((name) => readFileSync(at(name), 'latin1'))
      .join('\n'),
}));

await describeWithPostgres('of PostgreSQL', () => {
  describePerson('PostgreSQL', async () => {
    const url = await freshDatabase();
    return { url, besides: true, contents: () => contentsOf(url) };
  });
});

it('erase names the copies beside a file, and nothing else that lies there', async () => {
  const file = at('herald.db');
  const url = `file:${file}`;
  const env = { DATABASE_URL: url, PSEUDONYM_KEY: KEY };
  const stores = await opened(url);
  await fill(stores);
  await stores.sends.close();
  // Of before an upgrade and before a restore.
  const holding = ['before-upgrade-9', 'before-2026-11-22T00-00-00Z'].map((name) => `${file}.${name}`);
  copyFileSync(file, String(holding[0]));
  writeFileSync(String(holding[1]), '');
  writeFileSync(at('other.db.before-upgrade'), '');
  mkdirSync(`${file}.folder`);
  expect((await typed(['erase', ASHA], env)).said).toContain(
    `\nThese copies beside the database may hold it still; delete them when you will not go back: ${holding.toSorted().join(', ')}.\n`,
  );
  for (const path of holding) rmSync(path);
  expect((await typed(['erase', ASHA], env)).said).not.toContain('copies beside');
});

it('erase and export need a whole number, and erase its key', async () => {
  const env = { DATABASE_URL: `file:${at('herald.db')}` };
  expect(await typed(['erase', '98123'], env)).toEqual({
    code: 1,
    said: 'erase needs a whole number, such as +919876543210.',
  });
  expect(await typed(['export', ASHA, at('x')], env)).toMatchObject({
    code: 1,
    said: expect.stringContaining('There is no database'),
  });
  await (await opened(env.DATABASE_URL)).sends.close();
  expect((await typed(['erase', ASHA], env)).said).toContain('PSEUDONYM_KEY must be');
  expect((await typed(['export', ASHA], env)).said).toContain('export needs a number and one path');
});
