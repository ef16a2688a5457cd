import type { Failure } from '../../sends/outcome.ts';
import type { OwnershipStore } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { SEND_COLUMNS, sendFrom } from '../rows.ts';
import { endUnended, FIRST_PENDING, HERALD, type HotPath, OLDEST_FIRST } from '../send-statements.ts';
import { type Database, type Runner, write } from '../sql.ts';
import type { Observed } from '../stores.ts';
import { LOCKS } from './database.ts';
import { COUNT_WRITTEN } from './dispatch-methods.ts';
import { LEASE_TIMES } from './membership.ts';

/** A replica is dead once another has taken its place away; then nothing is its own any more. */
export const OWNER_IS_DEAD = 'NOT EXISTS (SELECT FROM replicas WHERE replicas.id = owner)';

// Waits for claims that are being written, because they hold the replica's row. While the server itself was down nobody
// could speak: silence counts from its start. Who left said so.
const BURY_DEAD = `DELETE FROM replicas WHERE id = ANY (ARRAY(
     SELECT id FROM replicas WHERE lease_until < clock_timestamp()
       AND (lease_until = '-infinity' OR pg_postmaster_start_time() < clock_timestamp() - :leaseMs * interval '1 millisecond')
     ORDER BY id FOR UPDATE SKIP LOCKED)) RETURNING id, lease_until = '-infinity' AS has_left`;
const INTERRUPT = `WITH written AS (UPDATE recipients r SET state = 'unknown', failure = :why, settled_at = :at
     FROM sends s WHERE s.attempting > 0 AND r.send_id = s.id AND r.state = 'attempting' AND r.claimed_by IN (:dead...)
     RETURNING r.send_id, 'attempting' AS was, r.state, r.failure),
   ${COUNT_WRITTEN}
   SELECT id FROM sends WHERE id IN (SELECT send_id FROM written) ORDER BY created_at, id`;
// What was put back and is not claimed by whoever did it is pending below the place where claims go on.
const REWIND = `UPDATE sends SET next_row = least(next_row, ${FIRST_PENDING})
   WHERE id = ANY (ARRAY(SELECT id FROM sends WHERE state = 'sending' AND pending > 0 AND (:sendId::text IS NULL OR id = :sendId)
     ORDER BY id FOR NO KEY UPDATE))`;
// Input of the living that is attempted twice at once is worked on once.
const RELEASE = `UPDATE input_attempts SET held_until = '-infinity' WHERE (source, id) IN (SELECT source, id FROM input_attempts
   WHERE held_until > clock_timestamp() ORDER BY source, id FOR UPDATE SKIP LOCKED)`;
const ADOPT = `UPDATE sends SET owner = :me WHERE :me::text IS NOT NULL AND id = ANY (ARRAY(
     SELECT id FROM sends WHERE state IN (:states...) AND ${OWNER_IS_DEAD}
     ${OLDEST_FIRST} LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED)) RETURNING ${SEND_COLUMNS}`;
const OWN = `WITH taken AS (UPDATE sends SET owner = :me WHERE id = :sendId AND :me::text IS NOT NULL AND ${OWNER_IS_DEAD} RETURNING id)
   SELECT id FROM taken UNION SELECT id FROM sends WHERE id = :sendId AND owner = :me`;

/** Keeps the replicas' work apart, and gives the work of the dead to the living. */
export function ownershipMethods(
  database: Database,
  replica: () => string | undefined,
  { observer, clock }: Observed,
): OwnershipStore & Pick<HotPath, 'rewind'> {
  async function takeOver(runner: Runner, failure: Failure, now: () => number): Promise<readonly string[]> {
    const dead = await runner.run<{ id: string; has_left: boolean }>(BURY_DEAD, LEASE_TIMES);
    if (dead.length === 0) return [];
    const interrupted = await runner.run<{ id: string }>(INTERRUPT, {
      at: now(),
      actor: HERALD,
      dead: dead.map(({ id }) => id),
      why: JSON.stringify(failure),
    });
    await runner.change(REWIND, { sendId: null });
    await runner.change(RELEASE);
    observer.tookOver(dead.filter(({ has_left }) => !has_left).length);
    return interrupted.map(({ id }) => id);
  }

  return {
    recoverInterrupted: (failure, at) => {
      // A process that stood still before the transaction began must not date it back to when it asked: whoever died
      // in between was sending then.
      const asked = clock.monotonic();
      const now = () => at + Math.trunc(clock.monotonic() - asked);
      return database.transaction((runner) => takeOver(runner, failure, now));
    },
    rewind: (sendId) => write(database, REWIND, { sendId }),
    adopt: async (states, limit): Promise<readonly Send[]> => {
      const adopted = (await database.run(ADOPT, { me: replica(), states, limit })).map(sendFrom);
      return adopted.toSorted((one, other) => one.createdAt - other.createdAt);
    },
    stopRestored: restoredMethod(database),
    owns: async (sendId) => (await database.run(OWN, { me: replica(), sendId })).length === 1,
  };
}

/*
 * Whether the database is an older copy that was restored. It remembers where it stood when it was last used: in which
 * cluster (a dump goes into another one), on which timeline (recovery to a point in time and the promotion of a standby
 * begin a new one), under which identity of the database and of the table (a dump restored in place makes new ones). A
 * file system snapshot that is put back keeps all of them, and nothing within the database distinguishes it from a crash:
 * that is not noticed. An upgrade with pg_upgrade makes a new cluster and is taken for a restored copy.
 */

/** When replicas start at once, one compares, and the others see what it noted. */
const COMPARE_ALONE = 'SELECT pg_advisory_xact_lock(:lock)';
/** Reads where the database stands now, and where it was noted to stand before. */
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
function restoredMethod(database: Database): OwnershipStore['stopRestored'] {
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
