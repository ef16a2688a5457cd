import type { DatabaseSync } from 'node:sqlite';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type {
  Audience,
  AudienceRow,
  AudienceStore,
  Exclusion,
  OptOut,
  OptOutRemoval,
} from '../../sends/audience.ts';
import { audienceFrom } from '../rows.ts';
import { transactionsOn } from './transaction.ts';

/** Rows deleted in one transaction when there is no hurry. */
const PORTION = 5_000;

/** The `AudienceStore` on one SQLite file; `database` comes from `openDatabase`. What was begun and not finished is swept. */
export function createSqliteAudienceStore(database: DatabaseSync): AudienceStore {
  const sql = prepare(database);
  const transaction = transactionsOn(database);

  function drop(audienceId: string): void {
    sql.deleteRows.run(audienceId);
    sql.deleteExclusions.run(audienceId);
    sql.deleteAudience.run(audienceId);
  }

  for (const { id } of sql.unfinished.all()) drop(String(id));

  /** A million rows in one transaction would hold up whoever waits for this thread. */
  async function dropInPortions(audienceId: string): Promise<void> {
    for (const statement of [sql.deleteSomeRows, sql.deleteSomeExclusions]) {
      while ((await transaction(() => statement.run(audienceId, audienceId, PORTION).changes)) > 0)
        await new Promise((resolve) => setImmediate(resolve));
    }
    await transaction(() => sql.deleteAudience.run(audienceId));
  }

  /** From then on it counts as unfinished, so that nobody finds it and the next start ends what is left to do. */
  async function sweepUnused(before: number): Promise<number> {
    const unused = await transaction(() => sql.hideUnused.all(before).map(({ id }) => String(id)));
    for (const id of unused) await dropInPortions(id);
    return unused.length;
  }

  function append(audienceId: string, rows: readonly AudienceRow[], exclusions: readonly Exclusion[]): void {
    for (const { row, number, values } of rows)
      sql.insertRow.run(audienceId, row, number, JSON.stringify(values));
    for (const { row, value, cause, reason } of exclusions)
      sql.insertExclusion.run(audienceId, row, value, cause, reason);
  }

  function found(columns: unknown): Audience | undefined {
    return columns === undefined ? undefined : audienceFrom(columns);
  }

  return {
    begin: ({ id, source, fileName, columns, numberColumn, createdBy, createdAt }) =>
      transaction(() => {
        sql.begin.run(
          id,
          source,
          fileName ?? null,
          JSON.stringify(columns),
          numberColumn ?? null,
          createdBy,
          createdAt,
        );
      }),
    append: (audienceId, rows, exclusions) => transaction(() => append(audienceId, rows, exclusions)),
    finish: (audienceId, counts, digest) =>
      transaction(() => {
        sql.finish.run(JSON.stringify(counts), digest, audienceId);
        return audienceFrom(sql.find.get(audienceId));
      }),
    abandon: (audienceId) =>
      transaction(() => {
        if (sql.find.get(audienceId) === undefined) drop(audienceId);
      }),
    find: async (audienceId) => found(sql.find.get(audienceId)),
    findByName: async (name) => found(sql.findByName.get(name)),
    list: async (limit) => sql.list.all(limit).map(audienceFrom),
    save: (audienceId, name) =>
      transaction(() => {
        sql.takeName.run(name);
        sql.giveName.run(name, audienceId);
      }),
    forget: (name) => transaction(() => sql.takeName.run(name).changes === 1),
    sweepUnused,
    rows: async (audienceId, afterRow, limit) =>
      sql.rows.all(audienceId, afterRow, limit).map(({ row, number, cells }) => ({
        row: Number(row),
        number: number as Msisdn,
        values: JSON.parse(String(cells)) as string[],
      })),
    exclusions: async (audienceId, afterRow, limit) =>
      sql.exclusions.all(audienceId, afterRow, limit) as unknown as Exclusion[],
    optOut: (optOuts) =>
      transaction(() =>
        optOuts.reduce(
          (added, { number, at, actor, source }) =>
            added + Number(sql.optOut.run(number, at, actor, source).changes),
          0,
        ),
      ),
    optIn: (number, { at, actor, number: masked }) =>
      transaction(() => {
        if (sql.optIn.run(number).changes === 0) return false;
        sql.noteRemoval.run(at, actor, masked);
        return true;
      }),
    optOutRemovals: async (afterId, limit) =>
      sql.optOutRemovals.all(afterId, limit) as unknown as (OptOutRemoval & { id: number })[],
    findOptOut: async (number) => sql.findOptOut.get(number) as OptOut | undefined,
    optedOut: async (numbers) =>
      new Set(sql.optedOut.all(JSON.stringify(numbers)).map(({ number }) => number as Msisdn)),
    countOptOuts: async () => Number(sql.countOptOuts.get()?.count),
    listOptOuts: async (afterNumber, limit) => sql.listOptOuts.all(afterNumber, limit) as unknown as OptOut[],
  };
}

