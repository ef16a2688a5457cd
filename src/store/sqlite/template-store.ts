import type { DatabaseSync } from 'node:sqlite';
import type { TemplateAuthor, TemplateStore, TemplateWrite } from '../../sends/templates/store.ts';
import { templateChangeFrom, templateFrom } from '../rows.ts';
import { transactionsOn } from './transaction.ts';

const NEWEST = Number.MAX_SAFE_INTEGER;

/** The `TemplateStore` on one SQLite file; `database` comes from `openDatabase`. */
export function createSqliteTemplateStore(database: DatabaseSync): TemplateStore {
  const sql = prepare(database);
  const transaction = transactionsOn(database);

  function isStale({ template, expected }: TemplateWrite): boolean {
    return Number(sql.find.get(template.channel, template.name)?.revision ?? 0) !== expected;
  }

  function put({ template, archived, action, expected }: TemplateWrite, author: TemplateAuthor): void {
    const { channel, name } = template;
    const { actor, at, source } = author;
    const definition = JSON.stringify(template);
    sql.put.run(channel, name, definition, archived ? 1 : 0, expected + 1, actor, at);
    sql.record.run(channel, name, expected + 1, action, source, actor, at, definition);
  }

  return {
    all: async () => sql.all.all().map(templateFrom),
    find: async ({ channel, name }) => {
      const row = sql.find.get(channel, name);
      return row && templateFrom(row);
    },
    write: (writes, author) =>
      transaction(() => {
        const stale = writes.filter(isStale);
        if (stale.length === 0) for (const write of writes) put(write, author);
        return stale.map(({ template: { channel, name } }) => ({ channel, name }));
      }),
    history: async ({ channel, name }, limit, before = NEWEST) =>
      sql.history.all(channel, name, before, limit).map(templateChangeFrom),
    version: async () => Number(sql.version.get()?.version ?? 0),
  };
}

function prepare(database: DatabaseSync) {
  return {
    all: database.prepare('SELECT * FROM templates ORDER BY channel, name'),
    find: database.prepare('SELECT * FROM templates WHERE channel = ? AND name = ?'),
    put: database.prepare(
      `INSERT INTO templates (channel, name, definition, archived, revision, changed_by, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET definition = excluded.definition, archived = excluded.archived,
         revision = excluded.revision, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
    ),
    record: database.prepare(
      `INSERT INTO template_changes (channel, name, revision, action, source, actor, at, definition)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    history: database.prepare(
      `SELECT * FROM template_changes WHERE channel = ? AND name = ? AND revision < ? ORDER BY revision DESC LIMIT ?`,
    ),
    version: database.prepare('SELECT max(id) AS version FROM template_changes'),
  };
}
