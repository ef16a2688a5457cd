import type { DraftStore } from '../../sends/drafts.ts';
import { draftFrom } from '../rows.ts';
import { type Database, statement } from './database.ts';

const find = statement('find_draft', 'SELECT * FROM drafts WHERE owner = $1 AND kind = $2 AND name = $3');
// A row that was inserted, and not updated, was never locked by anybody.
const put = statement(
  'put_draft',
  `INSERT INTO drafts (owner, kind, name, form, saved_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (owner, kind, name) DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at
   RETURNING xmax = 0 AS added`,
);
const names = statement(
  'draft_names',
  'SELECT name FROM drafts WHERE owner = $1 AND kind = $2 ORDER BY saved_at DESC, name',
);
const remove = statement(
  'remove_draft',
  'DELETE FROM drafts WHERE owner = $1 AND kind = $2 AND name = $3 RETURNING name',
);

/** The `DraftStore` on PostgreSQL. */
export function createPostgresDraftStore(database: Database): DraftStore {
  return {
    save: async ({ owner, kind, name, values, savedAt }) => {
      const form = JSON.stringify(values);
      const [saved] = await database.run<{ added: boolean }>(put, [owner, kind, name, form, savedAt]);
      return saved?.added ? 'added' : 'replaced';
    },
    find: async ({ owner, kind, name }) => {
      const [row] = await database.run<Record<string, unknown>>(find, [owner, kind, name]);
      return row && draftFrom(row);
    },
    names: async (owner, kind) =>
      (await database.run<{ name: string }>(names, [owner, kind])).map(({ name }) => name),
    remove: async ({ owner, kind, name }) => (await database.run(remove, [owner, kind, name])).length === 1,
  };
}
