import { type ClientBase, Pool, types } from 'pg';

/** How long a statement waits for a free connection, or for a server that does not answer, before it fails. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
/** A server that was cut off says nothing at all: then the question itself is given up. */
const QUESTION_MS = 35_000;

export const LIMIT_STATEMENTS = `SET statement_timeout = ${STATEMENT_MS}`;

/** Counts and times are whole numbers that JavaScript holds exactly. */
const INT8 = 20;

/**
 * Connections to PostgreSQL, none of which is opened yet. Settings are asked for once a connection is there, because a
 * pooler such as PgBouncer refuses those that come with the question for one.
 *
 * @param name what the server shows of each connection
 * @param connections how many there may be at once; whoever needs one more waits
 * @param settings a statement that each connection begins with
 */
export function createPool(url: string, name: string, connections: number, settings = ''): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUESTION_MS,
    keepAlive: true,
    onConnect: (client: ClientBase) => client.query(`${LIMIT_STATEMENTS}; ${settings}`),
    types: {
      getTypeParser: (oid: number, format?: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format ?? 'text'),
    } as typeof types,
  });
  // An idle connection that breaks is replaced when the next one is needed. Without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}
