import type { Template } from '../messages/templates/template.ts';
import type {
  StoredTemplate,
  TemplateAction,
  TemplateChange,
  TemplateKey,
  TemplateSource,
  TemplateStore,
  TemplateWrite,
} from '../sends/templates/store.ts';
import { alone, type Database, type Row, type Runner } from './sql.ts';

const ALL = 'SELECT definition, archived, revision, changed_by, changed_at FROM templates';
const FIND = `${ALL} WHERE channel = :channel AND name = :name`;
// People write now and then: one at a time, so that a write sees every earlier one, and versions come in order.
const WRITE_ALONE = alone('LOCK TABLE templates IN SHARE ROW EXCLUSIVE MODE');
const PUT = `INSERT INTO templates (channel, name, definition, archived, revision, changed_by, changed_at)
  VALUES (:channel, :name, :definition, :archived, :revision, :actor, :at)
  ON CONFLICT (channel, name) DO UPDATE SET definition = excluded.definition, archived = excluded.archived,
    revision = excluded.revision, changed_by = excluded.changed_by, changed_at = excluded.changed_at`;
const RECORD = `INSERT INTO template_changes (channel, name, revision, action, source, actor, at, definition)
  VALUES (:channel, :name, :revision, :action, :source, :actor, :at, :definition)`;
const HISTORY = `SELECT revision, action, source, actor, at, definition FROM template_changes
  WHERE channel = :channel AND name = :name AND revision < CAST(:before AS BIGINT)
  ORDER BY revision DESC LIMIT :limit`;

export function createTemplateStore(database: Database): TemplateStore {
  return {
    all: async () => (await database.run(`${ALL} ORDER BY channel, name`)).map(templateFrom),
    find: (key) => find(database, key),
    write: (writes, author) =>
      database.transaction(async (runner) => {
        await runner.run(WRITE_ALONE);
        const stale: TemplateWrite[] = [];
        for (const write of writes) {
          const known = await find(runner, write.template);
          if ((known?.revision ?? 0) !== write.expected) stale.push(write);
        }
        if (stale.length > 0) return stale.map(({ template: { channel, name } }) => ({ channel, name }));
        for (const { template, archived, action, expected } of writes) {
          const written = {
            ...author,
            channel: template.channel,
            name: template.name,
            definition: JSON.stringify(template),
            archived: archived ? 1 : 0,
            revision: expected + 1,
            action,
          };
          await runner.change(PUT, written);
          await runner.change(RECORD, written);
        }
        return [];
      }),
    history: async ({ channel, name }, limit, before = Number.MAX_SAFE_INTEGER) =>
      (await database.run(HISTORY, { channel, name, limit, before })).map(templateChangeFrom),
    version: async () =>
      Number((await database.run('SELECT max(id) AS version FROM template_changes'))[0]?.version ?? 0),
  };
}

async function find(runner: Runner, { channel, name }: TemplateKey): Promise<StoredTemplate | undefined> {
  const [row] = await runner.run(FIND, { channel, name });
  return row && templateFrom(row);
}

function templateFrom(row: Row): StoredTemplate {
  return {
    template: JSON.parse(String(row.definition)) as Template,
    archived: row.archived === 1,
    revision: Number(row.revision),
    changedBy: String(row.changed_by),
    changedAt: Number(row.changed_at),
  };
}

function templateChangeFrom(row: Row): TemplateChange {
  return {
    revision: Number(row.revision),
    action: row.action as TemplateAction,
    source: row.source as TemplateSource,
    actor: String(row.actor),
    at: Number(row.at),
    template: JSON.parse(String(row.definition)) as Template,
  };
}
