import type { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { UNOBSERVED } from '../observer.ts';
import { createDatabase } from '../postgres/database.ts';
import { LOCKS } from '../postgres/locks.ts';
import { placeOf, prepareDatabase, reasonOf } from '../postgres/open.ts';
import type { Database, Runner } from '../sql.ts';
import { standingOf } from '../sqlite/newest-copy.ts';
import { openForMoving } from '../sqlite/open.ts';
import { type Arrival, arrivalIn, claimTarget, emptyTables, openTarget } from './arrival.ts';
import { type Contents, contentsOf, copyTable, type MovedTable, movedTables } from './copy.ts';
import { type Departure, depart, departureOf, installationOf, sentenceOfDeparture } from './departure.ts';

/** What happens, for people: how much of a table was read, and that PostgreSQL gave the same back. */
export interface MoveStep extends Contents {
  readonly step: 'copying' | 'compared';
  readonly table: string;
}

/** How a move ended without an error. */
export type MoveEnd = 'moved' | 'moved_before' | 'stopped';

export interface MoveRequest extends StoppableSurroundings {
  /** Path of the file. */
  readonly from: string;
  /** `postgres://user:password@host:port/database` */
  readonly to: string;
  progressed(step: MoveStep): void;
}

const RESTORED =
  'The database is an older copy that was restored, so what it holds as unsent may have been sent since it was made. Start Herald on it once, which puts that in order, stop it, and then move it.';

/**
 * Moves everything that a SQLite file holds into an empty PostgreSQL database, and compares it there. May be killed at any
 * moment: asked again, it begins from empty, and until everything is there and was compared Herald may go on with the
 * file. Then the file is closed first and the target opened after that, so at no moment can both be used.
 *
 * @returns how it ended, or one sentence that says why it could not
 */
export async function moveInstallation(request: MoveRequest): Promise<Result<MoveEnd, string>> {
  const { from, to, clock, logger } = request;
  const source = openForMoving(from);
  if (!source.ok) return source;
  const target = createDatabase(to, logger, { observer: UNOBSERVED, clock });
  try {
    const prepared = await prepareDatabase(to, target);
    if (!prepared.ok) return prepared;
    return await target.alone(LOCKS.moving, () => move(request, source.value, target));
  } catch (error) {
    logger.error({ error }, 'the move broke off');
    return fail(
      `The move broke off: ${reasonOf(error)} Run the same command again: what was not finished begins anew.`,
    );
  } finally {
    await target.close();
    source.value.close();
  }
}

async function move(
  request: MoveRequest,
  source: DatabaseSync,
  target: Database,
): Promise<Result<MoveEnd, string>> {
  const { from, clock } = request;
  const place = placeOf(request.to);
  const tables = await movedTables(source, target);
  const departure = departureOf(source);
  if (departure !== undefined) return finish(request, departure, target);
  if (standingOf(source, from) !== 'newest') return fail(RESTORED);
  const arrival: Arrival = { installation: installationOf(source), source: from, state: 'moving' };
  const claimed = await claimTarget(target, tables, arrival, place);
  if (!claimed.ok) return claimed;
  const filled = await target.transaction((runner) => fill(request, source, runner, tables));
  if (!filled.ok || filled.value === 'stopped') return filled;
  depart(source, { installation: arrival.installation, target: place, since: clock.now() });
  await openTarget(target, arrival);
  return ok('moved');
}

/** The file was closed already: the target is that of the move, and perhaps still to be opened. */
async function finish(
  { from }: MoveRequest,
  departure: Departure,
  target: Database,
): Promise<Result<MoveEnd, string>> {
  const arrival = await arrivalIn(target);
  if (arrival?.installation !== departure.installation) return fail(sentenceOfDeparture(from, departure));
  if (arrival.state === 'moved') return ok('moved_before');
  await openTarget(target, arrival);
  return ok('moved');
}

/** What is stopped or differs is emptied by the next attempt. */
async function fill(
  { stopping, progressed }: MoveRequest,
  source: DatabaseSync,
  runner: Runner,
  tables: readonly MovedTable[],
): Promise<Result<MoveEnd, string>> {
  await emptyTables(runner, tables);
  for (const table of tables) {
    let there: Contents = { rows: 0, digest: '' };
    for await (there of copyTable(source, runner, table)) {
      progressed({ step: 'copying', table: table.name, ...there });
      if (stopping.aborted) return ok('stopped');
    }
    const here = await contentsOf(runner, table);
    if (there.rows !== here.rows || there.digest !== here.digest)
      return fail(mismatch(table.name, there, here));
    progressed({ step: 'compared', table: table.name, ...here });
  }
  return ok('moved');
}

function mismatch(table: string, there: Contents, here: Contents): string {
  const said = ({ rows, digest }: Contents) => `${rows} rows, digest ${digest}`;
  return `The table ${table} did not arrive as it was: the file has ${said(there)}, PostgreSQL has ${said(here)}. Nothing was moved, and Herald may go on with the file. Find out what else writes to the PostgreSQL database, and run the command again.`;
}