function prepare(database: DatabaseSync) {
  return {
    begin: database.prepare(
      `INSERT INTO audiences (id, source, file_name, columns, number_column, created_by, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    finish: database.prepare('UPDATE audiences SET counts = ?, digest = ? WHERE id = ? AND digest IS NULL'),
    unfinished: database.prepare('SELECT id FROM audiences WHERE digest IS NULL'),
    find: database.prepare('SELECT * FROM audiences WHERE id = ? AND digest IS NOT NULL'),
    findByName: database.prepare('SELECT * FROM audiences WHERE name = ?'),
    list: database.prepare('SELECT * FROM audiences WHERE name IS NOT NULL ORDER BY name LIMIT ?'),
    takeName: database.prepare('UPDATE audiences SET name = NULL WHERE name = ?'),
    giveName: database.prepare('UPDATE audiences SET name = ? WHERE id = ? AND digest IS NOT NULL'),
    deleteAudience: database.prepare('DELETE FROM audiences WHERE id = ?'),
    hideUnused: database.prepare(
      `UPDATE audiences SET digest = NULL WHERE digest IS NOT NULL AND name IS NULL AND created_at < ?
         AND id NOT IN (SELECT json_extract(audience, '$.id') FROM sends WHERE audience IS NOT NULL) RETURNING id`,
    ),
    deleteSomeRows: database.prepare(
      `DELETE FROM audience_rows WHERE audience_id = ? AND row IN
         (SELECT row FROM audience_rows WHERE audience_id = ? LIMIT ?)`,
    ),
    deleteSomeExclusions: database.prepare(
      `DELETE FROM audience_exclusions WHERE audience_id = ? AND row IN
         (SELECT row FROM audience_exclusions WHERE audience_id = ? LIMIT ?)`,
    ),
    deleteRows: database.prepare('DELETE FROM audience_rows WHERE audience_id = ?'),
    deleteExclusions: database.prepare('DELETE FROM audience_exclusions WHERE audience_id = ?'),
    insertRow: database.prepare(
      'INSERT INTO audience_rows (audience_id, row, number, cells) VALUES (?, ?, ?, ?)',
    ),
    insertExclusion: database.prepare(
      'INSERT INTO audience_exclusions (audience_id, row, value, cause, reason) VALUES (?, ?, ?, ?, ?)',
    ),
    rows: database.prepare(
      'SELECT row, number, cells FROM audience_rows WHERE audience_id = ? AND row > ? ORDER BY row LIMIT ?',
    ),
    exclusions: database.prepare(
      `SELECT row, value, cause, reason FROM audience_exclusions WHERE audience_id = ? AND row > ? ORDER BY row LIMIT ?`,
    ),
    optOut: database.prepare(
      'INSERT INTO opt_outs (number, at, actor, source) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    optIn: database.prepare('DELETE FROM opt_outs WHERE number = ?'),
    noteRemoval: database.prepare('INSERT INTO opt_out_removals (at, actor, number) VALUES (?, ?, ?)'),
    optOutRemovals: database.prepare('SELECT * FROM opt_out_removals WHERE id > ? ORDER BY id LIMIT ?'),
    findOptOut: database.prepare('SELECT number, at, actor, source FROM opt_outs WHERE number = ?'),
    optedOut: database.prepare(
      'SELECT number FROM opt_outs WHERE number IN (SELECT value FROM json_each(?))',
    ),
    countOptOuts: database.prepare('SELECT count(*) AS count FROM opt_outs'),
    listOptOuts: database.prepare(
      'SELECT number, at, actor, source FROM opt_outs WHERE number > ? ORDER BY number LIMIT ?',
    ),
  };
}
