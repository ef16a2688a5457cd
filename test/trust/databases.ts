import { once } from 'node:events';
import { Client } from 'pg';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { LEASE_TIMES } from '../../src/store/postgres/membership.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory, Stores } from '../../src/store/stores.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { directly, preparedDatabase } from '../postgres/database.ts';
import { startLateWay } from './late-answers.ts';

/** A database that processes are opened on. */
export interface TestDatabase {
  /** How many processes may have it at once. */
  readonly replicas: number;
  /** Time that passed by a clock that is not the database’s: what channels wait for by its clock comes nearer. */
  passed(ms: number): Promise<void>;
  /** @param aheadMs how far the process’s clock is ahead of the database’s */
  open(aheadMs?: () => number): Promise<{
    readonly memory: Memory;
    /** What the others learn of its end. */
    died(): Promise<void>;
  }>;
  close(): Promise<void>;
}

export async function onSqlite(): Promise<TestDatabase> {
  const database = openDatabase(':memory:');
  if (!database.ok) throw new Error(database.error);
  return {
    replicas: 1,
    passed: async () => {},
    open: async () => ({ memory: createSqliteStores(database.value), died: async () => {} }),
    close: async () => database.value.close(),
  };
}

const HEARTBEAT_MS = 20;

/**
 * What one that died had begun is taken over by another, or by the one in its place.
 *
 * @param lateBy the database’s answers are late, differently for each seed; undefined: they are not
 */
export async function onPostgres(replicas: number, lateBy: number | undefined) {
  const url = await preparedDatabase();
  const way = await startLateWay(url, lateBy);
  const open: Stores[] = [];
  const outside = new Client({ connectionString: url });
  await outside.connect();
  return {
    url,
    replicas,
    passed: async (ms: number) => {
      await outside.query(
        `UPDATE channels SET (held_until, probe_at, probed_at) =
           (SELECT held_until - passed, probe_at - passed, probed_at - passed FROM make_interval(secs => $1) passed)`,
        [ms / 1_000],
      );
    },
    open: async (aheadMs: () => number = () => 0) => {
      const life = mortal(aheadMs);
      const stores = await openPostgresStores(way.url, {
        observer: UNOBSERVED,
        clock: life.clock,
        random: systemRandom,
        logger: createRecordingLogger(),
        times: { ...LEASE_TIMES, heartbeatMs: HEARTBEAT_MS },
      });
      if (!stores.ok) throw new Error(stores.error);
      open.push(stores.value);
      return {
        memory: stores.value,
        died: async () => {
          const mine = stores.value.replica?.();
          await life.ends();
          await outside.query(`UPDATE replicas SET lease_until = '-infinity' WHERE id = $1`, [mine]);
        },
      };
    },
    close: async () => {
      for (const { sends } of open) await sends.close();
      await outside.end();
      way.close();
      const name = new URL(url).pathname.slice(1);
      await directly(new URL('/postgres', url).href, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The machine’s clock; whoever sleeps by it when it dies wakes only to be closed. */
function mortal(aheadMs: () => number) {
  let isDead = false;
  /** Resolved while no heartbeat is on its way. */
  let still = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs(),
    sleep: async (ms, signal) => {
      if (ms === HEARTBEAT_MS) still.resolve();
      await systemClock.sleep(ms, signal);
      if (isDead && signal?.aborted === false) await once(signal, 'abort');
      if (ms === HEARTBEAT_MS) still = Promise.withResolvers();
    },
  };
  return {
    clock,
    /** Resolves once its last heartbeat was answered. */
    ends: () => {
      isDead = true;
      return still.promise;
    },
  };
}
