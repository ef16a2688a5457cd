import type { ListedRow } from '../../sends/audience.ts';
import type { AudienceRows } from '../audience-store.ts';
import type { Database } from '../sql.ts';
import { OWNER_IS_DEAD } from './ownership-methods.ts';

const APPEND = `INSERT INTO audience_rows (audience_id, row, number, cells)
  SELECT :audienceId, * FROM unnest(:rows::int[], :numbers::text[], :cells::text[])`;
const EXCLUDE = `INSERT INTO audience_exclusions (audience_id, row, value, cause, reason)
  SELECT :audienceId, * FROM unnest(:rows::int[], :values::text[], :causes::text[], :reasons::text[])`;

const DROP = `WITH dropped AS (DELETE FROM audiences WHERE id IN (:ids...) AND digest IS NULL RETURNING id),
   rows AS (DELETE FROM audience_rows WHERE audience_id IN (SELECT id FROM dropped))
   DELETE FROM audience_exclusions WHERE audience_id IN (SELECT id FROM dropped)`;

export function postgresAudienceRows(database: Database): AudienceRows {
  return {
    append: (audienceId, given, exclusions) =>
      database.transaction(async (runner) => {
        const rows = JSON.parse(given) as ListedRow[];
        if (rows.length > 0) {
          await runner.change(APPEND, {
            audienceId,
            rows: rows.map(([row]) => row),
            numbers: rows.map(([, number]) => number),
            cells: rows.map(([, , values]) => JSON.stringify(values)),
          });
        }
        if (exclusions.length > 0) {
          await runner.change(EXCLUDE, {
            audienceId,
            rows: exclusions.map(({ row }) => row),
            values: exclusions.map(({ value }) => JSON.stringify(value)),
            causes: exclusions.map(({ cause }) => cause),
            reasons: exclusions.map(({ reason }) => JSON.stringify(reason)),
          });
        }
      }),
    drop: async (audienceId) => {
      await database.change(DROP, { ids: [audienceId] });
    },
  };
}

/** What a dead replica began and did not finish. */
export async function sweepLeftBehind(database: Database): Promise<void> {
  const left = await database.run(`SELECT id FROM audiences WHERE digest IS NULL AND ${OWNER_IS_DEAD}`);
  if (left.length > 0) await database.change(DROP, { ids: left.map(({ id }) => id) });
}
