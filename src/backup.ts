import { environmentSchema } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import { fail, type Result } from './core/result.ts';
import type { Surroundings } from './herald.ts';
import { takeOverOptOuts } from './store/operator.ts';
import { acceptOlder, backUp, type Held, putBack } from './store/sqlite/copies.ts';
import { createLogger } from './telemetry/logger.ts';

type Task = (options: readonly string[], surroundings: Surroundings) => Promise<number>;

/** `backup PATH`, also while Herald runs. Returns the exit code. */
export const runBackup: Task = (options, surroundings) =>
  onFile(surroundings, DUMP, async (file) => {
    const [copy, ...more] = options;
    if (copy === undefined || more.length > 0)
      return fail('backup needs one path, of a file that is not there yet.');
    const held = await backUp(file, copy);
    return held.ok ? { ok: true, value: `Backed up to ${copy}, and checked: ${inWords(held.value)}.` } : held;
  });

/** `restore PATH`, while Herald is stopped. Returns the exit code. */
export const runRestore: Task = (options, surroundings) =>
  onFile(surroundings, RESTORE_DUMP, async (file) => {
    const [copy, ...more] = options;
    if (copy === undefined || more.length > 0) return fail('restore needs one path, of a backup.');
    const restored = await putBack(file, copy, systemClock.now());
    if (!restored.ok) return restored;
    const { takenOver, aside } = restored.value;
    return {
      ok: true,
      value: [
        `Restored ${copy} to ${file}, and checked: ${inWords(restored.value)}.`,
        ...(aside === undefined ? [] : [`What was there before is ${aside}.`]),
        takenOver === undefined
          ? 'Neither what was there before nor a journal beside the backup could be read: whoever has opted out since must be opted out again.'
          : `Opt-outs given since the backup, taken over: ${takenOver}.`,
        NEXT_START,
      ].join('\n'),
    };
  });

/** `accept-older-database`, while Herald is stopped. Returns the exit code. */
export const runAcceptance: Task = (_options, surroundings) =>
  onFile(surroundings, NOTHING_TO_ACCEPT, async (file) => {
    const held = acceptOlder(file, systemClock.now());
    return held.ok ? { ok: true, value: `Accepted ${file}: ${inWords(held.value)}.\n${NEXT_START}` } : held;
  });

/** `take-over-opt-outs ADDRESS`, which names the database that a restored one replaces. Returns the exit code. */
export const runTakeOver: Task = ([from, ...more], surroundings) =>
  onDatabase(surroundings, async (to) => {
    if (
      !environmentSchema.shape.DATABASE_URL.safeParse(from).success ||
      from === undefined ||
      more.length > 0
    )
      return fail('take-over-opt-outs needs one address, such as postgres://user:password@host:5432/herald.');
    const logger = createLogger({ level: 'error', secrets: [from, to] });
    const added = await takeOverOptOuts(from, to, { clock: systemClock, logger });
    return added.ok ? { ok: true, value: `Opt-outs taken over: ${added.value}.` } : added;
  });

function onFile(
  surroundings: Surroundings,
  elsewhere: string,
  work: (file: string) => Promise<Result<string, string>>,
): Promise<number> {
  return onDatabase(surroundings, async (url) =>
    url.startsWith('file:') ? work(url.slice('file:'.length)) : fail(elsewhere),
  );
}

/** Does work of the operator on the database of `DATABASE_URL`, and says how it ended. Returns the exit code. */
export async function onDatabase(
  { env, say }: Surroundings,
  work: (url: string) => Promise<Result<string, string>>,
): Promise<number> {
  const written = env.DATABASE_URL?.trim();
  const url = environmentSchema.shape.DATABASE_URL.safeParse(written === '' ? undefined : written);
  const done = url.success
    ? await work(url.data)
    : fail(`DATABASE_URL must be ${url.error.issues[0]?.message}.`);
  say(done.ok ? done.value : done.error);
  return done.ok ? 0 : 1;
}

function inWords({ sends, optOuts }: Held): string {
  return `${sends} ${sends === 1 ? 'send' : 'sends'}, ${optOuts} ${optOuts === 1 ? 'opt-out' : 'opt-outs'}`;
}

const NEXT_START =
  'Every send that it holds as not ended is stopped at the next start, its channel is notified, and a person decides about it.';
const DUMP =
  'DATABASE_URL is a PostgreSQL database, which its own tools back up, also while Herald runs: pg_dump --format=custom of the whole database, the schema herald_tasks included.';
const RESTORE_DUMP =
  'DATABASE_URL is a PostgreSQL database, which its own tools restore. Stop every replica, run pg_restore into a new database, and start Herald on that: it notices a dump by itself, and stops what had not ended. Opt-outs given since the dump come from the old database: node dist/main.js take-over-opt-outs ADDRESS.';
const NOTHING_TO_ACCEPT =
  'DATABASE_URL is a PostgreSQL database: Herald starts on a restored one by itself, and stops what had not ended.';
