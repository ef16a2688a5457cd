import { personOf, spellingsOf } from '../messages/numbers/person.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Audience, AudienceStore, Exclusion, OptOut, OptOutRemoval } from '../sends/audience.ts';
import { UNENDED } from '../sends/states.ts';
import { type Database, insertInto, type OwnerColumn, type Row, type Sql, sql } from './sql.ts';

const FINISH = 'UPDATE audiences SET counts = :counts, digest = :digest WHERE id = :id AND digest IS NULL';
const AUDIENCES = `SELECT id, name, source, file_name, columns, number_column, counts, digest, created_by, created_at
  FROM audiences`;
const FIND = `${AUDIENCES} WHERE id = :id AND digest IS NOT NULL`;
/** A name is the same in capitals; the column of SQLite compares like that. */
const NAMED = { sqlite: 'name = :name', postgres: 'lower(name) = lower(:name COLLATE "C")' };
const BY_NAME = { sqlite: 'name', postgres: 'lower(name)' };
const FIND_BY_NAME = sql`${AUDIENCES} WHERE ${NAMED}`;
const LIST = sql`${AUDIENCES} WHERE name IS NOT NULL ORDER BY ${BY_NAME} LIMIT :limit`;
const TAKE_NAME = sql`UPDATE audiences SET name = NULL WHERE ${NAMED}`;
const GIVE_NAME = 'UPDATE audiences SET name = :name WHERE id = :id AND digest IS NOT NULL';

// From then on it counts as unfinished, so that nobody finds it and a later start ends what is left to do.
const OWNED = { sqlite: '', postgres: ', owner = :owner' };
const USED = { sqlite: "json_extract(audience, '$.id')", postgres: "audience::json ->> 'id'" };
const hide = (which: string, users: string) => sql`UPDATE audiences SET digest = NULL, name = NULL${OWNED}
  WHERE digest IS NOT NULL AND created_at < :before ${which}
    AND id NOT IN (SELECT ${USED} FROM sends WHERE audience IS NOT NULL ${users}) RETURNING id`;
const HIDE_UNUSED = hide('AND name IS NULL', '');
/** Whatever name it has, when no send that is younger or has not ended was to go to it. */
const HIDE_OLD = hide('', 'AND (created_at >= :before OR state IN (:unended...))');
const ROWS = `SELECT row, number, cells FROM audience_rows
  WHERE audience_id = :id AND row > :afterRow ORDER BY row LIMIT :limit`;
const EXCLUSIONS = `SELECT row, value, cause, reason FROM audience_exclusions
  WHERE audience_id = :id AND row > :afterRow ORDER BY row LIMIT :limit`;

const GIVEN_OPT_OUTS = {
  sqlite: `SELECT value ->> 'number', value ->> 'at', value ->> 'actor', value ->> 'source'
    FROM json_each(:optOuts) WHERE true`,
  postgres: `SELECT number, at, actor, source FROM json_to_recordset(:optOuts::json)
    AS given (number text, at bigint, actor text, source text) ORDER BY number`,
};
const OPT_OUT = sql`INSERT INTO opt_outs (number, at, actor, source) ${GIVEN_OPT_OUTS} ON CONFLICT DO NOTHING`;
export const OPT_OUTS = 'SELECT number, at, actor, source FROM opt_outs';
const OPTED_OUT = 'SELECT number FROM opt_outs WHERE number IN (:numbers...)';
const OPT_IN = 'DELETE FROM opt_outs WHERE number IN (:spellings...)';
const RECORD_REMOVAL = 'INSERT INTO opt_out_removals (at, actor, number) VALUES (:at, :actor, :number)';
const REMOVALS = `SELECT id, at, actor, number FROM opt_out_removals WHERE id > :afterId ORDER BY id LIMIT :limit`;

/** What each database does in its own way: a million rows are written. */
export interface AudienceRows extends Pick<AudienceStore, 'append'> {
  /** Drops an audience that is not finished, with all of its rows. */
  drop(audienceId: string): Promise<void>;
}

/** What people wrote may hold U+0000, which PostgreSQL takes within JSON only. */
function exclusionFrom({ value, reason, ...stored }: Exclusion): Exclusion {
  return { ...stored, value: JSON.parse(value) as string, reason: JSON.parse(reason) as string };
}

