import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Failure, Settlement } from '../../src/sends/outcome.ts';
import type { RecipientRow } from '../../src/sends/send.ts';
import { UNOBSERVED } from '../../src/store/observer.ts';
import { LOCKS } from '../../src/store/postgres/locks.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { PATIENT } from '../patience.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { describeAlertStore } from './alert-contract.ts';
import { describeAudienceStore } from './audience-contract.ts';
import { bulkSend } from './bulk-send.ts';
import { describeSendStore } from './contract.ts';
import { describeDoubts } from './doubt-contract.ts';
import { describeDraftStore } from './draft-contract.ts';
import { describeFinding } from './finding-contract.ts';
import { describeInputAttempts } from './input-contract.ts';
import { describeLimits } from './limit-contract.ts';
import { describeLongestTexts } from './longest-texts-contract.ts';
import { describeNotes } from './notes-contract.ts';
import { describeNoticeStore } from './notice-contract.ts';
import { describePeople } from './person-contract.ts';
import { describeReplyStore } from './reply-contract.ts';
import { describeRestoredStore } from './restored-contract.ts';
import { describeRetries } from './retry-contract.ts';
import { describeTemplateStore } from './template-contract.ts';

const surroundings = () => ({
  observer: UNOBSERVED,
  clock: systemClock,
  random: systemRandom,
  logger: createRecordingLogger(),
});

