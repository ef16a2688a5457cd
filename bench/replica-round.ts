import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expectAllArrived, openBenchDatabase, prepareBenchSend } from './bench-send.ts';
import { ask, dropDatabase, freshDatabase } from './databases.ts';

/** What the database did for each recipient, from the first claim to `done`. */
export interface DatabaseWork {
  readonly walBytes: number;
  readonly transactions: number;
}

/** Sends to `recipients` people with `replicas` processes that share a fresh database of `server`. */
export async function replicaRound(
  server: string,
  origin: string,
  { replicas, recipients, connections }: { replicas: number; recipients: number; connections: number },
): Promise<{ readonly perSecond: number; readonly work: DatabaseWork }> {
  const url = await freshDatabase(server);
  const stores = await openBenchDatabase(url);
  const { sends } = stores;
  await prepareBenchSend(sends, recipients);
  // Replicas share the pace: one that only looks on must not have a part of it.
  await sends.close();
  const contender = fileURLToPath(new URL('./contenders/replica.ts', import.meta.url));
  const children = Array.from({ length: replicas }, () =>
    fork(contender, [url, origin, String(connections)]),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
  const before = await counters(url);
  const begun = performance.now();
  await run(children);
  const perSecond = (recipients * 1_000) / (performance.now() - begun);
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
  const after = await counters(url);
  await judge(url, recipients);
  await dropDatabase(server, url);
  return {
    perSecond,
    work: {
      walBytes: (after.wal - before.wal) / recipients,
      transactions: (after.transactions - before.transactions) / recipients,
    },
  };
}

async function run(children: readonly ChildProcess[]): Promise<void> {
  const done = Promise.race(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go');
  await done;
}

async function judge(url: string, recipients: number): Promise<void> {
  const stores = await openBenchDatabase(url);
  await expectAllArrived(stores.sends, recipients);
  await stores.sends.close();
}

async function counters(url: string): Promise<{ wal: number; transactions: number }> {
  const [row] = await ask(
    url,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal,
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::float8 AS transactions`,
  );
  return row as { wal: number; transactions: number };
}
