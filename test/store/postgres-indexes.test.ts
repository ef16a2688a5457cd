import { expect, it } from 'vitest';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { openedStores } from '../run-command.ts';

/** Bytes that an entry of a B-tree holds at most, a third of a page. */
const ENTRY_BYTES = 2_704;
/** A character of UTF-16 takes three bytes at most. */
const BYTES = 3;

/** Characters of what others write, at most: test/store/longest-texts-contract.ts tries each. */
const FOREIGN: Readonly<Record<string, number>> = {
  'customer_events.label': 256,
  'reply_tallies.label': 256,
  'message_ids.message_id': 256,
  'audiences.lower': 80,
  'drafts.name': 60,
  'sends.substring': 75,
  'template_changes.name': 75,
  'templates.name': 75,
};
/** What Herald, Slack and whoever runs Herald name, numbers and digests. */
const OWN_CHARACTERS = 150;
const OWN: readonly string[] =
  `id send_id audience_id retry_of user_id channel_id event_id owner key request_key
  ts event_ts thread_ts number sender digest reading md5 state status kind source channel rule
  posts.mark posts.subject arrival_tables.name channels.name duties.name notices.name customer_events.post`.split(
    /\s+/,
  );

const TEXTS = `SELECT owner.relname AS table, made.relname AS index, attname AS column
  FROM pg_index JOIN pg_class AS made ON made.oid = indexrelid JOIN pg_class AS owner ON owner.oid = indrelid
    JOIN pg_attribute ON attrelid = indexrelid JOIN pg_namespace ON pg_namespace.oid = owner.relnamespace
  WHERE nspname = 'public' AND atttypid = 'text'::regtype ORDER BY 1, 2, attnum`;

await describeWithPostgres('the indexes on PostgreSQL', () => {
  it('hold no text of others that could be longer than an entry', async () => {
    const url = await freshDatabase();
    await (await openedStores(url)).sends.close();
    const unknown: string[] = [];
    const bytes = new Map<string, number>();
    for (const { table, index, column } of await directly(url, TEXTS)) {
      const name = `${table}.${column}`;
      const isOwn = OWN.includes(name) || OWN.includes(String(column));
      const characters = FOREIGN[name] ?? (isOwn ? OWN_CHARACTERS : undefined);
      if (characters === undefined) unknown.push(`${name} in ${index}`);
      bytes.set(String(index), (bytes.get(String(index)) ?? 0) + BYTES * (characters ?? 0));
    }
    // Of a new one say in which list it belongs, and how long it can be.
    expect(unknown).toEqual([]);
    expect([...bytes].filter(([, most]) => most > ENTRY_BYTES)).toEqual([]);
    expect(bytes.size).toBeGreaterThan(40);
  });
});
