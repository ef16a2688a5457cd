import { Client } from 'pg';
import { describe, expect, inject, vi } from 'vitest';
import { PATIENT } from '../patience.ts';

/** The address of a fresh, empty database; throws with the reason when there is no PostgreSQL. */
export function freshDatabase(): Promise<string> {
  return askFor('/empty');
}

/** The same with Herald's tables in it, in a fraction of the time: for whatever is not about making them. */
export function preparedDatabase(): Promise<string> {
  return askFor('/prepared');
}

async function askFor(path: string): Promise<string> {
  const response = await fetch(new URL(path, inject('postgresDoor')));
  const text = await response.text();
  if (!response.ok) throw new Error(`There is no PostgreSQL to test on: ${text}`);
  return text;
}

/**
 * Runs tests that need PostgreSQL. Where there is none they are skipped, and the summary at the end says why; on CI
 * they fail instead.
 */
export async function describeWithPostgres(name: string, tests: () => void): Promise<void> {
  if (inject('postgresDoor') === undefined)
    throw new Error('This group of tests has no PostgreSQL: vitest.config.ts has another for what needs it.');
  const reason = await askFor('/server').then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const skip = reason !== undefined && !process.env.CI;
  describe.skipIf(skip)(skip ? `${name} (skipped: ${reason})` : name, tests);
}

/** Runs `sql` on a connection of its own, as somebody else who has the database open. */
export async function directly(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table as text, and the bodies of webhooks as they were posted. */
export async function contentsOf(url: string): Promise<string> {
  const tables = await directly(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  const rows = await Promise.all(
    tables.map(({ tablename }) => directly(url, `SELECT t::text AS row FROM ${String(tablename)} t`)),
  );
  const bodies = await directly(url, `SELECT encode(body, 'escape') AS row FROM webhooks`);
  return [...rows.flat(), ...bodies].map(({ row }) => String(row)).join('\n');
}

export const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Takes a lock, does what waits for it, and something else meanwhile. */
export async function behind<T>(
  url: string,
  lock: string,
  asked: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query(`BEGIN; ${lock}`);
    const answer = asked();
    await vi.waitFor(async () => expect(await directly(url, WAITING)).toEqual([{ count: 1 }]), PATIENT);
    await meanwhile();
    await holder.query('COMMIT');
    return await answer;
  } finally {
    await holder.end();
  }
}
