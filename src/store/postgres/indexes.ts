import type { PoolClient } from 'pg';
import { LIMIT_STATEMENTS } from './pool.ts';

/** The driver's own limit, which its types leave out: an index of a table with a hundred million rows takes minutes. */
const INDEXING_MS = 24 * 3_600_000;

/**
 * Indexes that versions after 0.1.0 bring, by name: their tables can be very large already. Built beside the work of other
 * replicas, which no transaction allows: so they stand outside the numbered migrations, and what broke off is built anew.
 */
const INDEXES: Readonly<Record<string, string>> = {};

/** Builds what is missing, while others read and write. To be called by one replica at a time. */
export async function buildIndexes(client: PoolClient, indexes = INDEXES): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    const { rows } = await client.query(
      'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [name],
    );
    if (rows[0]?.indisvalid === true) continue;
    if (rows.length > 0) await withoutHurry(client, `DROP INDEX CONCURRENTLY ${name}`);
    await withoutHurry(client, `CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
  }
}

/** A statement that may take as long as it needs. */
export async function withoutHurry(client: PoolClient, text: string): Promise<void> {
  await client.query('SET statement_timeout = 0');
  const unhurried = { text, query_timeout: INDEXING_MS };
  await client.query(unhurried);
  await client.query(LIMIT_STATEMENTS);
}
