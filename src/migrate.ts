import { parseArgs } from 'node:util';
import { environmentSchema } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import { fail, ok, type Result } from './core/result.ts';
import type { Surroundings } from './herald.ts';
import { type MoveEnd, type MoveStep, moveInstallation } from './store/moving/move.ts';
import { createLogger } from './telemetry/logger.ts';

const USAGE = `Moves what Herald has on record from a SQLite file to PostgreSQL. Stop Herald first.

  npm run migrate -- --from file:./data/herald.db --to postgres://user:password@host:5432/herald

Without --to the address comes from DATABASE_URL, where no list of processes shows its password. Stopped or killed,
the same command begins anew; until it has ended, Herald may go on with the file.`;

/** The copying of a long table is reported every so many rows. */
const REPORTED_EVERY_ROWS = 100_000;

interface Addresses {
  readonly from: string;
  readonly to: string;
}

/** `npm run migrate`. Returns the exit code: 0 when the installation is moved. */
export async function runMigration(
  options: readonly string[],
  { env, say, untilStopped }: Surroundings,
): Promise<number> {
  const addresses = addressesFrom(options, env.DATABASE_URL);
  if (!addresses.ok) {
    say(`${addresses.error}\n\n${USAGE}`);
    return 1;
  }
  const { from, to } = addresses.value;
  const ended = await move(from, to, say, untilStopped);
  say(ended.ok ? ended.value : ended.error);
  return ended.ok ? 0 : 1;
}

function addressesFrom(options: readonly string[], databaseUrl = ''): Result<Addresses, string> {
  const parsed = optionsFrom(options);
  if (!parsed.ok) return parsed;
  const { from = '', to = databaseUrl } = parsed.value;
  if (!isAddress(from, 'file:'))
    return fail('--from needs the address of a file, such as file:./data/herald.db.');
  if (!isAddress(to, 'postgres'))
    return fail('--to needs the address of a database, such as postgres://user:password@host:5432/herald.');
  return ok({ from: from.slice('file:'.length), to });
}

function optionsFrom(options: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...options],
      options: { from: { type: 'string' }, to: { type: 'string' } },
    });
    return ok(values);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function isAddress(address: string, beginning: string): boolean {
  return address.startsWith(beginning) && environmentSchema.shape.DATABASE_URL.safeParse(address).success;
}

async function move(
  from: string,
  to: string,
  say: Surroundings['say'],
  untilStopped: Promise<unknown>,
): Promise<Result<string, string>> {
  const stopping = new AbortController();
  void untilStopped.then(() => stopping.abort());
  const moved = await moveInstallation({
    from,
    to,
    clock: systemClock,
    logger: createLogger({ level: 'error', secrets: [to, new URL(to).password].filter((one) => one !== '') }),
    stopping: stopping.signal,
    progressed: progressReport(say),
  });
  if (!moved.ok) return moved;
  return moved.value === 'stopped' ? fail(STOPPED) : ok(lastWords(moved.value, from));
}

/** One line a table, and one more for every 100,000 rows of it. */
function progressReport(say: Surroundings['say']): (step: MoveStep) => void {
  let reported = 0;
  return (step) => {
    const rows = step.rows.toLocaleString('en');
    if (step.step === 'compared') {
      reported = 0;
      say(`moved ${step.table}: ${rows} rows, digest ${step.digest} on both sides`);
    } else if (step.rows - reported >= REPORTED_EVERY_ROWS) {
      reported = step.rows;
      say(`copying ${step.table}: ${rows} rows so far`);
    }
  };
}

const STOPPED =
  'Stopped. Nothing was moved: Herald may go on with the file, and the same command begins anew.';

function lastWords(end: Exclude<MoveEnd, 'stopped'>, from: string): string {
  const first =
    end === 'moved'
      ? 'Moved: everything was read back from PostgreSQL and is as it was in the file.'
      : 'This file was moved to that database before; there is nothing left to do.';
  return `${first}
Next: set DATABASE_URL to the PostgreSQL database, and start as many replicas as you like.
${from} must not be used any more: a Herald refuses to start on it. A copy that was made of it before and is put elsewhere knows
nothing of the move, and a Herald started there could message people twice: destroy such copies, or keep them out of reach.`;
}
