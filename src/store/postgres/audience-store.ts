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
import { type Database, statement } from './database.ts';
import { OWNER_IS_DEAD } from './ownership-methods.ts';

const begin = statement(
  'begin_audience',
  `INSERT INTO audiences (id, source, file_name, columns, number_column, created_by, created_at, owner)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const append = statement(
  'append_rows',
  `INSERT INTO audience_rows (audience_id, row, number, cells)
   SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[])`,
);
const exclude = statement(
  'append_exclusions',
  `INSERT INTO audience_exclusions (audience_id, row, value, cause, reason)
   SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[], $5::text[])`,
);
const finish = statement(
  'finish_audience',
  'UPDATE audiences SET counts = $2, digest = $3 WHERE id = $1 AND digest IS NULL',
);
const findEvery = statement('find_audience', 'SELECT * FROM audiences WHERE id = $1 AND digest IS NOT NULL');
const findByName = statement(
  'find_audience_by_name',
  'SELECT * FROM audiences WHERE lower(name) = lower($1 COLLATE "C")',
);
const list = statement(
  'list_audiences',
  'SELECT * FROM audiences WHERE name IS NOT NULL ORDER BY lower(name) LIMIT $1',
);
const takeName = statement(
  'take_name',
  'UPDATE audiences SET name = NULL WHERE lower(name) = lower($1 COLLATE "C") RETURNING id',
);
const giveName = statement(
  'give_name',
  'UPDATE audiences SET name = $2 WHERE id = $1 AND digest IS NOT NULL',
);
const drop = statement(
  'drop_audiences',
  `WITH dropped AS (DELETE FROM audiences WHERE id = ANY ($1::text[]) AND digest IS NULL RETURNING id),
   rows AS (DELETE FROM audience_rows WHERE audience_id IN (SELECT id FROM dropped))
   DELETE FROM audience_exclusions WHERE audience_id IN (SELECT id FROM dropped)`,
);
// From then on it counts as unfinished, so that nobody finds it and a later start ends what is left to do.
const hideUnused = statement(
  'hide_unused_audiences',
  `UPDATE audiences SET digest = NULL, owner = $2 WHERE digest IS NOT NULL AND name IS NULL AND created_at < $1
     AND NOT EXISTS (SELECT FROM sends WHERE audience IS NOT NULL AND audience::json ->> 'id' = audiences.id) RETURNING id`,
);
const leftBehind = statement(
  'audiences_left_behind',
  `SELECT id FROM audiences WHERE digest IS NULL AND ${OWNER_IS_DEAD}`,
);
const rows = statement(
  'audience_rows',
  `SELECT row, number, cells FROM audience_rows WHERE audience_id = $1 AND row > $2 ORDER BY row LIMIT $3`,
);
const exclusions = statement(
  'audience_exclusions',
  `SELECT row, value, cause, reason FROM audience_exclusions WHERE audience_id = $1 AND row > $2 ORDER BY row LIMIT $3`,
);
const optOut = statement(
  'opt_out',
  `INSERT INTO opt_outs (number, at, actor, source)
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS given (number, at, actor, source)
   ORDER BY number ON CONFLICT DO NOTHING RETURNING number`,
);
const optIn = statement(
  'opt_in',
  `WITH removed AS (DELETE FROM opt_outs WHERE number = $1 RETURNING number)
   INSERT INTO opt_out_removals (at, actor, number) SELECT $2, $3, $4 FROM removed RETURNING id`,
);
const optOutRemovals = statement(
  'opt_out_removals',
  'SELECT id, at, actor, number FROM opt_out_removals WHERE id > $1 ORDER BY id LIMIT $2',
);
const findOptOut = statement(
  'find_opt_out',
  'SELECT number, at, actor, source FROM opt_outs WHERE number = $1',
);
const optedOut = statement('opted_out', 'SELECT number FROM opt_outs WHERE number = ANY ($1::text[])');
const countOptOuts = statement('count_opt_outs', 'SELECT count(*) AS count FROM opt_outs');
const listOptOuts = statement(
  'list_opt_outs',
  'SELECT number, at, actor, source FROM opt_outs WHERE number > $1 ORDER BY number LIMIT $2',
);

/** The `AudienceStore` on PostgreSQL. What a dead replica began and did not finish is swept first. */
export async function createPostgresAudienceStore(
  database: Database,
  replica: () => string | undefined,
): Promise<AudienceStore> {
  const left = await database.run<{ id: string }>(leftBehind, []);
  if (left.length > 0) await database.run(drop, [left.map(({ id }) => id)]);

  async function one(asked: typeof findEvery, key: string): Promise<Audience | undefined> {
    const [columns] = await database.run(asked, [key]);
    return columns === undefined ? undefined : audienceFrom(columns);
  }

  return {
    begin: async ({ id, source, fileName, columns, numberColumn, createdBy, createdAt }) => {
      const names = JSON.stringify(columns);
      const [file, column] = [fileName ?? null, numberColumn ?? null];
      await database.run(begin, [id, source, file, names, column, createdBy, createdAt, replica() ?? null]);
    },
    append: (audienceId, added, left) =>
      database.transaction(async (runner) => {
        if (added.length > 0) await runner.run(append, [audienceId, ...rowColumns(added)]);
        if (left.length > 0) await runner.run(exclude, [audienceId, ...exclusionColumns(left)]);
      }),
    finish: async (audienceId, counts, digest) => {
      await database.run(finish, [audienceId, JSON.stringify(counts), digest]);
      const audience = await one(findEvery, audienceId);
      if (audience === undefined) throw new Error(`There is no audience ${audienceId} to finish.`);
      return audience;
    },
    abandon: async (audienceId) => {
      await database.run(drop, [[audienceId]]);
    },
    find: (audienceId) => one(findEvery, audienceId),
    findByName: (name) => one(findByName, name),
    list: async (limit) => (await database.run(list, [limit])).map(audienceFrom),
    save: (audienceId, name) =>
      database.transaction(async (runner) => {
        await runner.run(takeName, [name]);
        await runner.run(giveName, [audienceId, name]);
      }),
    forget: async (name) => (await database.run(takeName, [name])).length === 1,
    sweepUnused: async (before) => {
      const unused = await database.run<{ id: string }>(hideUnused, [before, replica() ?? null]);
      for (const { id } of unused) await database.run(drop, [[id]]);
      return unused.length;
    },
    rows: async (audienceId, afterRow, limit) => {
      const found = await database.run<{ row: number; number: Msisdn; cells: string }>(rows, [
        audienceId,
        afterRow,
        limit,
      ]);
      return found.map(({ row, number, cells }) => ({ row, number, values: JSON.parse(cells) as string[] }));
    },
    exclusions: async (audienceId, afterRow, limit) => {
      const found = await database.run<Exclusion>(exclusions, [audienceId, afterRow, limit]);
      return found.map(({ row, value, cause, reason }) => ({
        row,
        value: said(value),
        cause,
        reason: said(reason),
      }));
    },
    ...optOutMethods(database),
  };
}

type OptOutMethods = Pick<
  AudienceStore,
  'optOut' | 'optIn' | 'optOutRemovals' | 'findOptOut' | 'optedOut' | 'countOptOuts' | 'listOptOuts'
>;

function optOutMethods(database: Database): OptOutMethods {
  return {
    optOut: async (optOuts) => {
      const columns = (['number', 'at', 'actor', 'source'] as const).map((name) =>
        optOuts.map((one) => one[name]),
      );
      return (await database.run(optOut, columns)).length;
    },
    optIn: async (number, { at, actor, number: masked }) =>
      (await database.run(optIn, [number, at, actor, masked])).length === 1,
    optOutRemovals: (afterId, limit) =>
      database.run<OptOutRemoval & { id: number }>(optOutRemovals, [afterId, limit]),
    findOptOut: async (number) => (await database.run<OptOut>(findOptOut, [number]))[0],
    optedOut: async (numbers) => {
      const found = await database.run<{ number: Msisdn }>(optedOut, [numbers]);
      return new Set(found.map(({ number }) => number));
    },
    countOptOuts: async () => (await database.run<{ count: number }>(countOptOuts, []))[0]?.count ?? 0,
    listOptOuts: (afterNumber, limit) => database.run<OptOut>(listOptOuts, [afterNumber, limit]),
  };
}

function rowColumns(added: readonly AudienceRow[]): readonly (readonly unknown[])[] {
  return [
    added.map(({ row }) => row),
    added.map(({ number }) => number),
    added.map(({ values }) => JSON.stringify(values)),
  ];
}

function exclusionColumns(left: readonly Exclusion[]): readonly (readonly unknown[])[] {
  return [
    left.map(({ row }) => row),
    left.map(({ value }) => JSON.stringify(value)),
    left.map(({ cause }) => cause),
    left.map(({ reason }) => JSON.stringify(reason)),
  ];
}

function said(json: string): string {
  return JSON.parse(json) as string;
}
