import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutage } from '../../src/core/outage.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { IN_THREAD, NEWEST_ANSWER, OPEN_QUESTIONS } from '../../src/store/conversation-store.ts';
import { BY_MESSAGE_ID, NEWEST_TO } from '../../src/store/reply-store.ts';
import { SENT_SINCE } from '../../src/store/send-statements.ts';
import { compile } from '../../src/store/sql.ts';
import { putBack } from '../../src/store/sqlite/copies.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import { describeAlertStore } from './alert-contract.ts';
import { describeAudienceStore } from './audience-contract.ts';
import { describeSendStore } from './contract.ts';
import { describeDoubts } from './doubt-contract.ts';
import { describeDraftStore } from './draft-contract.ts';
import { describeFinding } from './finding-contract.ts';
import { describeInputAttempts } from './input-contract.ts';
import { describeLimits } from './limit-contract.ts';
import { listed } from './listed.ts';
import { describeLongestTexts } from './longest-texts-contract.ts';
import { describeNoticeStore } from './notice-contract.ts';
import { describePeople } from './person-contract.ts';
import { describePosts } from './post-contract.ts';
import { describeReplyStore } from './reply-contract.ts';
import { describeRetries } from './retry-contract.ts';
import { describeTemplateStore } from './template-contract.ts';

function opened(path: string): DatabaseSync {
  const database = openDatabase(path);
  if (!database.ok) throw new Error(database.error);
  return database.value;
}

describeSendStore('SQLite', async () => {
  const database = opened(':memory:');
  return {
    store: createSqliteStores(database).sends,
    successor: async () => createSqliteStores(database).sends,
    close: async () => database.close(),
  };
});

const alone = async () => {
  const database = opened(':memory:');
  return { stores: [createSqliteStores(database).sends], close: async () => database.close() };
};
describeRetries('SQLite', alone);
describeLimits('SQLite', alone);

