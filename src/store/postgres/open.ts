import { fail, ok, type Result } from '../../core/result.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { Tasks } from '../../sends/tasks.ts';
import type { PostgresDatabase } from './database.ts';
import { checkSessions, LOCKS } from './database.ts';
import { migrate } from './migrations.ts';
import { openTaskQueue } from './task-queue.ts';

/** PostgreSQL's own codes, appendix A of its manual. */
const WHAT_THEY_MEAN: Readonly<Record<string, string>> = {
  '28P01': 'it refused the password. Check user and password in DATABASE_URL.',
  '28000': 'it does not let this user in. Check the user in DATABASE_URL and the server’s pg_hba.conf.',
  '3D000': 'it has no database of this name. Make one, or name another in DATABASE_URL.',
  '42501':
    'this user may not make tables there. Give it the right to CREATE in the database and in its schema.',
  '53300': 'it has no connection left. Raise max_connections, or run fewer replicas (each needs 14).',
  ENOTFOUND: 'its name is not known. Check the host in DATABASE_URL.',
  ECONNREFUSED: 'nothing listens there. Check that the server runs, and host and port in DATABASE_URL.',
};

const CERTIFICATE_CODE = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/**
 * Prepares the schema, and then does what the caller needs of the database at its start; or says in one sentence, without the
 * password, what is wrong and what to do.
 */
export async function prepareDatabase<Value = undefined>(
  url: string,
  database: PostgresDatabase,
  start: () => Promise<Result<Value, string>> = async () => ok(undefined as Value),
): Promise<Result<Value, string>> {
  const place = placeOf(url);
  try {
    const sessions = await checkSessions(url);
    if (!sessions.ok) return fail(`The PostgreSQL database ${place} cannot be used: ${sessions.error}`);
    const migrated = await migrate(database);
    return migrated.ok ? await start() : fail(`The PostgreSQL database ${place} ${migrated.error}`);
  } catch (error) {
    return fail(`The PostgreSQL database ${place} could not be opened: ${reasonOf(error)}`);
  }
}

/**
 * Prepares the schema for a Herald that will work on it, which it may not while an installation is being moved there, and
 * opens the queue of its tasks.
 */
export function prepareForWork(
  url: string,
  database: PostgresDatabase,
  surroundings: Surroundings,
): Promise<Result<Tasks, string>> {
  return prepareDatabase(url, database, async () => {
    const [target] = await database.run(IS_NO_TARGET, { lock: LOCKS.moving });
    return target?.free === false
      ? fail(
          `What a file held is being moved to the PostgreSQL database ${placeOf(url)}. Wait until that has ended, or name another database.`,
        )
      : ok(await openTaskQueue(url, surroundings));
  });
}

const IS_NO_TARGET = 'SELECT pg_try_advisory_xact_lock_shared(:lock) AS free';

/** Host, port and database, without user and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** What an error of the database means, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  if (CERTIFICATE_CODE.test(code))
    return `its certificate could not be verified (${code}). Name the file of its authority’s certificate in DATABASE_URL, as sslrootcert=/path/to/ca.pem, or in NODE_EXTRA_CA_CERTS. Where nobody can come between, sslmode=no-verify encrypts without looking at it.`;
  if (text.includes('does not support SSL'))
    return 'it speaks no TLS. Turn it on there (ssl = on), or take sslmode out of DATABASE_URL.';
  return WHAT_THEY_MEAN[code] ?? `${text}. Check DATABASE_URL and that the server can be reached.`;
}
