import type { MessageKind } from '../messages/kinds.ts';
import type { DraftKey, DraftStore, SavedDraft } from '../sends/drafts.ts';
import type { Database, Row, Runner } from './sql.ts';

const ONE = 'owner = :owner AND kind = :kind AND name = :name';
const FIND = `SELECT owner, kind, name, form, saved_at FROM drafts WHERE ${ONE}`;
const PUT = `INSERT INTO drafts (owner, kind, name, form, saved_at)
  VALUES (:owner, :kind, :name, :form, :savedAt)
  ON CONFLICT (owner, kind, name) DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at`;
const NAMES = 'SELECT name FROM drafts WHERE owner = :owner AND kind = :kind ORDER BY saved_at DESC, name';

export function createDraftStore(database: Database): DraftStore {
  return {
    save: (draft) =>
      database.transaction(async (runner) => {
        const known = await find(runner, draft);
        await runner.change(PUT, { ...draft, form: JSON.stringify(draft.values) });
        return known === undefined ? 'added' : 'replaced';
      }),
    find: (key) => find(database, key),
    names: async (owner, kind) =>
      (await database.run(NAMES, { owner, kind })).map(({ name }) => String(name)),
    remove: async (key) => (await database.change(`DELETE FROM drafts WHERE ${ONE}`, key)) === 1,
  };
}

async function find(runner: Runner, key: DraftKey): Promise<SavedDraft | undefined> {
  const [row] = await runner.run(FIND, key);
  return row && draftFrom(row);
}

function draftFrom(row: Row): SavedDraft {
  return {
    owner: String(row.owner),
    kind: row.kind as MessageKind,
    name: String(row.name),
    values: JSON.parse(String(row.form)) as SavedDraft['values'],
    savedAt: Number(row.saved_at),
  };
}
