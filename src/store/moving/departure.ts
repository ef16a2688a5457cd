import type { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import { hasTable, SCHEMA_VERSION, schemaVersionOf } from '../sqlite/migrations.ts';
import { createNewestCopy } from '../sqlite/newest-copy.ts';

/** What a file knows of its sends being moved to another database. */
export interface Departure {
  /** Tells this installation from every other one, through all attempts to move it. */
  readonly installation: string;
  /** Counts the moves that were begun; a cancelled one is not gone on with. */
  readonly attempt: number;
  /** Host, port and name of the database, without user and password. */
  readonly target: string;
  readonly state: 'moving' | 'moved';
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Added to the schema's version for as long as the file must not be used. Every Herald takes such a file for one of
 * a newer version and refuses it, those that know nothing of moves included.
 */
const DEPARTED = 1_000_000;

/** What a Herald says that was started on a file whose sends are, or go, elsewhere. */
export function sentenceOfDeparture(file: string, { state, target, since }: Departure): string {
  const day = new Date(since).toISOString().slice(0, 10);
  if (state === 'moved')
    return `What the database ${file} held was moved to PostgreSQL at ${target} on ${day}, and its sends go on there. Started on this file as well, Herald could message people twice. Set DATABASE_URL to that database.`;
  return `The database ${file} is being moved to PostgreSQL at ${target} since ${day}. Run npm run migrate with the same addresses again to finish that, or with --cancel to stay with the file.`;
}

/** The move that was begun or done and not cancelled. */
export function departureOf(database: DatabaseSync): Departure | undefined {
  const last = lastDeparture(database);
  return last === undefined || last.state === 'cancelled' ? undefined : { ...last, state: last.state };
}

/**
 * Begins a move, or goes on with the one that was begun: from now on no Herald starts on the file.
 *
 * @param fresh the id for an installation that was never moved before
 */
export function beginDeparture(
  database: DatabaseSync,
  { fresh, target, at }: { readonly fresh: string; readonly target: string; readonly at: number },
): Result<Departure, string> {
  const known = departureOf(database);
  if (known !== undefined)
    return schemaVersionOf(database) === DEPARTED + SCHEMA_VERSION ? ok(known) : fail(OTHER_VERSION);
  const newest = createNewestCopy(database);
  if (newest.isOlder()) {
    newest.close();
    return fail(RESTORED);
  }
  const last = lastDeparture(database);
  const departure: Departure = {
    installation: last?.installation ?? fresh,
    attempt: (last?.attempt ?? 0) + 1,
    target,
    state: 'moving',
    since: at,
  };
  // A copy that was made of the file before knows nothing of the move: from now on it passes for an older one.
  write(database, departure, DEPARTED + SCHEMA_VERSION, newest.begin);
  newest.begun();
  newest.close();
  return ok(departure);
}

/** The last word: from now on what the file held is in the other database only. */
export function endDeparture(database: DatabaseSync, departure: Departure, at: number): void {
  write(database, { ...departure, state: 'moved', since: at }, DEPARTED + SCHEMA_VERSION);
}

/** Gives the file back to Herald. Nothing but a move that has not ended may be cancelled. */
export function cancelDeparture(database: DatabaseSync, departure: Departure): void {
  write(database, { ...departure, state: 'cancelled' }, schemaVersionOf(database) - DEPARTED);
}

const OTHER_VERSION =
  'The move was begun by another version of Herald. Finish it with that version, or cancel it with --cancel and begin again.';

const RESTORED =
  'The database is an older copy that was restored, so what it holds as unsent may have been sent since it was made. Start Herald on it once, which puts that in order, stop it, and then move it.';

type LastDeparture = Omit<Departure, 'state'> & { readonly state: Departure['state'] | 'cancelled' };

function lastDeparture(database: DatabaseSync): LastDeparture | undefined {
  if (!hasTable(database, 'departure')) return undefined;
  const row = database.prepare('SELECT * FROM departure').get();
  return row === undefined ? undefined : ({ ...row } as unknown as LastDeparture);
}

/** @param besides what is written in the same transaction */
function write(
  database: DatabaseSync,
  departure: LastDeparture,
  version: number,
  besides: () => void = () => {},
): void {
  const { installation, attempt, target, state, since } = departure;
  database.exec('BEGIN IMMEDIATE');
  besides();
  database.exec(
    `CREATE TABLE IF NOT EXISTS departure (
       installation TEXT NOT NULL, attempt INTEGER NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL,
       since INTEGER NOT NULL) STRICT;
     DELETE FROM departure`,
  );
  database
    .prepare('INSERT INTO departure (installation, attempt, target, state, since) VALUES (?, ?, ?, ?, ?)')
    .run(installation, attempt, target, state, since);
  database.exec(`PRAGMA user_version = ${version}; COMMIT`);
}
