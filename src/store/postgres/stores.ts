import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Stores } from '../stores.ts';
import { createPostgresAlertStore } from './alert-store.ts';
import { checkArrived } from './arrival.ts';
import { createPostgresAudienceStore } from './audience-store.ts';
import { createDatabase } from './database.ts';
import { createPostgresDraftStore } from './draft-store.ts';
import { joinReplicas, type LeaseTimes } from './membership.ts';
import { placeOf, prepareForWork } from './open.ts';
import { createPostgresReplyStore } from './reply-store.ts';
import { createPostgresSendStore } from './send-store.ts';
import { createPostgresTemplateStore } from './template-store.ts';

interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly monotonic: () => number;
  readonly times?: LeaseTimes;
}

/**
 * Joins the replicas that share the database at `url`, and opens every store on it.
 *
 * @param url `postgres://user:password@host:port/database`, with the parameters that libpq knows
 * @returns every store, or one sentence without the password that says what is wrong and what to do
 */
export async function openPostgresStores(
  url: string,
  surroundings: Surroundings,
): Promise<Result<Stores, string>> {
  const database = createDatabase(url, surroundings.logger);
  const prepared = await prepareForWork(url, database);
  if (!prepared.ok) {
    await database.close();
    return prepared;
  }
  const membership = await joinReplicas({ ...surroundings, database });
  // A move that began meanwhile looks for replicas after it has left its mark: one of the two sees the other.
  const arrived = await checkArrived(database, placeOf(url));
  if (!arrived.ok) {
    await membership.end();
    await database.close();
    return arrived;
  }
  return ok({
    sends: createPostgresSendStore(database, membership),
    audiences: await createPostgresAudienceStore(database, membership.id),
    templates: createPostgresTemplateStore(database),
    drafts: createPostgresDraftStore(database),
    replies: createPostgresReplyStore(database),
    alerts: createPostgresAlertStore(database),
    lease: membership,
  });
}
