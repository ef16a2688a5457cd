import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { SendStore } from '../../sends/ports.ts';
import { createSendStore } from '../send-store.ts';
import type { Observed, PostgresDatabase } from './database.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import type { Membership } from './membership.ts';
import { restoredMethod } from './newest-copy.ts';
import { ownershipMethods } from './ownership-methods.ts';

/** The `SendStore` on PostgreSQL, for one of any number of replicas; `close` gives up the lease and the connections. */
export function createPostgresSendStore(
  database: PostgresDatabase,
  membership: Membership,
  observed: Observed,
  pseudonym?: Pseudonym,
): SendStore {
  const particulars = {
    ...dispatchMethods(database, membership.id, pseudonym),
    ...ownershipMethods(database, membership.id, observed),
    stopRestored: restoredMethod(database),
    close: async () => {
      await membership.end();
      await database.close();
    },
  };
  return createSendStore(database, particulars, () => ({ owner: membership.id() }), pseudonym);
}
