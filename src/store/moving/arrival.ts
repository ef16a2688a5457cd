import { fail, ok, type Result } from '../../core/result.ts';
import type { Database, Row, Runner } from '../sql.ts';
import { type MovedTable, quoted } from './copy.ts';

/** What a database knows of an installation that is, or was, moved into it. */
export interface Arrival {
  readonly installation: string;
  /** The file it comes from, for people. */
  readonly source: string;
  /** Until it is `moved` no Herald works on the database. */
  readonly state: 'moving' | 'moved';
}

const FIND = 'SELECT installation, source, state FROM arrival';
const PUT = `INSERT INTO arrival (installation, source, state) VALUES (:installation, :source, :state)
   ON CONFLICT (alone) DO UPDATE SET installation = excluded.installation, source = excluded.source,
     state = excluded.state`;
const LIVE_REPLICAS = 'SELECT id FROM replicas WHERE lease_until > clock_timestamp()';
/** The replica that has claimed what the moved installation was attempting. It is dead, so its work is taken over. */
const BRING_DEAD = `INSERT INTO replicas (id, lease_until) VALUES ('R-MOVED', '-infinity') ON CONFLICT DO NOTHING`;
const LEAVE_TO_DEAD = `UPDATE recipients SET claimed_by = 'R-MOVED' WHERE state = 'attempting'`;
/** Numbers that PostgreSQL gives by itself go on after those that were brought. */
const NUMBERED = `SELECT attrelid::regclass::text AS name, attname AS column FROM pg_attribute
   JOIN pg_class c ON c.oid = attrelid WHERE c.relnamespace = current_schema()::regnamespace AND attidentity <> ''`;
const goOn = ({ name, column }: Row) =>
  `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), coalesce(max(${column}), 0) + 1, false) FROM ${name}`;

export async function arrivalIn(runner: Runner): Promise<Arrival | undefined> {
  return (await runner.run<Arrival>(FIND))[0];
}

/** Whether a Herald may work on the database: not while it is being filled. */
export async function checkArrived(runner: Runner, place: string): Promise<Result<undefined, string>> {
  const arrival = await arrivalIn(runner);
  if (arrival?.state !== 'moving') return ok(undefined);
  return fail(
    `The PostgreSQL database ${place} holds only a part of what is being moved to it from ${arrival.source}. Run npm run migrate with the same addresses again to finish that, or name another database.`,
  );
}

/**
 * Makes sure that nobody uses the target or has data in it, but for what the same file left there when its move broke
 * off; and leaves a mark that keeps every Herald away from it.
 *
 * @param place the target, for people
 */
export async function claimTarget(
  target: Database,
  tables: readonly MovedTable[],
  arrival: Arrival,
  place: string,
): Promise<Result<undefined, string>> {
  const known = await arrivalIn(target);
  const isAgain = known?.state === 'moving' && known.installation === arrival.installation;
  const other = known ? `what was moved from ${known.source}` : await rowsIn(target, tables);
  if (!isAgain && other !== undefined)
    return fail(`The PostgreSQL database ${place} holds other data: ${other}. Name an empty database.`);
  await target.change(PUT, { ...arrival });
  // A Herald that starts this moment looks for the mark after it has entered itself here: one of the two sees the other.
  if ((await target.run(LIVE_REPLICAS)).length === 0) return ok(undefined);
  if (!isAgain) await target.change('DELETE FROM arrival');
  return fail(
    `A Herald runs on the PostgreSQL database ${place}, or ended there a few seconds ago. Stop it, or name another database.`,
  );
}

async function rowsIn(target: Database, tables: readonly MovedTable[]): Promise<string | undefined> {
  const filled: string[] = [];
  for (const { name } of tables)
    if ((await target.run(`SELECT FROM ${quoted(name)} LIMIT 1`)).length > 0) filled.push(name);
  return filled.length > 0 ? `rows in ${filled.join(', ')}` : undefined;
}

/** What an attempt before has left is no record yet: what keeps the record from being emptied is put aside for it. */
export async function emptyTables(runner: Runner, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ name }) => quoted(name));
  for (const name of names) await runner.change(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  await runner.change(`TRUNCATE ${names.join(', ')}`);
  for (const name of names) await runner.change(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
}

/** The last step: what was being attempted is left to a dead replica, whose work the first Herald takes over. */
export async function openTarget(target: Database, arrival: Arrival): Promise<void> {
  await target.transaction(async (runner) => {
    for (const numbered of await runner.run(NUMBERED)) await runner.run(goOn(numbered));
    await runner.change(BRING_DEAD);
    await runner.change(LEAVE_TO_DEAD);
    await runner.change(PUT, { ...arrival, state: 'moved' });
  });
  await target.change('ANALYZE');
}