async function opened(url: string): Promise<Stores> {
  const stores = await openPostgresStores(url, surroundings());
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

await describeWithPostgres('on PostgreSQL', () => {
  describeSendStore('PostgreSQL', async () => {
    const url = await freshDatabase();
    const open = [await opened(url)];
    return {
      store: (open[0] as Stores).sends,
      successor: async () => {
        const next = await opened(url);
        open.push(next);
        // Last, so that no heartbeat of the others comes before what follows.
        await directly(
          url,
          `UPDATE replicas SET lease_until = '-infinity' WHERE id <> '${String(next.replica?.())}'`,
        );
        return next.sends;
      },
      close: async () => {
        for (const { sends } of open) await sends.close();
      },
    };
  });

  const toClose: Stores[] = [];
  afterEach(async () => {
    for (const { sends } of toClose.splice(0)) await sends.close();
  });
  const stores = async (url: string) => {
    const joined = await opened(url);
    toClose.push(joined);
    return joined;
  };

  describeNotes('PostgreSQL', async () => (await stores(await freshDatabase())).notes);
  describeInputAttempts('PostgreSQL', async () => stores(await freshDatabase()));
  it('lets one of several replicas at a time attempt an input, and another when it is given back', async () => {
    const url = await freshDatabase();
    const [one, other] = [(await stores(url)).inputs, (await stores(url)).inputs];
    expect(await one.begin('webhook', ['1', '2'])).toEqual(['1', '2']);
    expect(await other.begin('webhook', ['2', '3'])).toEqual(['3']);
    await one.failed('webhook', ['2'], true);
    expect(await other.begin('webhook', ['1', '2'])).toEqual(['2']);
    expect(await one.counts('webhook', ['1', '2', '3'])).toEqual([
      { id: '1', attempts: 1 },
      { id: '2', attempts: 2 },
      { id: '3', attempts: 1 },
    ]);
  });
  describeNoticeStore('PostgreSQL', async () => (await stores(await freshDatabase())).notices);
  describeDraftStore('PostgreSQL', async () => (await stores(await freshDatabase())).drafts);
  describeAlertStore('PostgreSQL', async () => {
    const url = await freshDatabase();
    return { alerts: (await stores(url)).alerts, another: async () => (await stores(url)).alerts };
  });
  describeFinding('PostgreSQL', async () => stores(await freshDatabase()));
  describeLongestTexts('PostgreSQL', async () => stores(await freshDatabase()));
  describeReplyStore('PostgreSQL', async () => stores(await freshDatabase()));
  describeDoubts('PostgreSQL', async () => stores(await freshDatabase()));
  describeTemplateStore('PostgreSQL', async () => (await stores(await freshDatabase())).templates);
  describePeople('PostgreSQL', async () => stores(await freshDatabase()));
  describeAudienceStore('PostgreSQL', async () => stores(await freshDatabase()));

  const replicas = async () => {
    const url = await freshDatabase();
    const open = await Promise.all([opened(url), opened(url), opened(url)]);
    return {
      stores: open.map(({ sends }) => sends),
      close: async () => {
        for (const { sends } of open) await sends.close();
      },
    };
  };
  describeRetries('PostgreSQL', replicas);
  describeLimits('PostgreSQL', replicas);

  describeRestoredStore('PostgreSQL', async () => {
    const url = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    const elsewhere = Object.assign(new URL(url), { pathname: '/postgres' }).href;
    let open: Stores | undefined;
    const close = async () => {
      await open?.sends.close();
      open = undefined;
    };
    onTestFinished(close);
    return {
      reopen: async () => {
        await close();
        open = await opened(url);
        return open.sends;
      },
      copy: async () => {
        await close();
        await directly(elsewhere, `CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
      },
      restore: async () => {
        await close();
        await directly(elsewhere, `DROP DATABASE ${name}`);
        await directly(elsewhere, `CREATE DATABASE ${name} TEMPLATE ${name}_copy`);
      },
    };
  });

  it('takes the promotion of another server for a restored copy', async () => {
    const url = await freshDatabase();
    const RESTORED = { what: 'It was restored.', next: 'Look.', scope: 'send' } as const;
    expect(await (await stores(url)).sends.stopRestored(RESTORED, 1)).toBeUndefined();
    const [noted] = await directly(url, 'SELECT place FROM newest_copy');
    expect(noted?.place).toMatch(/^\d+\/00000001\/\d+\/\d+$/);
    await directly(url, `UPDATE newest_copy SET place = replace(place, '/00000001/', '/00000002/')`);
    const replicas = await Promise.all([stores(url), stores(url)]);
    const found = await Promise.all(replicas.map(({ sends }) => sends.stopRestored(RESTORED, 2)));
    expect(found.toSorted()).toEqual([[], undefined]);
  });

  it('lets ten replicas that start at once make the tables once', async () => {
    const url = await freshDatabase();
    await Promise.all(Array.from({ length: 10 }, () => stores(url)));
    const versions = await directly(url, 'SELECT version FROM schema_versions ORDER BY version');
    expect(versions.length).toBeGreaterThan(1);
    expect(versions).toEqual(versions.map((_row, place) => ({ version: place + 1 })));
    expect(await directly(url, 'SELECT count(*)::int AS replicas FROM replicas')).toEqual([{ replicas: 10 }]);
  });

  describe('the locks', () => {
    it('are different numbers, and wherever one is taken it is one of them', () => {
      const numbers = Object.values(LOCKS);
      expect(new Set(numbers).size).toBe(numbers.length);
      const folder = new URL('../../src/store/', import.meta.url);
      const others = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && name !== 'postgres/locks.ts')
        .filter((name) => /0x6865/.test(readFileSync(new URL(name, folder), 'utf8')));
      expect(others).toEqual([]);
    });

    it('are waited for without a statement that stands, however long another prepares the database', async () => {
      const url = await freshDatabase();
      await stores(url);
      const another = new Client({ connectionString: url });
      await another.connect();
      onTestFinished(() => another.end());
      await another.query('SELECT pg_advisory_lock($1)', [LOCKS.migrating]);
      const starting = opened(url);
      await vi.waitFor(async () => {
        const asking = await directly(
          url,
          `SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep($1)%'`,
        );
        expect(asking).toContainEqual({ wait_event: 'PgSleep' });
      }, PATIENT);
      const standing = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      expect(await directly(url, standing)).toEqual([{ count: 0 }]);
      await another.query('SELECT pg_advisory_unlock($1)', [LOCKS.migrating]);
      toClose.push(await starting);
    });
  });

  describe('an index that a version brings', () => {
    const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('recipients_by_message')`;

    it('is there before the first webhook asks, and is built anew where that broke off', async () => {
      const url = await freshDatabase();
      await stores(url);
      expect(await directly(url, valid)).toEqual([{ indisvalid: true }]);
      await directly(
        url,
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'recipients_by_message'::regclass`,
      );
      await stores(url);
      expect(await directly(url, valid)).toEqual([{ indisvalid: true }]);
    });

    it('is built while other replicas read and write', async () => {
      const url = await freshDatabase();
      const replica = await stores(url);
      await replica.sends.begin(bulkSend('S-OLD'));
      const people = Array.from({ length: 10 }, (_, row) => ({
        row,
        number: `+91${row}` as Msisdn,
        values: [],
      }));
      await replica.sends.addRecipients('S-OLD', people);
      await directly(url, 'DROP INDEX recipients_by_message');
      const writing = new Client({ connectionString: url });
      await writing.connect();
      onTestFinished(() => writing.end());
      await writing.query('BEGIN');
      await writing.query(`UPDATE recipients SET status = 200 WHERE row = 0`);
      const starting = opened(url);
      await vi.waitFor(async () => {
        const building = await directly(
          url,
          `SELECT wait_event_type FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND datname = current_database()`,
        );
        expect(building).toEqual([{ wait_event_type: 'Lock' }]);
      }, PATIENT);
      await directly(url, `SET lock_timeout = '2s'; UPDATE recipients SET status = 200 WHERE row = 1`);
      await writing.query('COMMIT');
      toClose.push(await starting);
      expect(await directly(url, valid)).toEqual([{ indisvalid: true }]);
    });
  });

  describe('replicas', () => {
    const SEND = 'S-SHARED';
    const LOST: Failure = { what: 'Its process died.', next: 'Look.', scope: 'recipient' };

    /** A bulk send of `count` recipients that is being sent. */
    async function sending({ sends }: Stores, count: number): Promise<void> {
      await sends.begin(bulkSend(SEND));
      const recipients = Array.from({ length: count }, (_, row) => ({
        row,
        number: `+9198${row}` as Msisdn,
        values: [],
      }));
      await sends.addRecipients(SEND, recipients);
      await sends.seal({ sendId: SEND, digest: 'd', to: 'approved', at: 1, actor: 'U' });
      await sends.moveSend({ sendId: SEND, from: 'approved', to: 'sending', at: 1, actor: 'U' });
    }

    const settled = (rows: readonly RecipientRow[]): Settlement[] =>
      rows.map(({ row }) => ({
        sendId: SEND,
        row,
        outcome: { state: 'accepted', status: 200 },
        settledAt: 9,
      }));

    it('read what they claim and settle, however much is left of the send', async () => {
      const url = await freshDatabase();
      const replica = await opened(url);
      await sending(replica, 20_000);
      for (let batch = 0; batch < 3; batch += 1)
        await replica.sends.settle(settled(await replica.sends.claim(SEND, 100, 2)));
      // A connection that ends writes down what it has counted.
      await replica.sends.close();
      const [read] = await vi.waitFor(async () => {
        const found = await directly(
          url,
          `SELECT (idx_tup_fetch + seq_tup_read)::int AS rows FROM pg_stat_user_tables
           WHERE relname = 'recipients' AND n_tup_upd = 600`,
        );
        expect(found).toHaveLength(1);
        return found;
      }, PATIENT);
      expect(read?.rows).toBeGreaterThanOrEqual(600);
      expect(read?.rows).toBeLessThan(3_000);
      const [moved] = await directly(
        url,
        `SELECT (n_tup_upd - n_tup_hot_upd)::int AS rows FROM pg_stat_user_tables WHERE relname = 'sends'`,
      );
      // Only a new state, of which there were two, moves a send in its indexes.
      expect(moved?.rows).toBeLessThanOrEqual(2);
    });

    it('claim every recipient of one send once, and only the last outcome ends it', async () => {
      const url = await freshDatabase();
      const replicas = await Promise.all([stores(url), stores(url), stores(url)]);
      await sending(replicas[0] as Stores, 2_000);
      const rows: number[] = [];
      let doneEarly = 0;
      async function work({ sends }: Stores): Promise<void> {
        for (;;) {
          const claimed = await sends.claim(SEND, 37, 5);
          if (claimed.length === 0) return;
          rows.push(...claimed.map(({ row }) => row));
          const send = await sends.find(SEND);
          if (send?.state === 'done') doneEarly += 1;
          await sends.settle(settled(claimed));
        }
      }
      await Promise.all(replicas.flatMap((replica) => [work(replica), work(replica)]));
      expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2_000 }, (_, row) => row));
      expect(doneEarly).toBe(0);
      const send = await replicas[0]?.sends.find(SEND);
      expect(send).toMatchObject({ state: 'done', counts: { pending: 0, attempting: 0, accepted: 2_000 } });
    });

    it('that were silent for too long claim nothing, keep nothing, and begin anew', async () => {
      const url = await freshDatabase();
      const [silent, other] = [await stores(url), await stores(url)];
      await sending(silent, 10);
      const epoch = silent.lease.epoch();
      expect(epoch.isValid()).toBe(true);
      expect(await silent.sends.claim(SEND, 2, 5)).toHaveLength(2);
      expect(await silent.sends.release(SEND, [1])).toBe(1);
      const [{ id } = {}] = await directly(url, 'SELECT claimed_by AS id FROM recipients WHERE row = 0');
      await directly(url, `UPDATE replicas SET lease_until = '-infinity' WHERE id = '${id}'`);
      expect(await silent.sends.claim(SEND, 2, 6)).toEqual([]);
      expect(await other.sends.recoverInterrupted(LOST, 7)).toEqual([SEND]);
      expect((await silent.sends.settle(settled([{ row: 0 } as RecipientRow]))).written).toBe(0);
      expect(await silent.sends.release(SEND, [0])).toBe(0);
      // What it had put back is given out before what nobody has tried.
      expect((await other.sends.claim(SEND, 2, 8)).map(({ row }) => row)).toEqual([1, 2]);
      // In between it has none at all.
      await vi.waitFor(() => {
        expect(silent.lease.epoch()).not.toBe(epoch);
        expect(silent.lease.epoch().isValid()).toBe(true);
      }, PATIENT);
      expect(epoch.isValid()).toBe(false);
      expect((await silent.sends.claim(SEND, 1, 9)).map(({ row }) => row)).toEqual([3]);
      expect((await other.sends.find(SEND))?.counts).toMatchObject({ unknown: 1, attempting: 3, pending: 6 });
    });

    it('take a claim back whose answer was lost', async () => {
      const url = await freshDatabase();
      const replica = await stores(url);
      await sending(replica, 10);
      await replica.sends.claim(SEND, 2, 5);
      // The statement goes through, and the connection is ended before it can say so.
      await directly(
        url,
        `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON sends DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION cut()`,
      );
      await expect(replica.sends.claim(SEND, 3, 6)).rejects.toThrow();
      await directly(
        url,
        `DROP TRIGGER cut ON sends;
         UPDATE recipients SET state = 'attempting', claimed_by = (SELECT id FROM replicas), claim_number = 2
           WHERE row BETWEEN 2 AND 4;
         UPDATE sends SET attempting = 5, pending = 5, next_row = 5`,
      );
      expect((await replica.sends.claim(SEND, 3, 7)).map(({ row }) => row)).toEqual([2, 3, 4]);
      expect((await replica.sends.find(SEND))?.counts).toMatchObject({ attempting: 5, pending: 5 });
    });
  });

  it('goes on working when a newer Herald has added to the tables, and a later start says why it cannot', async () => {
    const url = await freshDatabase();
    const before = await stores(url);
    // As the next version will: additions only.
    await directly(
      url,
      `ALTER TABLE sends ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';
       ALTER TABLE recipients ADD COLUMN colour TEXT;
       CREATE TABLE colours (name TEXT);
       INSERT INTO schema_versions SELECT max(version) + 1 FROM schema_versions`,
    );
    await before.sends.create({
      id: 'S-OLD',
      kind: 'sms',
      message: { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false },
      origin: { teamId: 'T', userId: 'U', channelId: 'C' },
      state: 'approved',
      recipients: [{ number: '+911' as Msisdn }],
      createdAt: 1,
      requestKey: 'old',
    });
    const start = { sendId: 'S-OLD', from: 'approved', to: 'sending', at: 2, actor: 'U' } as const;
    expect(await before.sends.moveSend(start)).toBe(true);
    const claimed = await before.sends.claim('S-OLD', 1, 3);
    expect(claimed).toHaveLength(1);
    const outcome = { state: 'accepted', status: 200 } as const;
    await before.sends.settle([{ sendId: 'S-OLD', row: 0, outcome, settledAt: 4 }]);
    expect((await before.sends.find('S-OLD'))?.state).toBe('done');
    const again = await openPostgresStores(url, surroundings());
    expect(again).toEqual({ ok: false, error: expect.stringMatching(/was written by a newer Herald/) });
  });

  it('says how far the clock of this machine is ahead of the database’s', async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
    const ahead = await openPostgresStores(await freshDatabase(), { ...surroundings(), clock });
    if (!ahead.ok) throw new Error(ahead.error);
    toClose.push(ahead.value);
    const minutes = Number(await ahead.value.ahead?.()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThan(61);
  });

  it('tells how its connections and its lease are, what takes how long, and whom it took over', async () => {
    const url = await freshDatabase();
    const seen = { done: 0, failed: 0, tookOver: 0 };
    const observer = {
      ...UNOBSERVED,
      statementEnded: (seconds: number, ok: boolean) => {
        expect(seconds).toBeGreaterThan(0);
        seen[ok ? 'done' : 'failed'] += 1;
      },
      tookOver: (count: number) => {
        seen.tookOver += count;
      },
    };
    const opened = await openPostgresStores(url, { ...surroundings(), observer });
    if (!opened.ok) throw new Error(opened.error);
    toClose.push(opened.value);
    const { sends, figures } = opened.value;
    const other = await stores(url);
    await directly(
      url,
      `INSERT INTO replicas (id, lease_until) VALUES ('R-DEAD', now() - interval '1 second')`,
    );
    await directly(url, `INSERT INTO replicas (id, lease_until) VALUES ('R-LEFT', '-infinity')`);
    await vi.waitFor(async () => {
      await sends.recoverInterrupted({ what: 'It died.', next: 'Look.', scope: 'recipient' }, 1);
      expect(seen.tookOver).toBe(1);
    }, PATIENT);
    await expect(sends.create(undefined as never)).rejects.toThrow();
    await expect(sends.addRecipients('S-NONE', [])).rejects.toThrow();
    expect(seen.done).toBeGreaterThan(1);
    await vi.waitFor(() => expect(figures?.()).toMatchObject({ replicas: 2 }), PATIENT);
    expect(figures?.()).toEqual({ inUse: 0, waiting: 0, leaseAgeSeconds: expect.any(Number), replicas: 2 });
    expect(figures?.().leaseAgeSeconds).toBeLessThan(6);
    expect(other.figures?.().waiting).toBe(0);
  });

  it('does not let anybody rewrite the record', async () => {
    const url = await freshDatabase();
    await stores(url);
    for (const sql of [
      `UPDATE send_events SET actor = 'X'`,
      'DELETE FROM send_events',
      'TRUNCATE send_events',
      'DELETE FROM opt_out_removals',
    ])
      await expect(directly(url, sql)).rejects.toThrow('append-only');
  });

  it('is refused in a sentence, without the password, when it cannot be opened', async () => {
    const url = new URL(await freshDatabase());
    const refused = async (wrong: URL | string) => {
      const result = await openPostgresStores(String(wrong), surroundings());
      return result.ok ? '' : result.error;
    };
    const { host } = url;
    const elsewhere = new URL(url);
    elsewhere.pathname = '/nowhere';
    expect(await refused(elsewhere)).toBe(
      `The PostgreSQL database ${host}/nowhere could not be opened: it has no database of this name. Make one, or name another in DATABASE_URL.`,
    );
    const stranger = new URL(url);
    stranger.password = 'hunter22222';
    expect(await refused(stranger)).toContain('it refused the password. Check user and password');
    expect(await refused('postgres://herald:hunter22222@127.0.0.1:1/herald')).toBe(
      'The PostgreSQL database 127.0.0.1:1/herald could not be opened: nothing listens there. Check that the server runs, and host and port in DATABASE_URL.',
    );
    await directly(
      String(url),
      'CREATE TABLE schema_versions (version INTEGER); INSERT INTO schema_versions VALUES (999)',
    );
    expect(await refused(url)).toBe(
      `The PostgreSQL database ${host}${url.pathname} was written by a newer Herald. Start that version, or name another database.`,
    );
  });
});
