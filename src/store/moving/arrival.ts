import { fail, ok, type Result } from '../../core/result.ts';
import type { Runner } from '../sql.ts';

/** What a database knows of an installation that is, or was, moved into it. */
export interface Arrival {
  readonly installation: string;
  readonly attempt: number;
  /** The file it comes from, for people. */
  readonly source: string;
  readonly state: 'moving' | 'moved';
  /** Milliseconds since the epoch. */
  readonly since: number;
}

const FIND = 'SELECT installation, attempt, source, state, since FROM arrival';
const PUT = `INSERT INTO arrival (installation, attempt, source, state, since) VALUES (:installation, :attempt, :source, :state, :since)
   ON CONFLICT (alone) DO UPDATE SET installation = excluded.installation, attempt = excluded.attempt,
     source = excluded.source, state = excluded.state, since = excluded.since`;

export async function arrivalIn(runner: Runner): Promise<Arrival | undefined> {
  return (await runner.run<Arrival>(FIND))[0];
}

export async function putArrival(runner: Runner, arrival: Arrival): Promise<void> {
  const { installation, attempt, source, state, since } = arrival;
  await runner.change(PUT, { installation, attempt, source, state, since });
}

export async function removeArrival(runner: Runner): Promise<void> {
  await runner.change('DELETE FROM arrival');
}

/** Whether a Herald may work on the database: not while only a part of an installation has arrived. */
export async function checkArrived(runner: Runner, place: string): Promise<Result<undefined, string>> {
  const arrival = await arrivalIn(runner);
  if (arrival?.state !== 'moving') return ok(undefined);
  return fail(
    `The PostgreSQL database ${place} holds only a part of what is being moved to it from ${arrival.source}. Run npm run migrate with the same addresses again to finish that, or name another database.`,
  );
}
