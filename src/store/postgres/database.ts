import { hash } from 'node:crypto';
import { Client, type ClientBase, Pool, type PoolClient, types } from 'pg';
import type { Logger } from '../../core/logger.ts';
import { asOutage, isOutage } from '../../core/outage.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { type Compiled, compile, type Database, type Runner, type Sql, textOf, valuesOf } from '../sql.ts';
import type { Observed } from '../stores.ts';

/**
 * Every advisory lock of Herald's that has a number of its own; they stand together so that no two share one. Each spells
 * "her" and a letter. (Locks on phone numbers and on people are hashes of 64 bits.)
 */
export const LOCKS = {
  /** One replica at a time brings the schema up to date. */
  migrating: 0x6865_7261,
  /** When replicas start at once, one compares where the database stands. */
  comparing: 0x6865_7262,
  /** One move of an installation at a time. */
  moving: 0x6865_7263,
} as const;

type Lock = (typeof LOCKS)[keyof typeof LOCKS];

export interface PostgresDatabase extends Database {
  /** Runs `work` on a connection that no other replica has under the same lock meanwhile, however long they take. */
  alone<T>(lock: Lock, work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Connections that are in use, and how many statements wait for one. */
  connections(): { readonly inUse: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Connections of one replica; more would only wait for each other, since most of them touch the row of one send. */
const CONNECTIONS = 10;

/*
 * Every statement of the hot path finds its rows by an index, in the index's order: the planner, on a table that was filled
 * a moment ago and has no statistics yet, would rather read all that is left of a send, and sort it, for each claim.
 */
const SETTINGS = Object.entries({
  synchronous_commit: 'on',
  // A replica that stands still in the middle of a transaction must not hold the others up.
  idle_in_transaction_session_timeout: '2s',
  default_transaction_isolation: 'read committed',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
})
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');

const ASK_EVERY_SECONDS = 0.2;
const SAID_EVERY = 150;

/**
 * Opens no connection yet.
 *
 * @param connections how many there may be at once; whoever needs one more waits
 */
export function createDatabase(
  url: string,
  logger: Logger,
  { observer, clock }: Observed,
  connections = CONNECTIONS,
): PostgresDatabase {
  const pool = createPool(url, 'herald', connections, SETTINGS);
  // One in use that breaks fails its statement besides. Without a listener it would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ error }, 'a connection to the database broke'));
  });

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    const since = clock.monotonic();
    let ok = false;
    try {
      const result = await work();
      ok = true;
      observer.found();
      return result;
    } catch (error) {
      if (isOutage(error) && isGone(codeOf(error))) observer.lost(error);
      throw error;
    } finally {
      observer.statementEnded((clock.monotonic() - since) / 1_000, ok);
    }
  }

  return {
    run: (sql, values) => watched(() => runnerOn(pool).run(sql, values)),
    change: (sql, values) => watched(() => runnerOn(pool).change(sql, values)),
    transaction: (work) => watched(() => onClient(pool, (client) => inTransaction(client, work))),
    alone: (lock, work) =>
      onClient(pool, async (client) => {
        await takeLock(client, lock, logger);
        // When it fails the lock ends with the connection.
        const result = await work(client);
        await client.query('SELECT pg_advisory_unlock($1)', [lock]);
        return result;
      }),
    connections: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/**
 * Asks again and again: a statement that waits for the lock would be given up after a while, and would itself be waited
 * for by whoever builds an index under it.
 */
async function takeLock(client: PoolClient, lock: Lock, logger: Logger): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
    if (rows[0]?.taken === true) return;
    if (asked % SAID_EVERY === 0)
      logger.info({}, 'waiting for another process that prepares or moves the database');
    await client.query('SELECT pg_sleep($1)', [ASK_EVERY_SECONDS]);
  }
}

/** A statement that each connection prepares once, under its first words and its digest: 57 of the 63 bytes a name may have. */
interface Named extends Compiled {
  readonly name: string;
}

const named = new Map<string, Named>();

function nameStatement(text: string): Named {
  const words = text.toLowerCase().replaceAll(/\W+/g, '_').slice(0, 40);
  return { ...compile(text, 'postgres'), name: `${words}_${hash('sha256', text).slice(0, 16)}` };
}

function runnerOn(connection: Pool | PoolClient): Runner {
  function ask(sql: Sql, values: object = {}) {
    const statement = named.getOrInsertComputed(textOf(sql, 'postgres'), nameStatement);
    const { name, text } = statement;
    const asked = connection.query({ name, text, values: valuesOf(statement, values).map(storable) });
    return asked.catch(rejectAsOutage);
  }
  return {
    run: async (sql, values) => (await ask(sql, values)).rows as never,
    change: async (sql, values) => (await ask(sql, values)).rowCount ?? 0,
  };
}

/** SQLSTATE classes of what was asked for and never can be: not what it does, wrong data, a broken constraint, a limit. */
const UNFIT = /^(?:0A|22|23|54)/;

/** Classes of a connection that broke, a server that has none left, goes down or lost its disk; and a standby, which takes no writes. */
const GONE = /^(?:08|53|57P|58|25006)/;
const SQLSTATE = /^\d[0-9A-Z]{4}$/;

function rejectAsOutage(error: unknown): never {
  throw UNFIT.test(codeOf(error)) ? error : asOutage(error);
}

/** Codes of the network, and the driver's own errors, which have none, are no SQLSTATE. */
function isGone(code: string): boolean {
  return GONE.test(code) || !(SQLSTATE.test(code) || code.startsWith('XX'));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** PostgreSQL has no U+0000 in its texts, and what the service or a customer writes may hold one anywhere. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return Array.isArray(value) ? value.map(storable) : value;
}

/** A connection on which anything failed is not given back: what state it is in is not known. */
async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(rejectAsOutage);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function inTransaction<T>(client: PoolClient, work: (runner: Runner) => T | Promise<T>): Promise<T> {
  await client.query('BEGIN').catch(rejectAsOutage);
  const result = await work(runnerOn(client));
  await client.query('COMMIT').catch(rejectAsOutage);
  return result;
}

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

/** A connection beside the pool, for a question or two; not connected yet. */
export function sessionOf(connectionString: string): Client {
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