describe('the SQLite file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'herald-store-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made with its folder, for its owner only', () => {
    const path = join(folder, 'deep', 'herald.db');
    const database = opened(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  });

  it('has every index from the first start on, and asks by them', async () => {
    const database = opened(join(folder, 'herald.db'));
    const indexes = () =>
      database.prepare(`SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name`).all();
    const atFirst = indexes();
    expect(atFirst).toEqual(
      expect.arrayContaining([{ name: 'recipients_by_message' }, { name: 'recipients_by_number' }]),
    );
    const { sends, replies } = createSqliteStores(database);
    const asked = {
      sendId: 'S-A',
      recipients: [{ row: 0, number: '+911' as Msisdn }],
      most: 1,
      since: 0,
      at: 1,
    };
    await sends.skipOverCap({ ...asked, failure: { what: 'No.', next: 'Wait.', scope: 'recipient' } });
    await replies.findByMessageId('m-1');
    await replies.newestTo('+911' as Msisdn);
    expect(indexes()).toEqual(atFirst);
    for (const statement of [BY_MESSAGE_ID, NEWEST_TO, SENT_SINCE]) {
      const plan = database
        .prepare(`EXPLAIN QUERY PLAN ${compile(statement, 'sqlite').text}`)
        .all()
        .map(({ detail }) => String(detail));
      expect(plan.filter((step) => step.startsWith('SCAN recipients'))).toEqual([]);
      expect(plan.join()).toMatch(
        /SEARCH recipients USING (?:COVERING )?INDEX recipients_(?:by_message|by_number)/,
      );
    }
    database.close();
  });

  it('finds threads and open questions without walking over what customers ever wrote', () => {
    const database = opened(join(folder, 'herald.db'));
    for (const statement of [IN_THREAD, NEWEST_ANSWER, OPEN_QUESTIONS]) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${compile(statement, 'sqlite').text}`).all();
      expect(plan.filter(({ detail }) => String(detail).startsWith('SCAN'))).toEqual([]);
      expect(JSON.stringify(plan)).toMatch(/INDEX (?:customer_events|sends)_(?:by_thread|asked)/);
    }
    database.close();
  });

  it('builds an index without holding all of it in memory, and puts back what it set for that', () => {
    const path = join(folder, 'it’s here', 'herald.db');
    const database = opened(path);
    expect(database.prepare('PRAGMA temp_store').get()).toEqual({ temp_store: 2 });
    expect(database.prepare('PRAGMA temp_store_directory').get()).toBeUndefined();
    database.close();
  });

  it('is refused while another Herald has it, and free again afterwards', () => {
    const path = join(folder, 'herald.db');
    const first = opened(path);
    expect(openDatabase(path)).toEqual({
      ok: false,
      error: `The database ${path} is in use by another Herald. Stop that one first, or name another file.`,
    });
    first.close();
    opened(path).close();
  });

  it('is refused when a newer Herald wrote it, and left as it was', () => {
    const path = join(folder, 'herald.db');
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 999');
    newer.close();
    const result = openDatabase(path);
    expect(result).toEqual({
      ok: false,
      error: expect.stringContaining(
        `The database ${path} was written by a newer Herald. Start that version.`,
      ),
    });
  });

  it('is refused when a commit before 0.1.0 wrote it, and left as it was', async () => {
    const path = join(folder, 'herald.db');
    const older = new DatabaseSync(path);
    older.exec('CREATE TABLE send_events (id INTEGER); PRAGMA user_version = 29');
    const sentence = `The database ${path} was made by a commit before 0.1.0, which was the first release and cannot read it. Nothing was changed and nothing was sent. Name another file in DATABASE_URL, or go on with that commit.`;
    expect(openDatabase(path)).toEqual({ ok: false, error: sentence });
    expect(older.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'send_events' }]);
    expect(older.prepare('PRAGMA user_version').get()).toEqual({ user_version: 29 });
    older.close();
    expect(readdirSync(folder).filter((name) => name.includes('before-upgrade'))).toEqual([]);
    // Nor is it put back in the place of a database.
    expect(await putBack(join(folder, 'other.db'), path, 1)).toEqual({ ok: false, error: sentence });
  });

  it('is refused in a sentence when it is something else', () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(
      path,
      'This is no database at all, just a text that is long enough to be looked at. '.repeat(20),
    );
    const result = openDatabase(path);
    expect(result.ok ? '' : result.error).toBe(`The file ${path} is not a database. Name another file.`);
  });

  it('keeps what was written when it is opened again', async () => {
    const path = join(folder, 'herald.db');
    const before = createSqliteStores(opened(path)).sends;
    const message = { kind: 'sms', sender: 'ACME', text: 'नमस्ते 👋', type: 'TRANS', unicode: true } as const;
    const stored = await before.create({
      id: 'S-1',
      kind: 'sms',
      message,
      origin: { teamId: 'T', userId: 'U', channelId: 'C' },
      state: 'approved',
      recipients: [],
      createdAt: 1,
      requestKey: 'k',
    });
    await before.close();
    const after = createSqliteStores(opened(path)).sends;
    expect(await after.find('S-1')).toEqual(stored?.send);
    await after.close();
  });

  it('does not let anybody rewrite the record', () => {
    const database = opened(join(folder, 'herald.db'));
    createSqliteStores(database).sends;
    database.exec(`INSERT INTO sends (id, kind, message, team_id, user_id, channel_id, state, recipient_count, created_at, request_key)
      VALUES ('S-1', 'sms', '{}', 'T', 'U', 'C', 'approved', 0, 1, 'k')`);
    database.exec(`INSERT INTO send_events (send_id, at, actor, action) VALUES ('S-1', 1, 'U', 'requested')`);
    expect(() => database.exec(`UPDATE send_events SET actor = 'X'`)).toThrow('append-only');
    expect(() => database.exec('DELETE FROM send_events')).toThrow('append-only');
    database.exec(`INSERT INTO opt_out_removals (at, actor, number) VALUES (1, 'U', '…1')`);
    expect(() => database.exec(`UPDATE opt_out_removals SET actor = 'X'`)).toThrow('append-only');
    expect(() => database.exec('DELETE FROM opt_out_removals')).toThrow('append-only');
    database.close();
  });
});

it('tells an outage from what can never be written', async () => {
  const stores = await openSqliteStores(':memory:');
  if (!stores.ok) throw new Error(stores.error);
  const { alerts, sends } = stores.value;
  const failure = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const entry = { userId: 'U', number: '+919812345678' as Msisdn, at: 1, by: 'U' };
  expect(isOutage(await failure(alerts.putNumber({ ...entry, at: 'soon' as never })))).toBe(false);
  expect(isOutage(await failure(alerts.putNumber({ ...entry, at: {} as never })))).toBe(false);
  await sends.close();
  expect(isOutage(await failure(alerts.numbers()))).toBe(true);
});

describeAudienceStore('SQLite', async () => createSqliteStores(opened(':memory:')));
describePeople('SQLite', async () => createSqliteStores(opened(':memory:')));
describeInputAttempts('SQLite', async () => createSqliteStores(opened(':memory:')));
describePosts('SQLite', async () => createSqliteStores(opened(':memory:')));
describeNoticeStore('SQLite', async () => createSqliteStores(opened(':memory:')).notices);
describeDraftStore('SQLite', async () => createSqliteStores(opened(':memory:')).drafts);
describeTemplateStore('SQLite', async () => createSqliteStores(opened(':memory:')).templates);

it('does not let anybody rewrite the history of templates', () => {
  const database = opened(':memory:');
  database.exec(`INSERT INTO template_changes (channel, name, revision, action, source, actor, at, definition)
    VALUES ('rcs', 'a', 1, 'added', 'form', 'U', 1, '{}')`);
  expect(() => database.exec(`UPDATE template_changes SET actor = 'X'`)).toThrow('append-only');
  expect(() => database.exec('DELETE FROM template_changes')).toThrow('append-only');
});

describeAlertStore('SQLite', async () => {
  const database = opened(':memory:');
  return {
    ...createSqliteStores(database),
    another: async () => createSqliteStores(database).alerts,
  };
});

describeFinding('SQLite', async () => createSqliteStores(opened(':memory:')));

describeLongestTexts('SQLite', async () => createSqliteStores(opened(':memory:')));

describeReplyStore('SQLite', async () => {
  const database = opened(':memory:');
  return createSqliteStores(database);
});

describeDoubts('SQLite', async () => createSqliteStores(opened(':memory:')));

it('sweeps audiences that a crash left unfinished', async () => {
  const database = opened(':memory:');
  const store = createSqliteStores(database).audiences;
  await store.begin({ id: 'A-1', source: 'numbers', columns: [], createdBy: 'U', createdAt: 1 });
  await store.append('A-1', listed({ row: 1, number: '+911' as Msisdn, values: [] }), []);
  const after = createSqliteStores(database).audiences;
  expect(await after.rows('A-1', 0, 9)).toEqual([]);
});
