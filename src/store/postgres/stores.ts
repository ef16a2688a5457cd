import type { Random } from '../../core/random.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { SendStore } from '../../sends/ports.ts';
import { createAudienceStore } from '../audience-store.ts';
import { commonStores } from '../common-stores.ts';
import type { DatabaseObserver } from '../observer.ts';
import { createReplyStore } from '../reply-store.ts';
import { createRetention } from '../retention.ts';
import { createSendStore } from '../send-store.ts';
import type { Database } from '../sql.ts';
import type { Stores } from '../stores.ts';
import { postgresAudienceRows, sweepLeftBehind } from './audience-rows.ts';
import { createDatabase, type Observed } from './database.ts';
import { addDeliveries } from './deliveries.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import { joinReplicas, type LeaseTimes, MOMENT } from './membership.ts';
import { restoredMethod } from './newest-copy.ts';
import { createPostgresNotes } from './notes.ts';
import { prepareForWork } from './open.ts';
import { ownershipMethods } from './ownership-methods.ts';
import { createSharing } from './sharing.ts';

interface StoreSurroundings extends Surroundings {
  readonly random: Random;
  readonly times?: LeaseTimes;
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
    ...commonStores(database),
    sends: createPostgresSends(database, { ...observed, replica, pseudonym, close }),
    audiences: createAudienceStore(database, postgresAudienceRows(database), owner),
    replies: createReplyStore(database, addDeliveries, pseudonym),
    retention: createRetention(database, pseudonym, async () => 0),
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
    stopRestored: restoredMethod(database),
    close,
  };
  return createSendStore(database, particulars, () => ({ owner: replica() }), pseudonym);
}
