import { runsOf } from '../core/runs.ts';
import type { Settlement } from '../sends/outcome.ts';
import { IN_ORDER } from './send-reads.ts';
import { alone, type Database, sql } from './sql.ts';

/*
 * Where the service's ids of messages lead. An index over them beside every outcome cost more than the outcome: each id
 * stands anywhere in it, and changes a page. So outcomes only note which recipients have new ids (`fresh_ids`), and these
 * are brought into `message_ids` when there is time, or when somebody asks for an id without its number.
 */

/** Ids in one step: some milliseconds, for which others wait. */
const STEP = 2_000;

export const NOTE_IDS =
  'INSERT INTO fresh_ids (send_id, first_row, last_row) VALUES (:sendId, :first, :last)';
const NEWEST = 'SELECT max(id) AS id FROM fresh_ids';
/** One replica at a time brings ids, and nobody erases meanwhile: the next one then sees what is left. */
const BRING_ALONE = alone('LOCK TABLE message_ids IN SHARE ROW EXCLUSIVE MODE');
const OLDEST = `SELECT id FROM (SELECT id, last_row - first_row + 1 AS own, sum(last_row - first_row + 1) OVER (ORDER BY id) AS rows
    FROM (SELECT id, first_row, last_row FROM fresh_ids WHERE id <= :newest ORDER BY id LIMIT 200) AS oldest) AS summed
  WHERE rows - own < ${STEP}`;
const BRING = sql`INSERT INTO message_ids (message_id, send_id, row)
  SELECT recipients.message_id, recipients.send_id, recipients.row FROM fresh_ids ${IN_ORDER} recipients
    ON recipients.send_id = fresh_ids.send_id AND row BETWEEN first_row AND last_row
  WHERE fresh_ids.id IN (:ranges...) AND recipients.message_id IS NOT NULL ORDER BY 1 ON CONFLICT DO NOTHING`;
const FORGET = 'DELETE FROM fresh_ids WHERE id IN (:ranges...)';

/** Returns the recipients with a message of their own, as ranges for `fresh_ids`; others may stand in a range as well. */
export function freshRanges(settlements: readonly Settlement[]) {
  const own = settlements.filter(({ last }) => last === undefined);
  const rowsOf = Map.groupBy(own, ({ sendId }) => sendId);
  return [...rowsOf].flatMap(([sendId, some]) => {
    const rows = some.map(({ row }) => row);
    // Whoever stands in between is read in vain.
    return runsOf(rows, 100).map(([first, last]) => ({ sendId, first, last }));
  });
}

/** See `ReplyStore`. Each step is one transaction: what is cut off is begun anew. */
export async function indexIds(database: Database, steps = Number.POSITIVE_INFINITY): Promise<boolean> {
  const [newest] = await database.run<{ id: number | null }>(NEWEST);
  const bring = () =>
    database.transaction(async (runner) => {
      await runner.run(BRING_ALONE);
      const ranges = (await runner.run(OLDEST, { newest: newest?.id })).map(({ id }) => Number(id));
      await runner.change(BRING, { ranges });
      return (await runner.change(FORGET, { ranges })) > 0;
    });
  let goesOn = newest?.id != null;
  for (let step = 0; goesOn && step < steps; step += 1) goesOn = await bring();
  return goesOn;
}
