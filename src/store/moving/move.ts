import type { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { UNOBSERVED } from '../observer.ts';
import { createDatabase } from '../postgres/database.ts';
import { LOCKS } from '../postgres/locks.ts';
import { placeOf, prepareDatabase, reasonOf } from '../postgres/open.ts';
import type { Row, Runner } from '../sql.ts';
import { standingOf } from '../sqlite/newest-copy.ts';
import { openForMoving } from '../sqlite/open.ts';
import { type Contents, contentsOf, copyTable, type MovedTable, movedTables, quoted } from './copy.ts';
import { depart, departureOf, sentenceOfDeparture } from './departure.ts';

/** Announced to people: how much of a table was read, and that PostgreSQL gave the same back. */
export interface MoveStep extends Contents {
  readonly step: 'copying' | 'compared';
  readonly table: string;
}

/** How a move ended without an error. */
export type MoveEnd = 'moved' | 'moved_before';

export interface MoveRequest extends StoppableSurroundings {
  /** Path of the file. */
  readonly from: string;
  /** `postgres://user:password@host:port/database` */
  readonly to: string;
  progressed(step: MoveStep): void;
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
  const source = openForMoving(from);
  if (!source.ok) return source;
  const target = createDatabase(to, logger, { observer: UNOBSERVED, clock });
  try {
    const prepared = await prepareDatabase(to, target);
    if (!prepared.ok) return prepared;
    const tables = await movedTables(source.value, target);
    const pass = (runner: Runner) => move(request, source.value, runner, tables);
    const end = await target.alone(LOCKS.moving, () => target.transaction(pass));
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
    if ((await runner.run(`SELECT FROM ${quoted(name)} LIMIT 1`)).length > 0) filled.push(name);
  return filled.length > 0 ? `rows in ${filled.join(', ')}` : undefined;
}

async function moveTable(
  { stopping, progressed }: MoveRequest,
  source: DatabaseSync,
  runner: Runner,
  table: MovedTable,
): Promise<void> {
  let there: Contents = { rows: 0, digest: '' };
  for await (there of copyTable(source, runner, table)) {
    progressed({ step: 'copying', table: table.name, ...there });
    if (stopping.aborted) throw new NotMoved(STOPPED);
  }
  const here = await contentsOf(runner, table);
  if (there.rows !== here.rows || there.digest !== here.digest)
    throw new NotMoved(mismatch(table.name, there, here));
  progressed({ step: 'compared', table: table.name, ...here });
}

function mismatch(table: string, there: Contents, here: Contents): string {
  const said = ({ rows, digest }: Contents) => `${rows} rows, digest ${digest}`;
  return `The table ${table} did not arrive as it was: the file has ${said(there)}, PostgreSQL has ${said(here)}. Nothing was moved, and Herald may go on with the file. Find out what else writes to the PostgreSQL database, and run the command again.`;
}
