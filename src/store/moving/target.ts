import { fail, ok, type Result } from '../../core/result.ts';
import type { Database, Runner } from '../sql.ts';
import { type Arrival, arrivalIn, putArrival, removeArrival } from './arrival.ts';
import { type Departure, sentenceOfDeparture } from './departure.ts';
import { MOVED_REPLICA, type MovedTable, quoted } from './tables.ts';

const LIVE_REPLICAS = 'SELECT id FROM replicas WHERE lease_until > clock_timestamp()';
const FORGET_PROGRESS = 'DELETE FROM arrival_tables';
const BRING_DEAD = `INSERT INTO replicas (id, lease_until) VALUES (:id, '-infinity') ON CONFLICT DO NOTHING`;

/** How the target stands towards a move. */
export type Readiness = 'ready' | 'arrived';

/**
 * Makes sure that the target holds nothing but what this move has brought, and leaves a mark that keeps every Herald
 * away from it. What an earlier, cancelled move of the same installation has left is emptied.
 *
 * @param source the file, for people
 * @param place the target, for people
 */
export async function claimTarget(
  target: Database,
  tables: readonly MovedTable[],
  departure: Departure,
  { source, place }: { readonly source: string; readonly place: string },
): Promise<Result<Readiness, string>> {
  const known = await arrivalIn(target);
  const ours = known?.installation === departure.installation;
  if (known?.state === 'moved' && ours) return ok('arrived');
  if (known !== undefined && !ours) return fail(holdsOther(place, `what was moved from ${known.source}`));
  if (known?.attempt !== departure.attempt) {
    // The file was closed, or filled another database in part: an empty one here is a mistake of the address.
    const elsewhere = departure.state === 'moved' || departure.target !== place;
    if (elsewhere) return fail(sentenceOfDeparture(source, departure));
    const began = await begin(target, tables, known, { ...departure, source, state: 'moving' }, place);
    if (!began.ok) return began;
  }
  // A Herald that starts this moment looks for the mark after it has entered itself here: one of the two sees the other.
  if ((await target.run(LIVE_REPLICAS)).length === 0) return ok('ready');
  if (known === undefined) await removeArrival(target);
  return fail(
    `A Herald runs on the PostgreSQL database ${place}, or ended there a few seconds ago. Stop it, or name another database.`,
  );
}

function begin(
  target: Database,
  tables: readonly MovedTable[],
  left: Arrival | undefined,
  arrival: Arrival,
  place: string,
): Promise<Result<undefined, string>> {
  return target.transaction(async (runner) => {
    if (left !== undefined) await empty(runner, tables);
    const filled = await filledTables(runner, tables);
    if (filled.length > 0) return fail(holdsOther(place, `rows in ${filled.join(', ')}`));
    await runner.change(FORGET_PROGRESS);
    await putArrival(runner, arrival);
    return ok(undefined);
  });
}

function holdsOther(place: string, what: string): string {
  return `The PostgreSQL database ${place} holds other data: ${what}. Name an empty database.`;
}

async function filledTables(runner: Runner, tables: readonly MovedTable[]): Promise<readonly string[]> {
  const filled: string[] = [];
  for (const { name } of tables) {
    if ((await runner.run(`SELECT FROM ${quoted(name)} LIMIT 1`)).length > 0) filled.push(name);
  }
  return filled;
}

/** Copies that nobody has used are no record: what keeps the record from being emptied is put aside for it. */
async function empty(runner: Runner, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ name }) => quoted(name));
  for (const name of names) await runner.change(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  await runner.change(`TRUNCATE ${names.join(', ')}`);
  for (const name of names) await runner.change(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
}

/**
 * The target's last step: numbers go on after those that were brought, what was being attempted is left to a dead replica,
 * whose work the first Herald takes over, and the database is open.
 */
export async function openTarget(
  target: Database,
  tables: readonly MovedTable[],
  arrival: Arrival,
): Promise<void> {
  await target.transaction(async (runner) => {
    for (const { name, numbered } of tables) {
      if (numbered === undefined) continue;
      const goOn = `SELECT setval(pg_get_serial_sequence(:name, :numbered), coalesce(max(${quoted(numbered)}), 0) + 1, false) FROM ${quoted(name)}`;
      await runner.run(goOn, { name, numbered });
    }
    await runner.change(BRING_DEAD, { id: MOVED_REPLICA });
    await runner.change(FORGET_PROGRESS);
    await putArrival(runner, { ...arrival, state: 'moved' });
  });
  for (const { name } of tables) await target.change(`ANALYZE ${quoted(name)}`);
}
