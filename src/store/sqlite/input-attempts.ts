import type { DatabaseSync } from 'node:sqlite';
import type { InputAttempts, InputSource } from '../../sends/set-aside.ts';
import { transactionsOn } from './transaction.ts';

const GIVEN = 'source = ? AND id IN (SELECT value FROM json_each(?))';

/** The `InputAttempts` on one SQLite file, whose process is the only one that attempts anything. */
export function createSqliteInputAttempts(database: DatabaseSync): InputAttempts {
  const transaction = transactionsOn(database);
  const counts = database.prepare(`SELECT id, attempts FROM input_attempts WHERE ${GIVEN} ORDER BY id`);
  const begin = database.prepare(
    `INSERT INTO input_attempts (source, id, attempts) SELECT ?, value, 1 FROM json_each(?) WHERE true
     ON CONFLICT DO UPDATE SET attempts = attempts + 1`,
  );
  const end = database.prepare(`DELETE FROM input_attempts WHERE ${GIVEN}`);
  const spare = database.prepare(`UPDATE input_attempts SET attempts = attempts - 1 WHERE ${GIVEN}`);
  const forget = database.prepare(`DELETE FROM input_attempts WHERE ${GIVEN} AND attempts <= 0`);
  const setAside = database.prepare(
    'UPDATE input_attempts SET set_aside_at = ? WHERE source = ? AND id = ? AND set_aside_at IS NULL',
  );
  const setAsideCounts = database.prepare(
    `SELECT source, count(*) AS count FROM input_attempts WHERE set_aside_at IS NOT NULL
     GROUP BY source ORDER BY source`,
  );
  return {
    counts: async (source, ids) =>
      counts
        .all(source, JSON.stringify(ids))
        .map(({ id, attempts }) => ({ id: String(id), attempts: Number(attempts) })),
    begin: (source, ids) =>
      transaction(() => {
        begin.run(source, JSON.stringify(ids));
        return ids;
      }),
    end: (source, ids) =>
      transaction(() => {
        end.run(source, JSON.stringify(ids));
      }),
    failed: async (source, ids, counted) => {
      if (counted) return;
      await transaction(() => {
        spare.run(source, JSON.stringify(ids));
        forget.run(source, JSON.stringify(ids));
      });
    },
    setAside: (source, id, at) => transaction(() => setAside.run(at, source, id).changes === 1),
    setAsideCounts: async () =>
      setAsideCounts
        .all()
        .map(({ source, count }) => ({ source: source as InputSource, count: Number(count) })),
  };
}
