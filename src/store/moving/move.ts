import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { createDatabase, LOCKS, storable } from '../postgres/database.ts';
import { placeOf, prepareDatabase, reasonOf } from '../postgres/open.ts';
import type { Row, Runner } from '../sql.ts';
import { standingOf } from '../sqlite/newest-copy.ts';
import { openDatabase, refusals } from '../sqlite/open.ts';
import { UNOBSERVED } from '../stores.ts';
import { depart, departureOf, sentenceOfDeparture } from './departure.ts';

/** How a move ended without an error. */
export type MoveEnd = 'moved' | 'moved_before';

interface MoveRequest extends StoppableSurroundings {
  /** Path of the file. */
  readonly from: string;
  /** `postgres://user:password@host:port/database` */
  readonly to: string;
  /** Is called with a line as each table is begun, and once PostgreSQL gave the same back. */
  progressed(line: string): void;
}

/** Rolls back what PostgreSQL was given, and says why. */
class NotMoved extends Error {}

const STOPPED =
  'Stopped. Nothing was moved: Herald may go on with the file, and the same command begins anew.';
const RESTORED =
  'The database is an older copy that was restored, so what it holds as unsent may have been sent since it was made. Start Herald on it once, which puts that in order, stop it, and then move it.';

// The wait for the file's disk at the end is longer than a replica's transactions may stand still.
const BE_PATIENT = `SET LOCAL idle_in_transaction_session_timeout = '60s'`;
/** Whoever starts on the target meanwhile waits here until the move has ended. */
const KEEP_OUT = 'LOCK TABLE replicas IN SHARE ROW EXCLUSIVE MODE';
const LIVE_REPLICAS = 'SELECT id FROM replicas WHERE lease_until > clock_timestamp()';
const ARRIVAL = 'SELECT installation, source FROM arrival';
const ARRIVE = 'INSERT INTO arrival (installation, source) VALUES (:installation, :from)';
/** The replica that has claimed what the moved installation was attempting. It is dead, so its work is taken over. */
const BRING_DEAD = `INSERT INTO replicas (id, lease_until) VALUES ('R-MOVED', '-infinity') ON CONFLICT DO NOTHING`;
const LEAVE_TO_DEAD = `UPDATE recipients SET claimed_by = 'R-MOVED' WHERE state = 'attempting'`;
/** Numbers that PostgreSQL gives by itself go on after those that were brought. */
const NUMBERED = `SELECT attrelid::regclass::text AS name, attname AS column FROM pg_attribute
   JOIN pg_class c ON c.oid = attrelid WHERE c.relnamespace = current_schema()::regnamespace AND attidentity <> ''`;
const goOn = ({ name, column }: Row) =>
  `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), coalesce(max(${column}), 0) + 1, false) FROM ${name}`;

/**
 * Moves everything that a SQLite file holds into an empty PostgreSQL database, in one transaction there: each table is
 * copied, read back and compared. Broken off at any moment, it leaves the target empty, and asked again it begins anew.
 * The file is closed right before the target's transaction ends, so at no moment can both be used.
 *
 * @returns how it ended, or one sentence that says why nothing was moved
 */
export async function moveInstallation(request: MoveRequest): Promise<Result<MoveEnd, string>> {
  const { from, to, clock, logger } = request;
  if (!existsSync(from)) return fail(refusals.notThere(resolve(from)));
  const source = openDatabase(from, undefined, true);
  if (!source.ok) return source;
  const target = createDatabase(to, logger, { observer: UNOBSERVED, clock });
  try {
    const prepared = await prepareDatabase(to, target);
    if (!prepared.ok) return prepared;
    const tables = movedTables(source.value);
    const end = await target.alone(LOCKS.moving, () =>
      target.transaction((runner) => move(request, source.value, runner, tables)),
    );
    source.value.exec('UPDATE departure SET arrived = 1');
    if (end === 'moved') await target.change('ANALYZE');
    return ok(end);
  } catch (error) {
    if (error instanceof NotMoved) return fail(error.message);
    logger.error({ error }, 'the move broke off');
    return fail(
      `The move broke off: ${reasonOf(error)} Run the same command again: what was not finished begins anew.`,
    );
  } finally {
    await target.close();
    source.value.close();
  }
}

/** The one pass, in a transaction of the target. */
async function move(
  request: MoveRequest,
  source: DatabaseSync,
  runner: Runner,
  tables: readonly MovedTable[],
): Promise<MoveEnd> {
  const { from, clock } = request;
  const place = placeOf(request.to);
  await runner.change(BE_PATIENT);
  await runner.change(KEEP_OUT);
  const departure = departureOf(source);
  const [arrival] = await runner.run(ARRIVAL);
  if (departure !== undefined && arrival?.installation === departure.installation) return 'moved_before';
  if (departure?.arrived === 1 || (departure && departure.target !== place))
    throw new NotMoved(sentenceOfDeparture(from, departure));
  if (departure === undefined && standingOf(source, from) !== 'newest') throw new NotMoved(RESTORED);
  if ((await runner.run(LIVE_REPLICAS)).length > 0)
    throw new NotMoved(
      `A Herald runs on the PostgreSQL database ${place}, or ended there a few seconds ago. Stop it, or name another database.`,
    );
  const other = arrival ? `what was moved from ${arrival.source}` : await rowsIn(runner, tables);
  if (other !== undefined)
    throw new NotMoved(
      `The PostgreSQL database ${place} holds other data: ${other}. Name an empty database.`,
    );
  for (const table of tables) await moveTable(request, source, runner, table);
  for (const numbered of await runner.run(NUMBERED)) await runner.run(goOn(numbered));
  await runner.change(BRING_DEAD);
  await runner.change(LEAVE_TO_DEAD);
  const { installation } = departure ?? depart(source, place, clock.now());
  await runner.change(ARRIVE, { installation, from });
  return 'moved';
}

