import type { TemplateAuthor, TemplateStore, TemplateWrite } from '../../sends/templates/store.ts';
import { templateChangeFrom, templateFrom } from '../rows.ts';
import { type Database, type Runner, statement } from './database.ts';

type Row = Record<string, unknown>;

const all = statement('all_templates', 'SELECT * FROM templates ORDER BY channel, name');
const find = statement('find_template', 'SELECT * FROM templates WHERE channel = $1 AND name = $2');
// People write now and then: one at a time, so that a write sees every earlier one, and versions come in order.
const alone = statement('write_templates_alone', 'LOCK TABLE templates IN SHARE ROW EXCLUSIVE MODE');
const put = statement(
  'put_template',
  `WITH written AS (INSERT INTO templates (channel, name, definition, archived, revision, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (channel, name) DO UPDATE SET definition = excluded.definition, archived = excluded.archived,
       revision = excluded.revision, changed_by = excluded.changed_by, changed_at = excluded.changed_at)
   INSERT INTO template_changes (channel, name, revision, action, source, actor, at, definition)
   VALUES ($1, $2, $5, $8, $9, $6, $7, $3)`,
);
const history = statement(
  'template_history',
  `SELECT * FROM template_changes WHERE channel = $1 AND name = $2 AND ($3::int IS NULL OR revision < $3)
   ORDER BY revision DESC LIMIT $4`,
);
const version = statement('template_version', 'SELECT coalesce(max(id), 0) AS version FROM template_changes');

/** The `TemplateStore` on PostgreSQL. */
export function createPostgresTemplateStore(database: Database): TemplateStore {
  return {
    all: async () => (await database.run<Row>(all, [])).map(templateFrom),
    find: async ({ channel, name }) => {
      const [row] = await database.run<Row>(find, [channel, name]);
      return row && templateFrom(row);
    },
    write: (writes, author) => database.transaction((runner) => write(runner, writes, author)),
    history: async ({ channel, name }, limit, before) =>
      (await database.run<Row>(history, [channel, name, before ?? null, limit])).map(templateChangeFrom),
    version: async () => (await database.run<{ version: number }>(version, []))[0]?.version ?? 0,
  };
}

async function write(
  runner: Runner,
  writes: readonly TemplateWrite[],
  { actor, at, source }: TemplateAuthor,
) {
  await runner.run(alone, []);
  const stale: TemplateWrite[] = [];
  for (const one of writes) {
    const [row] = await runner.run<Row>(find, [one.template.channel, one.template.name]);
    if (Number(row?.revision ?? 0) !== one.expected) stale.push(one);
  }
  if (stale.length === 0) {
    for (const { template, archived, action, expected } of writes) {
      const { channel, name } = template;
      const definition = JSON.stringify(template);
      await runner.run(put, [
        channel,
        name,
        definition,
        archived ? 1 : 0,
        expected + 1,
        actor,
        at,
        action,
        source,
      ]);
    }
  }
  return stale.map(({ template: { channel, name } }) => ({ channel, name }));
}
