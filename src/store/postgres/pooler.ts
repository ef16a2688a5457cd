import { Client } from 'pg';
import { fail, ok, type Result } from '../../core/result.ts';

const ANSWER_MS = 5_000;
const PID = 'SELECT pg_backend_pid() AS pid';

/**
 * Whether each connection has a session of its own: locks, settings and prepared statements live in one. A pooler in
 * transaction mode gives the same session to one connection after the other.
 *
 * @returns rejects with what the server answers when it cannot be asked
 */
export async function checkSessions(url: string): Promise<Result<undefined, string>> {
  const [first, second] = [sessionOf(url), sessionOf(url)];
  try {
    await first.connect();
    const before = await pidOf(first);
    await second.connect();
    // Held open, so that the first, asked again, would be given another one; and given back, so that the second would.
    await second.query('BEGIN');
    const held = await pidOf(second);
    if (held === before || (await pidOf(first)) !== before) return fail(SHARED);
    await second.query('COMMIT');
    return (await pidOf(second)) === held ? ok(undefined) : fail(SHARED);
  } catch (error) {
    // In its statement mode PgBouncer takes no BEGIN.
    if (String(error).includes('pooling mode')) return fail(SHARED);
    throw error;
  } finally {
    await Promise.allSettled([first.end(), second.end()]);
  }
}

const SHARED =
  'a pooler before it, such as PgBouncer, gives one session to several connections (pool_mode = transaction or statement), and locks that keep people from being messaged twice do not hold there. Set pool_mode = session for this database, or let DATABASE_URL name PostgreSQL itself.';

function sessionOf(connectionString: string): Client {
  const client = new Client({
    connectionString,
    application_name: 'herald',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => {});
  return client;
}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(PID);
  return rows[0]?.pid ?? 0;
}
