import { advice, type Finding, wrong } from '../../core/finding.ts';
import { checkSessions, sessionOf } from './database.ts';
import { placeOf, reasonOf } from './open.ts';

const OLDEST_VERSION = 15;
/** What one replica may open; two run side by side while one is replaced. */
const CONNECTIONS = 14;

interface Server {
  readonly version: number;
  readonly standby: boolean;
  readonly may_create: boolean;
  readonly may_make_tables: boolean;
  readonly fsync: string;
  readonly left: number;
}

const QUESTION = `SELECT current_setting('server_version_num')::int / 10000 AS version,
  pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync,
  has_database_privilege(current_database(), 'CREATE') AS may_create,
  has_schema_privilege('public', 'CREATE') AS may_make_tables,
  current_setting('max_connections')::int - (SELECT count(*)::int FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS left`;

/** What is wrong with a PostgreSQL server, its rights and its room for connections. Changes nothing. */
export async function checkServer(url: string): Promise<readonly Finding[]> {
  try {
    const sessions = await checkSessions(url);
    if (!sessions.ok) return [wrong(`${placeOf(url)} cannot be used.`, sentence(sessions.error))];
    const servers = (await rowsOnServer(url, QUESTION)) as readonly Server[];
    return servers.flatMap((server) => findingsOf(server, placeOf(url)));
  } catch (error) {
    return [wrong(`The PostgreSQL database ${placeOf(url)} could not be opened.`, sentence(reasonOf(error)))];
  }
}

/** Rejects where the server does not answer. */
export async function rowsOnServer(url: string, statement: string): Promise<readonly unknown[]> {
  const client = sessionOf(url);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function findingsOf(server: Server, place: string): readonly Finding[] {
  return [
    server.version < OLDEST_VERSION &&
      wrong(
        `PostgreSQL at ${place} is version ${server.version}.`,
        `Use version ${OLDEST_VERSION} or newer.`,
      ),
    server.standby &&
      wrong(
        `PostgreSQL at ${place} is a standby, which takes no writes.`,
        'Name the primary in DATABASE_URL.',
      ),
    !(server.may_create && server.may_make_tables) &&
      wrong(
        `The user of DATABASE_URL may not make tables in ${place}.`,
        'Give it the right to CREATE in the database and in its schema public.',
      ),
    server.fsync === 'off' &&
      wrong(
        `PostgreSQL at ${place} does not wait for its disk (fsync = off): after a power cut people could be messaged twice.`,
        'Set fsync = on.',
      ),
    server.left < CONNECTIONS &&
      advice(
        `PostgreSQL at ${place} has ${server.left} connections left, and a replica needs ${CONNECTIONS}.`,
        'Raise max_connections, or run fewer replicas.',
      ),
  ].filter((finding) => finding !== false);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
