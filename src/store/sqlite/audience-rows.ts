import type { DatabaseSync } from 'node:sqlite';
import type { AudienceRows } from '../audience-store.ts';
import type { SqliteDatabase } from './database.ts';

/** Rows deleted in one transaction: a million would hold up whoever waits for this thread. */
const PORTION = 5_000;

const UNFINISHED = 'SELECT id FROM audiences WHERE id = :id AND digest IS NULL';
const DELETE_SOME = ['audience_rows', 'audience_exclusions'].map(
  (table) => `DELETE FROM ${table} WHERE audience_id = :id AND row IN
    (SELECT row FROM ${table} WHERE audience_id = :id LIMIT ${PORTION})`,
);

/** SQLite reads the JSON itself: of many rows in half of the time of a call for each. */
const APPEND = `INSERT INTO audience_rows (audience_id, row, number, cells)
  SELECT :id, value ->> 0, value ->> 1, value ->> 2 FROM jsonb_each(:rows)`;
const EXCLUDE = `INSERT INTO audience_exclusions (audience_id, row, value, cause, reason)
  SELECT :id, value ->> 'row', value -> 'value', value ->> 'cause', value -> 'reason' FROM jsonb_each(:exclusions)`;

export function sqliteAudienceRows(database: SqliteDatabase): AudienceRows {
  return {
    append: (id, rows, exclusions) =>
      database.transaction(async (runner) => {
        await runner.change(APPEND, { id, rows });
        if (exclusions.length > 0) await runner.change(EXCLUDE, { id, exclusions });
      }),
    drop: async (id) => {
      if ((await database.run(UNFINISHED, { id })).length === 0) return;
      for (const some of DELETE_SOME) {
        while ((await database.change(some, { id })) > 0)
          await new Promise((resolve) => setImmediate(resolve));
      }
      // Last, so that the next start ends what breaks off.
      await database.change('DELETE FROM audiences WHERE id = :id', { id });
    },
  };
}

/** Whoever began them is dead. */
export function sweepUnfinished(file: DatabaseSync): void {
  const unfinished = '(SELECT id FROM audiences WHERE digest IS NULL)';
  file.exec(`BEGIN IMMEDIATE;
    DELETE FROM audience_rows WHERE audience_id IN ${unfinished};
    DELETE FROM audience_exclusions WHERE audience_id IN ${unfinished};
    DELETE FROM audiences WHERE digest IS NULL; COMMIT`);
}
