import type { InputAttempts, InputSource } from '../sends/set-aside.ts';
import type { Database } from './sql.ts';

const GIVEN = 'source = :source AND id IN (:ids...)';
const COUNTS = `SELECT id, attempts FROM input_attempts WHERE ${GIVEN} ORDER BY id`;
/**
 * Of several replicas one at a time attempts the same input. One that has stood still for a minute while it attempts
 * something counts as gone, by the database's own clock. In one order, so that no two wait for each other.
 */
const BEGIN = {
  sqlite: `INSERT INTO input_attempts (source, id, attempts) SELECT :source, value, 1 FROM json_each(:ids) WHERE true
    ON CONFLICT (source, id) DO UPDATE SET attempts = attempts + 1 RETURNING id`,
  postgres: `INSERT INTO input_attempts (source, id, attempts, held_until)
      SELECT :source, id, 1, clock_timestamp() + interval '60 seconds' FROM unnest(:ids::text[]) AS given (id) ORDER BY id
    ON CONFLICT (source, id) DO UPDATE SET attempts = input_attempts.attempts + 1, held_until = excluded.held_until
      WHERE input_attempts.held_until <= clock_timestamp()
    RETURNING id`,
};
const FAILED = {
  sqlite: `UPDATE input_attempts SET attempts = attempts - :spared WHERE ${GIVEN}`,
  postgres: `UPDATE input_attempts SET held_until = '-infinity', attempts = attempts - :spared WHERE ${GIVEN}`,
};
const SET_ASIDE = `UPDATE input_attempts SET set_aside_at = :at
  WHERE source = :source AND id = :id AND set_aside_at IS NULL`;
const SET_ASIDE_COUNTS = `SELECT source, count(*) AS count FROM input_attempts
  WHERE set_aside_at IS NOT NULL GROUP BY source ORDER BY source`;

export function createInputAttempts(database: Database): InputAttempts {
  return {
    counts: async (source, ids) =>
      (await database.run(COUNTS, { source, ids })).map(({ id, attempts }) => ({
        id: String(id),
        attempts: Number(attempts),
      })),
    begin: async (source, ids) => (await database.run(BEGIN, { source, ids })).map(({ id }) => String(id)),
    end: async (source, ids) => {
      await database.change(`DELETE FROM input_attempts WHERE ${GIVEN}`, { source, ids });
    },
    failed: (source, ids, counted) =>
      database.transaction(async (runner) => {
        await runner.change(FAILED, { source, ids, spared: counted ? 0 : 1 });
        await runner.change(`DELETE FROM input_attempts WHERE ${GIVEN} AND attempts <= 0`, { source, ids });
      }),
    setAside: async (source, id, at) => (await database.change(SET_ASIDE, { source, id, at })) === 1,
    setAsideCounts: async () =>
      (await database.run(SET_ASIDE_COUNTS)).map(({ source, count }) => ({
        source: source as InputSource,
        count: Number(count),
      })),
  };
}
