import { environmentSchema } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import { fail, type Result } from './core/result.ts';
import type { Surroundings } from './herald.ts';
import { acceptOlder, backUp, type Held, putBack } from './store/sqlite/copies.ts';

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
          ? 'What was there before could not be read: whoever has opted out since the backup must be opted out again.'
          : `Opt-outs taken over from what was there before: ${takenOver}.`,
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

async function onFile(
  { env, say }: Surroundings,
  elsewhere: string,
  work: (file: string) => Promise<Result<string, string>>,
): Promise<number> {
  const written = env.DATABASE_URL?.trim();
  const url = environmentSchema.shape.DATABASE_URL.safeParse(written === '' ? undefined : written);
  if (!url.success) {
    say(`DATABASE_URL must be ${url.error.issues[0]?.message}.`);
    return 1;
  }
  const done = url.data.startsWith('file:') ? await work(url.data.slice('file:'.length)) : fail(elsewhere);
  say(done.ok ? done.value : done.error);
  return done.ok ? 0 : 1;
}

function inWords({ sends, optOuts }: Held): string {
  return `${sends} ${sends === 1 ? 'send' : 'sends'}, ${optOuts} ${optOuts === 1 ? 'opt-out' : 'opt-outs'}`;
}

const NEXT_START =
  'Every send that it holds as not ended is stopped at the next start, its channel is told, and a person decides about it.';
const DUMP =
  'DATABASE_URL is a PostgreSQL database, which its own tools back up, also while Herald runs: pg_dump --format=custom of the whole database, the schema herald_tasks included.';
const RESTORE_DUMP =
  'DATABASE_URL is a PostgreSQL database, which its own tools restore. Stop every replica, run pg_restore into a new database, and start Herald on that: it notices a dump by itself, and stops what had not ended. Opt-outs given since the dump are not in it.';
const NOTHING_TO_ACCEPT =
  'DATABASE_URL is a PostgreSQL database: Herald starts on a restored one by itself, and stops what had not ended.';
