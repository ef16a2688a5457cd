import type { SendStore } from '../../sends/ports.ts';
import { UNENDED } from '../../sends/states.ts';
import { HERALD } from '../actor.ts';
import { type Database, statement } from './database.ts';
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
const compareAlone = statement('compare_alone', 'SELECT pg_advisory_xact_lock($1)');
/** Where the database stands now, and where it was noted to stand before. */
const comparePlaces = statement(
  'compare_places',
  `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
       left(pg_walfile_name(pg_current_wal_lsn()), 8),
       (SELECT oid FROM pg_database WHERE datname = current_database()), 'sends'::regclass::oid) AS here,
     (SELECT place FROM newest_copy) AS known`,
);
const forgetPlace = statement('forget_place', 'DELETE FROM newest_copy');
const notePlace = statement('note_place', 'INSERT INTO newest_copy VALUES ($1)');
const endRestored = statement(
  'end_restored',
  `WITH ended AS (UPDATE sends SET state = CASE WHEN audience IS NULL THEN 'done' ELSE 'stopped' END, reason = $3,
       resume_at = NULL, revision = revision + 1 WHERE state = ANY ($4::text[]) RETURNING id, state, created_at),
   recorded AS (INSERT INTO send_events (send_id, at, actor, action, reason)
     SELECT id, $1, $2, state, $3 FROM ended ORDER BY created_at, id)
   SELECT id FROM ended ORDER BY created_at, id`,
);
const doubtRecipients = statement(
  'doubt_recipients',
  `WITH open AS (SELECT send_id, row, state FROM recipients
     WHERE send_id = ANY ($3::text[]) AND state IN ('pending', 'attempting') ORDER BY send_id, row FOR UPDATE),
   written AS (UPDATE recipients r SET state = 'unknown', failure = $4, settled_at = $1
     FROM open WHERE r.send_id = open.send_id AND r.row = open.row
     RETURNING r.send_id, open.state AS was, r.state, r.failure, r.explanation),
   ${COUNT_WRITTEN}
   SELECT count(*) AS count FROM written`,
);

/** Ends whatever a restored copy holds as not ended; nothing happens on the newest one. */
export function restoredMethod(database: Database): SendStore['stopRestored'] {
  return (failure, at) =>
    database.transaction(async (runner) => {
      await runner.run(compareAlone, [LOCKS.comparing]);
      const [places] = await runner.run<{ here: string; known: string | null }>(comparePlaces, []);
      if (places === undefined || places.here === places.known) return undefined;
      await runner.run(forgetPlace, []);
      await runner.run(notePlace, [places.here]);
      // The first start of this version: where it stood before was never noted.
      if (places.known === null) return undefined;
      const why = JSON.stringify(failure);
      const ended = await runner.run<{ id: string }>(endRestored, [at, HERALD, why, UNENDED]);
      const ids = ended.map(({ id }) => id);
      if (ids.length > 0) await runner.run(doubtRecipients, [at, HERALD, ids, why]);
      return ids;
    });
}
