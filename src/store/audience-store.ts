import { setImmediate } from 'node:timers/promises';
import { personOf, spellingsOf } from '../messages/numbers/person.ts';
import type { Audience, AudienceStore, ListedRow, OptOut, OptOutRemoval } from '../sends/audience.ts';
import { UNENDED } from '../sends/states.ts';
import {
  columnsFrom,
  type Database,
  insertInto,
  type OwnerColumn,
  type Row,
  type Runner,
  type Sql,
  sql,
  valueFrom,
} from './sql.ts';

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
const ROWS = `SELECT row, number, cells AS "values" FROM audience_rows
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

/** The database reads the JSON itself: of many rows in half of the time of a call for each. */
const EACH = (list: string): Sql => ({
  sqlite: `jsonb_each(:${list})`,
  postgres: `json_array_elements(:${list}::json) AS given (value)`,
});
const APPEND = sql`INSERT INTO audience_rows (audience_id, row, number, cells)
  SELECT :id, CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 2 FROM ${EACH('rows')}`;
const EXCLUDE = sql`INSERT INTO audience_exclusions (audience_id, row, value, cause, reason)
  SELECT :id, CAST(value ->> 'row' AS INTEGER), value ->> 'value', value ->> 'cause', value ->> 'reason'
  FROM ${EACH('exclusions')}`;

/** What people wrote may hold U+0000, which PostgreSQL reads only where it stands in JSON within a text of the JSON. */
function readable(rows: string): string {
  if (!rows.includes(String.raw`\u0000`)) return rows;
  const listed = JSON.parse(rows) as ListedRow[];
  return JSON.stringify(listed.map(([row, number, values]) => [row, number, JSON.stringify(values)]));
}

/** Rows deleted in one transaction: a million would hold up whoever waits for the database. */
const PORTION = 5_000;
/** When several replicas drop the same list, each waits here for the portion of the other. */
const LOCK_UNFINISHED = 'SELECT id FROM audiences WHERE id = :id AND digest IS NULL FOR UPDATE';
const DELETE_SOME = ['audience_rows', 'audience_exclusions'].map(
  (table) => `DELETE FROM ${table} WHERE audience_id = :id AND row IN
    (SELECT row FROM ${table} WHERE audience_id = :id LIMIT ${PORTION})`,
);

/** Removes an audience that is not finished, with all of its rows. */
export async function dropAudience(database: Database, id: string): Promise<void> {
  const dropSome = async (runner: Runner): Promise<boolean> => {
    if ((await runner.run(LOCK_UNFINISHED, { id })).length === 0) return false;
    for (const some of DELETE_SOME) if ((await runner.change(some, { id })) > 0) return true;
    // Last, so that the next start ends what breaks off.
    await runner.change('DELETE FROM audiences WHERE id = :id', { id });
    return false;
  };
  while (await database.transaction(dropSome)) await setImmediate();
}

export function createAudienceStore(database: Database, owner: OwnerColumn): AudienceStore {
  async function one(found: Promise<readonly Row[]>): Promise<Audience | undefined> {
    const [row] = await found;
    return row && audienceFrom(row);
  }

  async function sweep(statement: Sql, before: number): Promise<number> {
    const hidden = await database.run(statement, { before, unended: UNENDED, ...owner() });
    for (const { id } of hidden) await dropAudience(database, String(id));
    return hidden.length;
  }

  return {
    begin: async (audience) => {
      const columns = columnsFrom({ ...audience, ...owner() }, ['columns']);
      await database.change(insertInto('audiences', columns), columns);
    },
    append: (id, rows, exclusions) =>
      database.transaction(async (runner) => {
        await runner.change(APPEND, { id, rows: readable(rows) });
        if (exclusions.length === 0) return;
        const written = exclusions.map((one) => columnsFrom(one, ['value', 'reason']));
        await runner.change(EXCLUDE, { id, exclusions: JSON.stringify(written) });
      }),
    finish: async (id, counts, digest) => {
      await database.change(FINISH, { id, counts: JSON.stringify(counts), digest });
      const audience = await one(database.run(FIND, { id }));
      if (audience === undefined) throw new Error(`There is no audience ${id} to finish.`);
      return audience;
    },
    abandon: (id) => dropAudience(database, id),
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
      (await database.run(ROWS, { id, afterRow, limit })).map((row) => valueFrom(row, ['values'])),
    exclusions: async (id, afterRow, limit) =>
      (await database.run(EXCLUSIONS, { id, afterRow, limit })).map((row) =>
        valueFrom(row, ['value', 'reason']),
      ),
    ...optOutMethods(database),
  };
}

export function optOutMethods(database: Database) {
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
  } satisfies Partial<AudienceStore>;
}

function audienceFrom(row: Row): Audience {
  return valueFrom(row, ['columns', 'counts']);
}
