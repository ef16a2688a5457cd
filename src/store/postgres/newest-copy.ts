import type { SendStore } from '../../sends/ports.ts';
import { endUnended, HERALD } from '../send-statements.ts';
import type { Database } from '../sql.ts';
import { COUNT_WRITTEN } from './dispatch-methods.ts';
import { LOCKS } from './locks.ts';

/*
 * Whether the database is an older copy that was restored. It remembers where it stood when it was last used: in which
 * cluster (a dump goes into another one), on which timeline (recovery to a point in time and the promotion of a standby
 * begin a new one), under which identity of the database and of the table (a dump restored in place makes new ones). A
 * file system snapshot that is put back keeps all of them, and nothing within the database can tell it from a crash:
 * that is not noticed. An upgrade with pg_upgrade makes a new cluster and is taken for a restored copy.
 */

/** Of replicas that start at once one compares, and the others see what it noted. */
const COMPARE_ALONE = 'SELECT pg_advisory_xact_lock(:lock)';
/** Where the database stands now, and where it was noted to stand before. */
const COMPARE_PLACES = `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
       left(pg_walfile_name(pg_current_wal_lsn()), 8),
       (SELECT oid FROM pg_database WHERE datname = current_database()), 'sends'::regclass::oid) AS here,
     (SELECT place FROM newest_copy) AS known`;
const DOUBT_RECIPIENTS = `WITH open AS (SELECT send_id, row, state FROM recipients
     WHERE send_id IN (:ids...) AND state IN ('pending', 'attempting') ORDER BY send_id, row FOR UPDATE),
   written AS (UPDATE recipients r SET state = 'unknown', failure = :why, settled_at = :at
     FROM open WHERE r.send_id = open.send_id AND r.row = open.row
     RETURNING r.send_id, open.state AS was, r.state, r.failure),
   ${COUNT_WRITTEN}
   SELECT count(*) AS count FROM written`;

/** Ends whatever a restored copy holds as not ended; nothing happens on the newest one. */
export function restoredMethod(database: Database): SendStore['stopRestored'] {
  return (failure, at) =>
    database.transaction(async (runner) => {
      await runner.run(COMPARE_ALONE, { lock: LOCKS.comparing });
      const [places] = await runner.run<{ here: string; known: string | null }>(COMPARE_PLACES);
      if (places === undefined || places.here === places.known) return undefined;
      await runner.change('DELETE FROM newest_copy');
      await runner.change('INSERT INTO newest_copy (place) VALUES (:here)', places);
      // The first start of this version: where it stood before was never noted.
      if (places.known === null) return undefined;
      const why = JSON.stringify(failure);
      const ids = await endUnended(runner, why, at);
      if (ids.length > 0) await runner.run(DOUBT_RECIPIENTS, { at, actor: HERALD, ids, why });
      return ids;
    });
}
