import type { DatabaseSync } from 'node:sqlite';
import type { MessageKind } from '../../messages/message.ts';
import type { DraftKey, DraftStore, SavedDraft } from '../../sends/drafts.ts';
import { transactionsOn } from './transaction.ts';

/** The `DraftStore` on one SQLite file; `database` comes from `openDatabase`. */
export function createSqliteDraftStore(database: DatabaseSync): DraftStore {
  const sql = prepare(database);
  const transaction = transactionsOn(database);
  const found = ({ owner, kind, name }: DraftKey) => sql.find.get(owner, kind, name);
  return {
    save: (draft) =>
      transaction(() => {
        const known = found(draft) !== undefined;
        const { owner, kind, name, values, savedAt } = draft;
        sql.put.run(owner, kind, name, JSON.stringify(values), savedAt);
        return known ? 'replaced' : 'added';
      }),
    find: async (key) => {
      const row = found(key);
      return row && draftFrom(row);
    },
    names: async (owner, kind) => sql.names.all(owner, kind).map(({ name }) => String(name)),
    remove: ({ owner, kind, name }) =>
      transaction(() => Number(sql.remove.run(owner, kind, name).changes) > 0),
  };
}

function prepare(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT * FROM drafts WHERE owner = ? AND kind = ? AND name = ?'),
    put: database.prepare(
      `INSERT INTO drafts (owner, kind, name, form, saved_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at`,
    ),
    names: database.prepare(
      'SELECT name FROM drafts WHERE owner = ? AND kind = ? ORDER BY saved_at DESC, name',
    ),
    remove: database.prepare('DELETE FROM drafts WHERE owner = ? AND kind = ? AND name = ?'),
  };
}

function draftFrom(row: Record<string, unknown>): SavedDraft {
  return {
    owner: String(row.owner),
    kind: row.kind as MessageKind,
    name: String(row.name),
    values: JSON.parse(String(row.form)) as SavedDraft['values'],
    savedAt: Number(row.saved_at),
  };
}
