import type { MessageKind } from '../messages/kinds.ts';
import type { DraftKey, DraftStore, SavedDraft } from '../sends/drafts.ts';
import type { InputAttempts, InputSource } from '../sends/set-aside.ts';
import { createAlertStore } from './alert-store.ts';
import { createConversationStore } from './conversation-store.ts';
import { createNoticeStore } from './notice-store.ts';
import { createPostStore } from './post-store.ts';
import type { Database, Row, Runner } from './sql.ts';
import { createTemplateStore } from './template-store.ts';

/** The stores in which nothing differs between the databases but a word of SQL. */
export function commonStores(database: Database) {
  return {
    templates: createTemplateStore(database),
    drafts: createDraftStore(database),
    conversations: createConversationStore(database),
    alerts: createAlertStore(database),
    inputs: createInputAttempts(database),
    notices: createNoticeStore(database),
    posts: createPostStore(database),
  };
}

const ONE_DRAFT = 'owner = :owner AND kind = :kind AND name = :name';
const FIND_DRAFT = `SELECT owner, kind, name, form, saved_at FROM drafts WHERE ${ONE_DRAFT}`;
const PUT_DRAFT = `INSERT INTO drafts (owner, kind, name, form, saved_at)
  VALUES (:owner, :kind, :name, :form, :savedAt)
  ON CONFLICT (owner, kind, name) DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at`;
const DRAFT_NAMES =
  'SELECT name FROM drafts WHERE owner = :owner AND kind = :kind ORDER BY saved_at DESC, name';

function createDraftStore(database: Database): DraftStore {
  return {
    save: (draft) =>
      database.transaction(async (runner) => {
        const known = await findDraft(runner, draft);
        await runner.change(PUT_DRAFT, { ...draft, form: JSON.stringify(draft.values) });
        return known === undefined ? 'added' : 'replaced';
      }),
    find: (key) => findDraft(database, key),
    names: async (owner, kind) =>
      (await database.run(DRAFT_NAMES, { owner, kind })).map(({ name }) => String(name)),
    remove: async (key) => (await database.change(`DELETE FROM drafts WHERE ${ONE_DRAFT}`, key)) === 1,
  };
}

async function findDraft(runner: Runner, key: DraftKey): Promise<SavedDraft | undefined> {
  const [row] = await runner.run(FIND_DRAFT, key);
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

const GIVEN_INPUTS = 'source = :source AND id IN (:ids...)';
const ATTEMPTS = `SELECT id, attempts FROM input_attempts WHERE ${GIVEN_INPUTS} ORDER BY id`;
/**
 * Of several replicas one at a time attempts the same input. One that has stood still for a minute while it attempts
 * something counts as gone, by the database's own clock. In one order, so that no two wait for each other.
 */
const BEGIN_ATTEMPT = {
  sqlite: `INSERT INTO input_attempts (source, id, attempts) SELECT :source, value, 1 FROM json_each(:ids) WHERE true
    ON CONFLICT (source, id) DO UPDATE SET attempts = attempts + 1 RETURNING id`,
  postgres: `INSERT INTO input_attempts (source, id, attempts, held_until)
      SELECT :source, id, 1, clock_timestamp() + interval '60 seconds' FROM unnest(:ids::text[]) AS given (id) ORDER BY id
    ON CONFLICT (source, id) DO UPDATE SET attempts = input_attempts.attempts + 1, held_until = excluded.held_until
      WHERE input_attempts.held_until <= clock_timestamp()
    RETURNING id`,
};
const FAILED_ATTEMPT = {
  sqlite: `UPDATE input_attempts SET attempts = attempts - :spared WHERE ${GIVEN_INPUTS}`,
  postgres: `UPDATE input_attempts SET held_until = '-infinity', attempts = attempts - :spared WHERE ${GIVEN_INPUTS}`,
};
const SET_ASIDE = `UPDATE input_attempts SET set_aside_at = :at
  WHERE source = :source AND id = :id AND set_aside_at IS NULL`;
const SET_ASIDE_COUNTS = `SELECT source, count(*) AS count FROM input_attempts
  WHERE set_aside_at IS NOT NULL GROUP BY source ORDER BY source`;

function createInputAttempts(database: Database): InputAttempts {
  return {
    counts: async (source, ids) =>
      (await database.run(ATTEMPTS, { source, ids })).map(({ id, attempts }) => ({
        id: String(id),
        attempts: Number(attempts),
      })),
    begin: async (source, ids) =>
      (await database.run(BEGIN_ATTEMPT, { source, ids })).map(({ id }) => String(id)),
    end: async (source, ids) => {
      await database.change(`DELETE FROM input_attempts WHERE ${GIVEN_INPUTS}`, { source, ids });
    },
    failed: (source, ids, counted) =>
      database.transaction(async (runner) => {
        await runner.change(FAILED_ATTEMPT, { source, ids, spared: counted ? 0 : 1 });
        await runner.change(`DELETE FROM input_attempts WHERE ${GIVEN_INPUTS} AND attempts <= 0`, {
          source,
          ids,
        });
      }),
    setAside: async (source, id, at) => (await database.change(SET_ASIDE, { source, id, at })) === 1,
    setAsideCounts: async () =>
      (await database.run(SET_ASIDE_COUNTS)).map(({ source, count }) => ({
        source: source as InputSource,
        count: Number(count),
      })),
  };
}
