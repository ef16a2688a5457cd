import { ok, type Result } from '../../core/result.ts';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { SendStore } from '../../sends/ports.ts';
import { DELIVERY_STATUSES, rankOf } from '../../sends/replies/event.ts';
import type { NewDelivery } from '../../sends/replies/ports.ts';
import { dropAudience } from '../audience-store.ts';
import { commonStores } from '../common-stores.ts';
import { failureColumns } from '../rows.ts';
import { createSendStore } from '../send-store.ts';
import type { Database, Runner } from '../sql.ts';
import type { DatabaseObserver, Observed, Stores } from '../stores.ts';
import { createDatabase } from './database.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import { joinReplicas, MOMENT, type ReplicaSurroundings } from './membership.ts';
import { prepareForWork } from './open.ts';
import { OWNER_IS_DEAD, ownershipMethods } from './ownership-methods.ts';
import { createPostgresNotes, createSharing } from './sharing.ts';

interface StoreSurroundings extends ReplicaSurroundings {
  readonly observer: DatabaseObserver;
  readonly pseudonym?: Pseudonym | undefined;
}

/**
 * Joins the replicas that share the database at `url`, and opens every store on it.
 *
 * @param url `postgres://user:password@host:port/database`, with the parameters that libpq knows
 * @returns every store, or one sentence without the password that says what is wrong and what to do
 */
export async function openPostgresStores(
  url: string,
  surroundings: StoreSurroundings,
): Promise<Result<Stores, string>> {
  const { clock, logger, observer, pseudonym } = surroundings;
  const observed = { observer, clock };
  const database = createDatabase(url, logger, observed);
  const prepared = await prepareForWork(url, database, { clock, logger });
  if (!prepared.ok) {
    await database.close();
    return prepared;
  }
  const tasks = prepared.value;
  // However busy the others are, this replica says in time that it is alive.
  const pulse = createDatabase(url, logger, observed, 1);
  const membership = await joinReplicas({ ...surroundings, database: pulse });
  const replica = membership.id;
  const owner = () => ({ owner: replica() });
  async function close(): Promise<void> {
    await tasks.stop(0);
    await membership.end();
    await database.close();
    await pulse.close();
  }
  await sweepLeftBehind(database);
  return ok({
    ...commonStores(database, { pseudonym, owner, addDeliveries, giveBack: async () => 0 }),
    sends: createPostgresSends(database, { ...observed, replica, pseudonym, close }),
    lease: membership,
    sharing: createSharing(database, replica),
    tasks,
    notes: createPostgresNotes(database),
    replica,
    ahead: async () => {
      const [row] = await database.run<{ moment: number }>(`SELECT ${MOMENT} AS moment`);
      return clock.now() - Number(row?.moment);
    },
    figures: () => ({
      ...database.connections(),
      leaseAgeSeconds: membership.leaseAgeMs() / 1_000,
    }),
  });
}

interface SendSurroundings extends Observed {
  readonly replica: () => string | undefined;
  readonly pseudonym?: Pseudonym | undefined;
  readonly close: () => Promise<void>;
}

/** The `SendStore` on PostgreSQL, for one of any number of replicas. */
export function createPostgresSends(
  database: Database,
  { replica, pseudonym, close, ...observed }: SendSurroundings,
): SendStore {
  const particulars = {
    ...dispatchMethods(database, replica, pseudonym),
    ...ownershipMethods(database, replica, observed),
    close,
  };
  return createSendStore(database, particulars, () => ({ owner: replica() }), pseudonym);
}

/** Removes the lists that a dead replica began and did not finish. */
async function sweepLeftBehind(database: Database): Promise<void> {
  const left = await database.run(`SELECT id FROM audiences WHERE digest IS NULL AND ${OWNER_IS_DEAD}`);
  for (const { id } of left) await dropAudience(database, String(id));
}

/** A report of a recipient replaces only a worse one, by the order of `statuses`; counters move along. */
const ADD_DELIVERIES = `WITH given AS (SELECT * FROM
    unnest(:sendIds::text[], :rows::int[], :reported::text[], :times::bigint[], :failures::text[], :explanations::text[])
    AS given (send_id, row, status, at, failure, explanation)),
  better AS (SELECT given.*, before.status AS was, before.failure AS was_failure
    FROM given LEFT JOIN deliveries before ON before.send_id = given.send_id AND before.row = given.row
    WHERE before.status IS NULL
      OR array_position(:statuses::text[], before.status) < array_position(:statuses::text[], given.status)),
  put AS (INSERT INTO deliveries (send_id, row, status, at, failure, explanation)
    SELECT send_id, row, status, at, failure, explanation FROM better
    ON CONFLICT (send_id, row) DO UPDATE SET status = excluded.status, at = excluded.at, failure = excluded.failure,
      explanation = excluded.explanation),
  counted AS (INSERT INTO delivery_counts (send_id, status, failure, count, example)
    SELECT send_id, status, failure, sum(count), min(example) FROM (
      SELECT send_id, status, coalesce(failure, '') AS failure, 1 AS count, explanation AS example FROM better
      UNION ALL SELECT send_id, was, coalesce(was_failure, ''), -1, NULL FROM better WHERE was IS NOT NULL) AS changes
    GROUP BY 1, 2, 3
    ON CONFLICT (send_id, status, md5(failure)) DO UPDATE SET count = delivery_counts.count + excluded.count,
      example = coalesce(delivery_counts.example, excluded.example))
  SELECT DISTINCT send_id FROM better`;

/** In one statement, because each reports of many recipients. */
async function addDeliveries(runner: Runner, given: readonly NewDelivery[]): Promise<readonly string[]> {
  const best = bestOfEach(given);
  if (best.length === 0) return [];
  const failures = best.map(({ failure }) => failureColumns(failure));
  const changed = await runner.run<{ send_id: string }>(ADD_DELIVERIES, {
    sendIds: best.map(({ sendId }) => sendId),
    rows: best.map(({ row }) => row),
    reported: best.map(({ status }) => status),
    times: best.map(({ at }) => at),
    failures: failures.map(({ failure }) => failure),
    explanations: failures.map(({ explanation }) => explanation),
    statuses: DELIVERY_STATUSES,
  });
  return changed.map(({ send_id }) => send_id);
}

/** Takes of several reports of one recipient the best, and of equal ones the first. */
function bestOfEach(given: readonly NewDelivery[]): readonly NewDelivery[] {
  const reports = Map.groupBy(given, ({ sendId, row }) => `${sendId}:${row}`);
  return [...reports.values()].map((some) =>
    some.reduce((best, one) => (rankOf(best.status) < rankOf(one.status) ? one : best)),
  );
}
