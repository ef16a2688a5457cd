import type { PoolClient } from 'pg';
import { LIMIT_STATEMENTS } from './pool.ts';

/** The driver's own limit, which its types leave out: an index of a table with a hundred million rows takes minutes. */
const INDEXING_MS = 24 * 3_600_000;

/**
 * Indexes of tables that can be very large already when a version brings one. Built beside the work of other replicas,
 * which no transaction allows: so they stand outside the numbered migrations, and what broke off is built anew.
 *
 * The one on message ids gets its entries with the outcomes, and none from a service that names no ids.
 */
const INDEXES: Readonly<Record<string, string>> = {
  recipients_by_message: 'recipients (message_id) WHERE message_id IS NOT NULL',
  sends_by_template: String.raw`sends (substring(message from '"templateName":"((?:[^"\\]|\\.)*)"'), created_at)`,
  customer_events_by_number: 'customer_events (number, id) WHERE number IS NOT NULL',
  sends_to_many: 'sends (created_at) WHERE audience IS NOT NULL',
  sends_by_thread: 'sends (thread_ts) WHERE thread_ts IS NOT NULL',
  sends_with_numbers: 'sends (created_at) WHERE numbers_removed_to IS NULL',
  sends_half_removed: 'sends (id) WHERE numbers_removed_to >= 0',
  sends_with_texts: 'sends (created_at) WHERE texts_removed = 0',
  webhooks_whole: 'webhooks (received_at) WHERE removed = 0',
  webhooks_kept: 'webhooks (received_at) WHERE removed < 2',
  customer_events_by_webhook: 'customer_events (webhook_id)',
  customer_events_asked: 'customer_events (asked_at) WHERE asked_at IS NOT NULL AND closed_by IS NULL',
  customer_events_by_thread: 'customer_events (thread_ts, number) WHERE thread_ts IS NOT NULL',
};

/** Builds what is missing, while others read and write. To be called by one replica at a time. */
export async function buildIndexes(client: PoolClient): Promise<void> {
  for (const [name, definition] of Object.entries(INDEXES)) {
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
