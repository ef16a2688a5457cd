import type { DatabaseSync } from 'node:sqlite';
import { newId } from '../../core/ids.ts';
import type { Random } from '../../core/random.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { UNOBSERVED } from '../observer.ts';
import { createDatabase } from '../postgres/database.ts';
import { LOCKS } from '../postgres/locks.ts';
import { placeOf, prepareDatabase, reasonOf } from '../postgres/open.ts';
import type { Database } from '../sql.ts';
import { openForMoving } from '../sqlite/open.ts';
import { copyTable } from './copy.ts';
import {
  beginDeparture,
  cancelDeparture,
  type Departure,
  departureOf,
  endDeparture,
  sentenceOfDeparture,
} from './departure.ts';
import { differencesOf } from './differences.ts';
import { type MovedTable, movedTables } from './tables.ts';
import { claimTarget, openTarget } from './target.ts';
import { agree, type Contents, compareTable } from './verify.ts';

/** What is told while it happens; rows are those that the target has of the table. */
export type MoveStep =
  | { readonly step: 'copying' | 'copied'; readonly table: string; readonly rows: number }
  | ({ readonly step: 'verified'; readonly table: string } & Contents);

/** How a move ended without an error. */
export type MoveEnd = 'moved' | 'moved_before' | 'stopped';

export interface MoveRequest extends StoppableSurroundings {
  /** Path of the file. */
  readonly from: string;
  /** `postgres://user:password@host:port/database` */
  readonly to: string;
  readonly random: Random;
  progressed(step: MoveStep): void;
}

/**
 * Moves everything that a SQLite file holds into an empty PostgreSQL database, and checks it there row by row. May be
 * killed at any moment: asked again, it goes on where it was. Until everything is there and was compared neither
 * database can be used by a Herald, afterwards only PostgreSQL: the file is closed first, and the target opened then.
 *
 * @returns how it ended, or one sentence that says why it could not
 */
export async function moveInstallation(request: MoveRequest): Promise<Result<MoveEnd, string>> {
  const source = openForMoving(request.from);
  if (!source.ok) return source;
  const target = createDatabase(request.to, request.logger, {
    observer: UNOBSERVED,
    clock: request.clock,
  });
  try {
    const prepared = await prepareDatabase(request.to, target);
    if (!prepared.ok) return prepared;
    return await target.alone(LOCKS.moving, () => move(request, source.value, target));
  } catch (error) {
    request.logger.error({ error }, 'the move broke off');
    return fail(
      `The move broke off: ${reasonOf(error)} Neither database was opened; what has arrived stays. Run the same command again to go on.`,
    );
  } finally {
    await target.close();
    source.value.close();
  }
}

/** Gives a file whose move has not ended back to Herald. What is in the target already is of no use to anybody. */
export function cancelMove(path: string): Result<undefined, string> {
  const source = openForMoving(path);
  if (!source.ok) return source;
  try {
    const departure = departureOf(source.value);
    if (departure === undefined) return fail(`No move of the database ${path} was begun.`);
    if (departure.state === 'moved') return fail(sentenceOfDeparture(path, departure));
    cancelDeparture(source.value, departure);
    return ok(undefined);
  } finally {
    source.value.close();
  }
}

async function move(
  request: MoveRequest,
  source: DatabaseSync,
  target: Database,
): Promise<Result<MoveEnd, string>> {
  const place = placeOf(request.to);
  const known = departureOf(source);
  const tables = await movedTables(source, target);
  const began = beginDeparture(source, {
    fresh: newId('I', request.random),
    target: place,
    at: request.clock.now(),
  });
  if (!began.ok) return began;
  const departure = began.value;
  const claimed = await claimTarget(target, tables, departure, { source: request.from, place });
  if (!claimed.ok) {
    // Nothing was moved yet: the file stays what it was.
    if (known === undefined) cancelDeparture(source, departure);
    return claimed;
  }
  if (claimed.value === 'arrived') return ok('moved_before');
  const copied = await copyAll(request, source, target, tables);
  if (!copied) return ok('stopped');
  const verified = await verifyAll(request, source, target, tables);
  if (!verified.ok) return verified;
  await handOver(request, source, target, tables, departure);
  return ok('moved');
}

/** The order is what matters: there is no moment at which both could be used. */
async function handOver(
  { clock, from }: MoveRequest,
  source: DatabaseSync,
  target: Database,
  tables: readonly MovedTable[],
  departure: Departure,
): Promise<void> {
  if (departure.state === 'moving') endDeparture(source, departure, clock.now());
  await openTarget(target, tables, { ...departure, source: from, state: 'moved', since: clock.now() });
}

/** Returns whether everything is there; not, when it was stopped. */
async function copyAll(
  { stopping, progressed }: MoveRequest,
  source: DatabaseSync,
  target: Database,
  tables: readonly MovedTable[],
): Promise<boolean> {
  for (const table of tables) {
    const rows = await copyTable({
      source,
      target,
      table,
      stopping,
      progressed: (moved) => progressed({ step: 'copying', table: table.name, rows: moved }),
    });
    if (rows === undefined || stopping.aborted) return false;
    progressed({ step: 'copied', table: table.name, rows });
  }
  return true;
}

async function verifyAll(
  { progressed }: MoveRequest,
  source: DatabaseSync,
  target: Database,
  tables: readonly MovedTable[],
): Promise<Result<undefined, string>> {
  for (const table of tables) {
    const comparison = await compareTable(source, target, table);
    if (!agree(comparison)) return fail(await mismatch(source, target, table, comparison));
    progressed({ step: 'verified', table: table.name, ...comparison.target });
  }
  return ok(undefined);
}

async function mismatch(
  source: DatabaseSync,
  target: Database,
  table: MovedTable,
  compared: { readonly source: Contents; readonly target: Contents },
): Promise<string> {
  const { count, first } = await differencesOf(source, target, table);
  const said = (contents: Contents) => `${contents.rows} rows, digest ${contents.digest}`;
  const rows =
    first === undefined
      ? 'PostgreSQL has rows that the file does not have'
      : `${count} rows of the file are missing or different there, the first one ${first}`;
  return `The table ${table.name} did not arrive as it was: the file has ${said(compared.source)}, PostgreSQL has ${said(compared.target)}; ${rows}. Neither database was opened. Run the command with --cancel, find out what else writes to the PostgreSQL database, and begin again: everything is then moved anew.`;
}