export function createAudienceStore(
  database: Database,
  { append, drop }: AudienceRows,
  owner: OwnerColumn,
): AudienceStore {
  async function one(found: Promise<readonly Row[]>): Promise<Audience | undefined> {
    const [row] = await found;
    return row && audienceFrom(row);
  }

  async function sweep(statement: Sql, before: number): Promise<number> {
    const hidden = await database.run(statement, { before, unended: UNENDED, ...owner() });
    for (const { id } of hidden) await drop(String(id));
    return hidden.length;
  }

  return {
    begin: async (audience) => {
      const columns = {
        id: audience.id,
        source: audience.source,
        file_name: audience.fileName,
        columns: JSON.stringify(audience.columns),
        number_column: audience.numberColumn,
        created_by: audience.createdBy,
        created_at: audience.createdAt,
        ...owner(),
      };
      await database.change(insertInto('audiences', columns), columns);
    },
    append,
    finish: async (id, counts, digest) => {
      await database.change(FINISH, { id, counts: JSON.stringify(counts), digest });
      const audience = await one(database.run(FIND, { id }));
      if (audience === undefined) throw new Error(`There is no audience ${id} to finish.`);
      return audience;
    },
    abandon: drop,
    find: (id) => one(database.run(FIND, { id })),
    findByName: (name) => one(database.run(FIND_BY_NAME, { name })),
    list: async (limit) => (await database.run(LIST, { limit })).map(audienceFrom),
    save: (id, name) =>
      database.transaction(async (runner) => {
        await runner.change(TAKE_NAME, { name });
        await runner.change(GIVE_NAME, { id, name });
      }),
    forget: async (name) => (await database.change(TAKE_NAME, { name })) === 1,
    sweepUnused: (before) => sweep(HIDE_UNUSED, before),
    sweepOld: (before) => sweep(HIDE_OLD, before),
    rows: async (id, afterRow, limit) =>
      (await database.run(ROWS, { id, afterRow, limit })).map(({ row, number, cells }) => ({
        row: Number(row),
        number: number as Msisdn,
        values: JSON.parse(String(cells)) as string[],
      })),
    exclusions: async (id, afterRow, limit) =>
      (await database.run<Exclusion>(EXCLUSIONS, { id, afterRow, limit })).map(exclusionFrom),
    ...optOutMethods(database),
  };
}

type OptOutMethods = Pick<
  AudienceStore,
  'optOut' | 'optIn' | 'optOutRemovals' | 'findOptOut' | 'optedOut' | 'countOptOuts' | 'listOptOuts'
>;

export function optOutMethods(database: Database): OptOutMethods {
  return {
    optOut: (optOuts) => {
      const people = optOuts.map((optOut) => ({ ...optOut, number: personOf(optOut.number) }));
      return database.change(OPT_OUT, { optOuts: JSON.stringify(people) });
    },
    optIn: (number, removal) =>
      database.transaction(async (runner) => {
        if ((await runner.change(OPT_IN, { number })) === 0) return false;
        await runner.change(RECORD_REMOVAL, removal);
        return true;
      }),
    optOutRemovals: (afterId, limit) =>
      database.run<OptOutRemoval & { id: number }>(REMOVALS, { afterId, limit }),
    findOptOut: async (number) =>
      (await database.run<OptOut>(`${OPT_OUTS} WHERE number IN (:spellings...)`, { number }))[0],
    optedOut: async (numbers) => {
      const found = await database.run<OptOut>(OPTED_OUT, { numbers: numbers.flatMap(spellingsOf) });
      const people = new Set(found.map(({ number }) => personOf(number)));
      return new Set(numbers.filter((number) => people.has(personOf(number))));
    },
    countOptOuts: async () =>
      Number((await database.run('SELECT count(*) AS count FROM opt_outs'))[0]?.count),
    listOptOuts: (afterNumber, limit) =>
      database.run<OptOut>(`${OPT_OUTS} WHERE number > :afterNumber ORDER BY number LIMIT :limit`, {
        afterNumber,
        limit,
      }),
  };
}

function audienceFrom(row: Row): Audience {
  return {
    id: String(row.id),
    source: row.source as Audience['source'],
    columns: JSON.parse(String(row.columns)) as string[],
    counts: JSON.parse(String(row.counts)) as Audience['counts'],
    digest: String(row.digest),
    createdBy: String(row.created_by),
    createdAt: Number(row.created_at),
    ...(row.name !== null && { name: String(row.name) }),
    ...(row.file_name !== null && { fileName: String(row.file_name) }),
    ...(row.number_column !== null && { numberColumn: String(row.number_column) }),
  };
}
