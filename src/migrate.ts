import { parseArgs } from 'node:util';
import { environmentSchema } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import { fail, ok } from './core/result.ts';
import type { Surroundings } from './herald.ts';
import { type MoveEnd, moveInstallation } from './store/moving/move.ts';
import { createLogger } from './telemetry/logger.ts';

const USAGE = `Moves what Herald has on record from a SQLite file to PostgreSQL. Stop Herald first.

  node dist/main.js migrate --from file:./data/herald.db --to postgres://user:password@host:5432/herald

Without --to the address comes from DATABASE_URL, where no list of processes shows its password. Stopped or killed,
the same command begins anew; until it has ended, Herald may go on with the file.`;

/** `migrate --from FILE [--to ADDRESS]`. Returns the exit code: 0 when the installation is moved. */
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
  const stopping = new AbortController();
  void untilStopped.then(() => stopping.abort());
  const moved = await moveInstallation({
    ...{ from, to, clock: systemClock, stopping: stopping.signal, progressed: say },
    logger: createLogger({ level: 'error', secrets: [to, new URL(to).password].filter((one) => one !== '') }),
  });
  say(moved.ok ? lastWords(moved.value, from) : moved.error);
  return moved.ok ? 0 : 1;
}

/** The path of the file, and the address of the database. */
function addressesFrom(options: readonly string[], databaseUrl = '') {
  const known = { from: { type: 'string' }, to: { type: 'string' } } as const;
  try {
    const { from = '', to = databaseUrl } = parseArgs({ args: [...options], options: known }).values;
    if (!isAddress(from, 'file:'))
      return fail('--from needs the address of a file, such as file:./data/herald.db.');
    if (!isAddress(to, 'postgres'))
      return fail('--to needs the address of a database, such as postgres://user:password@host:5432/herald.');
    return ok({ from: from.slice('file:'.length), to });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function isAddress(address: string, beginning: string): boolean {
  return address.startsWith(beginning) && environmentSchema.shape.DATABASE_URL.safeParse(address).success;
}

function lastWords(end: MoveEnd, from: string): string {
  const first =
    end === 'moved'
      ? 'Moved: everything was read back from PostgreSQL and is as it was in the file.'
      : 'This file was moved to that database before; there is nothing left to do.';
  return `${first}
Next: set DATABASE_URL to the PostgreSQL database, and start as many replicas as you like.
${from} must not be used any more: a Herald refuses to start on it. A copy that was made of it before and is put elsewhere knows
nothing of the move, and a Herald started there could message people twice: destroy such copies, or keep them out of reach.`;
}
