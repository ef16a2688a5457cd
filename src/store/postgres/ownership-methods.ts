import type { Failure } from '../../sends/outcome.ts';
import type { SendStore } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { HERALD } from '../actor.ts';
import type { DatabaseObserver } from '../observer.ts';
import { sendFrom } from '../rows.ts';
import { type Database, type Runner, statement } from './database.ts';
import { COUNT_WRITTEN } from './dispatch-methods.ts';
import { LEASE_TIMES } from './membership.ts';

/** A replica is dead once another has taken its place away; then nothing is its own any more. */
export const OWNER_IS_DEAD = 'NOT EXISTS (SELECT FROM replicas WHERE replicas.id = owner)';

// Waits for claims that are being written, because they hold the replica's row. While the server itself was down nobody
// could speak: silence counts from its start. Who left said so.
const buryDead = statement(
  'bury_dead',
  `DELETE FROM replicas WHERE id = ANY (ARRAY(
     SELECT id FROM replicas WHERE lease_until < clock_timestamp()
       AND (lease_until = '-infinity' OR pg_postmaster_start_time() < clock_timestamp() - $1 * interval '1 millisecond')
     ORDER BY id FOR UPDATE SKIP LOCKED)) RETURNING id, lease_until = '-infinity' AS has_left`,
);
const interrupt = statement(
  'interrupt',
  `WITH written AS (UPDATE recipients r SET state = 'unknown', failure = $4, settled_at = $1
     FROM sends s WHERE s.attempting > 0 AND r.send_id = s.id AND r.state = 'attempting' AND r.claimed_by = ANY ($3::text[])
     RETURNING r.send_id, 'attempting' AS was, r.state, r.failure, r.explanation),
   ${COUNT_WRITTEN}
   SELECT id FROM sends WHERE id IN (SELECT send_id FROM written) ORDER BY created_at, id`,
);
// What was put back and is not claimed by whoever did it is pending below the place where claims go on.
const rewind = statement(
  'rewind',
  `UPDATE sends SET next_row = least(next_row, coalesce(
     (SELECT row FROM recipients WHERE send_id = sends.id AND state = 'pending' ORDER BY row LIMIT 1), next_row))
   WHERE id = ANY (ARRAY(SELECT id FROM sends WHERE state = 'sending' AND pending > 0 AND ($1::text IS NULL OR id = $1)
     ORDER BY id FOR NO KEY UPDATE))`,
);
const adopt = statement(
  'adopt',
  `UPDATE sends SET owner = $1 WHERE $1::text IS NOT NULL AND id = ANY (ARRAY(
     SELECT id FROM sends WHERE state = ANY ($2::text[]) AND ${OWNER_IS_DEAD}
     ORDER BY created_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)) RETURNING *`,
);
const lookAfter = statement(
  'look_after',
  `WITH taken AS (UPDATE sends SET owner = $1 WHERE id = $2 AND $1::text IS NOT NULL AND ${OWNER_IS_DEAD} RETURNING id)
   SELECT id FROM taken UNION SELECT id FROM sends WHERE id = $2 AND owner = $1`,
);

// Of those that can tell, the same for everybody who asks.
const teller = statement(
  'teller',
  `SELECT coalesce((SELECT id FROM replicas WHERE id = sends.owner AND can_tell),
     (SELECT id FROM replicas WHERE can_tell AND lease_until > clock_timestamp() ORDER BY id LIMIT 1), owner) AS id
   FROM sends WHERE id = $1`,
);

type OwnershipMethods = Pick<SendStore, 'recoverInterrupted' | 'rewind' | 'adopt' | 'owns' | 'announces'>;

/** What tells the replicas' work apart, and gives the work of the dead to the living. */
export function ownershipMethods(
  database: Database,
  replica: () => string | undefined,
  observer: DatabaseObserver,
): OwnershipMethods {
  async function takeOver(runner: Runner, failure: Failure, at: number): Promise<readonly string[]> {
    const dead = await runner.run<{ id: string; has_left: boolean }>(buryDead, [LEASE_TIMES.leaseMs]);
    if (dead.length === 0) return [];
    const ids = dead.map(({ id }) => id);
    const interrupted = await runner.run<{ id: string }>(interrupt, [
      at,
      HERALD,
      ids,
      JSON.stringify(failure),
    ]);
    await runner.run(rewind, [null]);
    observer.tookOver(dead.filter(({ has_left }) => !has_left).length);
    return interrupted.map(({ id }) => id);
  }

  const owns = async (sendId: string) =>
    (await database.run(lookAfter, [replica() ?? null, sendId])).length === 1;

  return {
    recoverInterrupted: (failure, at) => database.transaction((runner) => takeOver(runner, failure, at)),
    rewind: async (sendId) => {
      await database.run(rewind, [sendId]);
    },
    adopt: async (states, limit): Promise<readonly Send[]> => {
      const adopted = (await database.run(adopt, [replica() ?? null, states, limit])).map(sendFrom);
      return adopted.toSorted((one, other) => one.createdAt - other.createdAt);
    },
    owns,
    announces: async (sendId) => {
      // What a dead one looked after finds a new keeper first.
      await owns(sendId);
      const [told] = await database.run<{ id: string | null }>(teller, [sendId]);
      return told?.id != null && told.id === replica();
    },
  };
}