async function rowsIn(runner: Runner, tables: readonly MovedTable[]): Promise<string | undefined> {
  const filled: string[] = [];
  for (const { name } of tables)
    if ((await runner.run(`SELECT FROM ${name} LIMIT 1`)).length > 0) filled.push(name);
  return filled.length > 0 ? `rows in ${filled.join(', ')}` : undefined;
}

async function moveTable(
  { stopping, progressed }: MoveRequest,
  source: DatabaseSync,
  runner: Runner,
  table: MovedTable,
): Promise<void> {
  progressed(`copying ${table.name}`);
  const there = await copyTable(source, runner, table, stopping);
  if (stopping.aborted) throw new NotMoved(STOPPED);
  const here = await contentsOf(runner, table);
  if (there !== here)
    throw new NotMoved(
      `The table ${table.name} did not arrive as it was: the file has ${there}, PostgreSQL has ${here}. Nothing was moved, and Herald may go on with the file. Find out what else writes to the PostgreSQL database, and run the command again.`,
    );
  progressed(`moved ${table.name}: ${here} on both sides`);
}

/** A table that both databases have. */
interface MovedTable {
  readonly name: string;
  /** The file has these; PostgreSQL has more. */
  readonly columns: readonly string[];
}

/** These are about the file itself; the target counts its own commits of alerts. */
const STAYS: readonly string[] = ['alert_version', 'departure', 'newest_copy'];
const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`;
const COLUMNS = 'SELECT name FROM pragma_table_info(?)';
/** Rows that are in memory at once: the bodies of so many webhooks are some megabytes. */
const BATCH_ROWS = 200;

/**
 * Every table of the file in the order in which they were made: each after those that it refers to. Found in the schema
 * itself, so that a table that a later version adds is moved without being named here.
 */
function movedTables(source: DatabaseSync): readonly MovedTable[] {
  const namesIn = (rows: readonly Row[]) => rows.map(({ name }) => String(name));
  return namesIn(source.prepare(TABLES).all())
    .filter((name) => !STAYS.includes(name))
    .map((name) => ({ name, columns: namesIn(source.prepare(COLUMNS).all(name)) }));
}

/** Copies one table, unless it is stopped, and returns what was read of it. */
async function copyTable(
  source: DatabaseSync,
  runner: Runner,
  { name, columns }: MovedTable,
  stopping: AbortSignal,
): Promise<string> {
  const names = columns.join(', ');
  const insert = `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${names} FROM json_populate_recordset(NULL::${name}, :rows::json)`;
  const digest = createDigest(columns);
  let batch: Row[] = [];
  const bring = async () => {
    const rows = asStored(batch);
    batch = [];
    await runner.change(insert, { rows: JSON.stringify(rows) });
    digest.add(rows);
  };
  for (const row of source.prepare(`SELECT ${names} FROM ${name}`).iterate()) {
    if (stopping.aborted) break;
    if (batch.push(row) === BATCH_ROWS) await bring();
  }
  await bring();
  return digest.contents();
}

async function contentsOf(runner: Runner, { name, columns }: MovedTable): Promise<string> {
  const digest = createDigest(columns);
  await runner.change(`DECLARE reading NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${name}`);
  for (;;) {
    // Prepared for each table: a prepared statement keeps the columns of its rows.
    const rows = await runner.run(`FETCH ${BATCH_ROWS} FROM reading -- ${name}`);
    if (rows.length === 0) break;
    digest.add(asStored(rows));
  }
  await runner.change('CLOSE reading');
  return digest.contents();
}

/** Rows as JSON holds them for PostgreSQL: bytes in its own notation, texts without what it cannot hold. */
function asStored(rows: readonly Row[]): readonly Row[] {
  const cell = (value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : storable(value);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cell(value)])),
  );
}

/**
 * Rows have a key and so are never equal: the exclusive or of their SHA-256 is a digest of them all that does not depend on
 * their order, which two databases need not have in common.
 */
function createDigest(columns: readonly string[]) {
  const sum = Buffer.alloc(32);
  let count = 0;
  return {
    add: (rows: readonly Row[]): void => {
      for (const row of rows) {
        const digest = hash('sha256', JSON.stringify(columns.map((column) => row[column])), 'buffer');
        for (const [place, byte] of digest.entries()) sum[place] = (sum[place] ?? 0) ^ byte;
      }
      count += rows.length;
    },
    /** Says how many rows there were, and the first 16 digits of their digest. */
    contents: () => `${count.toLocaleString('en')} rows, digest ${sum.toString('hex').slice(0, 16)}`,
  };
}
