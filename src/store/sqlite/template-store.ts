import type { DatabaseSync } from 'node:sqlite';
import type { Template } from '../../messages/template.ts';
import type {
  StoredTemplate,
  TemplateAction,
  TemplateAuthor,
  TemplateChange,
  TemplateSource,
  TemplateStore,
  TemplateWrite,
} from '../../sends/templates/store.ts';
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
    all: async () => sql.all.all().map(storedFrom),
    find: async ({ channel, name }) => {
      const row = sql.find.get(channel, name);
      return row && storedFrom(row);
    },
    write: (writes, author) =>
      transaction(() => {
        const stale = writes.filter(isStale);
        if (stale.length === 0) for (const write of writes) put(write, author);
        return stale.map(({ template: { channel, name } }) => ({ channel, name }));
      }),
    history: async ({ channel, name }, limit, before = NEWEST) =>
      sql.history.all(channel, name, before, limit).map(changeFrom),
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

function storedFrom(row: Record<string, unknown>): StoredTemplate {
  return {
    template: JSON.parse(String(row.definition)) as Template,
    archived: row.archived === 1,
    revision: Number(row.revision),
    changedBy: String(row.changed_by),
    changedAt: Number(row.changed_at),
  };
}

function changeFrom(row: Record<string, unknown>): TemplateChange {
  return {
    revision: Number(row.revision),
    action: row.action as TemplateAction,
    source: row.source as TemplateSource,
    actor: String(row.actor),
    at: Number(row.at),
    template: JSON.parse(String(row.definition)) as Template,
  };
}
