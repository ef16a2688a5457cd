import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Settlement } from '../../src/sends/outcome.ts';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import type { RecipientRow } from '../../src/sends/send.ts';
import type { Stores } from '../../src/store/stores.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { PATIENT } from '../patience.ts';
import { describeWithPostgres, directly, preparedDatabase } from '../postgres/database.ts';
import { describeLimits } from './limit-contract.ts';
import { closing, opened } from './postgres-stores.ts';
import { describeRepeats } from './repeat-contract.ts';
import { describeRetries } from './retry-contract.ts';
import { sendingToMany } from './steps.ts';

await describeWithPostgres('replicas on PostgreSQL', () => {
  const { stores } = closing();

  it('lets one of several replicas at a time attempt an input, and another when it is given back', async () => {
    const url = await preparedDatabase();
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

  it('gives what a dead replica was attempting to another as soon as that takes over', async () => {
    const url = await preparedDatabase();
    const one = await stores(url);
    const [{ id } = {}] = await directly(url, 'SELECT id FROM replicas');
    const other = await stores(url);
    expect(await one.inputs.begin('alert_event', ['1', '2'])).toEqual(['1', '2']);
    await other.sends.recoverInterrupted(INTERRUPTED, 1);
    expect(await other.inputs.begin('alert_event', ['1'])).toEqual([]);
    // As it is once a replica has been silent for too long.
    await directly(url, `UPDATE replicas SET lease_until = '-infinity' WHERE id = '${id}'`);
    await other.sends.recoverInterrupted(INTERRUPTED, 1);
    expect(await other.inputs.begin('alert_event', ['1', '2'])).toEqual(['1', '2']);
  });

  const replicas = async () => {
    const url = await preparedDatabase();
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
  describeRepeats('PostgreSQL', replicas);

  describe('sharing a send', () => {
    const SEND = 'S-SHARED';

    const sending = ({ sends }: Stores, count: number) => sendingToMany(sends, SEND, count);
    const settled = (rows: readonly RecipientRow[]): Settlement[] =>
      rows.map(({ row }) => ({
        sendId: SEND,
        row,
        outcome: { state: 'accepted', status: 200 },
        settledAt: 9,
      }));

    it('read what they claim and settle, however much is left of the send', async () => {
      const url = await preparedDatabase();
      const replica = await opened(url);
      await sending(replica, 5_000);
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
      const url = await preparedDatabase();
      const replicas = await Promise.all([stores(url), stores(url), stores(url)]);
      await sending(replicas[0] as Stores, 1_000);
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
      expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, row) => row));
      expect(doneEarly).toBe(0);
      const send = await replicas[0]?.sends.find(SEND);
      expect(send).toMatchObject({ state: 'done', counts: { pending: 0, attempting: 0, accepted: 1_000 } });
    });

    it('that were silent for too long claim nothing, keep nothing, and begin anew', async () => {
      const url = await preparedDatabase();
      const [silent, other] = [await stores(url), await stores(url)];
      await sending(silent, 10);
      const epoch = silent.lease.epoch();
      expect(epoch.isValid()).toBe(true);
      expect(await silent.sends.claim(SEND, 2, 5)).toHaveLength(2);
      expect(await silent.sends.release(SEND, [1])).toBe(1);
      const [{ id } = {}] = await directly(url, 'SELECT claimed_by AS id FROM recipients WHERE row = 0');
      await directly(url, `UPDATE replicas SET lease_until = '-infinity' WHERE id = '${id}'`);
      expect(await silent.sends.claim(SEND, 2, 6)).toEqual([]);
      expect(await other.sends.recoverInterrupted(INTERRUPTED, 7)).toEqual([SEND]);
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
      const url = await preparedDatabase();
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

  it('says how far the clock of this machine is ahead of the database’s', async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
    const { ahead } = await stores(await preparedDatabase(), { clock });
    const minutes = Number(await ahead?.()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThan(61);
  });

  it('tells how its connections and its lease are, what takes how long, and whom it took over', async () => {
    const url = await preparedDatabase();
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
    const { sends, figures, lease } = await stores(url, { observer });
    const other = await stores(url);
    await directly(
      url,
      `INSERT INTO replicas (id, lease_until) VALUES ('R-DEAD', now() - interval '1 second')`,
    );
    await directly(url, `INSERT INTO replicas (id, lease_until) VALUES ('R-LEFT', '-infinity')`);
    await vi.waitFor(async () => {
      await sends.recoverInterrupted(INTERRUPTED, 1);
      expect(seen.tookOver).toBe(1);
    }, PATIENT);
    await expect(sends.create(undefined as never)).rejects.toThrow();
    await expect(sends.addRecipients('S-NONE', [])).rejects.toThrow();
    expect(seen.done).toBeGreaterThan(1);
    await vi.waitFor(() => expect(lease.replicas()).toBe(2), PATIENT);
    expect(figures?.()).toEqual({ inUse: 0, waiting: 0, leaseAgeSeconds: expect.any(Number) });
    expect(figures?.().leaseAgeSeconds).toBeLessThan(6);
    expect(other.figures?.().waiting).toBe(0);
  });
});
