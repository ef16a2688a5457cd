import type { InputAttempts, InputSource } from '../../sends/set-aside.ts';
import { type Database, statement } from './database.ts';

/** A replica that has stood still for longer while it attempts something counts as gone, by the database's own clock. */
const HELD = `clock_timestamp() + interval '60 seconds'`;
const GIVEN = 'source = $1 AND id = ANY ($2::text[])';

const counts = statement(
  'count_input_attempts',
  `SELECT id, attempts FROM input_attempts WHERE ${GIVEN} ORDER BY id`,
);
/** In one order, so that two replicas with the same ids do not wait for each other. */
const begin = statement(
  'begin_inputs',
  `INSERT INTO input_attempts (source, id, attempts, held_until)
     SELECT $1, id, 1, ${HELD} FROM unnest($2::text[]) AS given (id) ORDER BY id
   ON CONFLICT (source, id) DO UPDATE SET attempts = input_attempts.attempts + 1, held_until = excluded.held_until
     WHERE input_attempts.held_until <= clock_timestamp()
   RETURNING id`,
);
const end = statement('end_inputs', `DELETE FROM input_attempts WHERE ${GIVEN}`);
const failed = statement(
  'fail_inputs',
  `UPDATE input_attempts SET held_until = '-infinity', attempts = attempts - $3 WHERE ${GIVEN}`,
);
const forget = statement('forget_inputs', `DELETE FROM input_attempts WHERE ${GIVEN} AND attempts <= 0`);
const setAside = statement(
  'set_input_aside',
  `UPDATE input_attempts SET set_aside_at = $3 WHERE source = $1 AND id = $2 AND set_aside_at IS NULL RETURNING id`,
);
const setAsideCounts = statement(
  'count_set_aside',
  `SELECT source, count(*) AS count FROM input_attempts WHERE set_aside_at IS NOT NULL
   GROUP BY source ORDER BY source`,
);

/** The `InputAttempts` of several replicas, of which one at a time attempts the same input. */
export function createPostgresInputAttempts(database: Database): InputAttempts {
  return {
    counts: (source, ids) => database.run(counts, [source, ids]),
    begin: async (source, ids) =>
      (await database.run<{ id: string }>(begin, [source, ids])).map(({ id }) => id),
    end: async (source, ids) => {
      await database.run(end, [source, ids]);
    },
    failed: (source, ids, counted) =>
      database.transaction(async (runner) => {
        await runner.run(failed, [source, ids, counted ? 0 : 1]);
        if (!counted) await runner.run(forget, [source, ids]);
      }),
    setAside: async (source, id, at) => (await database.run(setAside, [source, id, at])).length === 1,
    setAsideCounts: () => database.run<{ source: InputSource; count: number }>(setAsideCounts, []),
  };
}
