import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { environmentSchema } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import { fail, ok, type Result } from './core/result.ts';
import type { Surroundings, Task } from './herald.ts';
import { createPseudonym } from './messages/numbers/pseudonym.ts';
import { openForOperator, takeOverOptOuts } from './store/open.ts';
import { erase, exportOf } from './store/person.ts';
import type { Database } from './store/sql.ts';
import { backUp, copiesBeside, type Held } from './store/sqlite/backups.ts';
import { acceptOlder, isOfEarlier, type PutBack, putBack } from './store/sqlite/put-back.ts';
import { createLogger } from './telemetry/logger.ts';

/** `backup PATH`, also while Herald runs. Returns the exit code. */
export const runBackup: Task = (options, surroundings) =>
  onFile(surroundings, DUMP, async (file) => {
    const [copy = '', ...more] = options;
    if (copy.trim() === '') return fail(`No copy was named: ${BACKUP_NEEDS} Nothing was copied.`);
    if (more.length > 0) return fail(BACKUP_NEEDS);
    const held = await backUp(file, copy);
    return held.ok ? ok(`Backed up to ${copy}, and checked: ${inWords(held.value)}.`) : held;
  });

/** `restore [--check] PATH`, while Herald is stopped; with `--check` nothing is changed, and it may run. Returns the exit code. */
export const runRestore: Task = (options, surroundings) =>
  onFile(surroundings, RESTORE_DUMP, async (file) => {
    const isCheck = options[0] === '--check';
    const [copy = '', ...more] = isCheck ? options.slice(1) : options;
    if (copy.trim() === '') return fail(`No copy was named: ${RESTORE_NEEDS} Nothing was changed.`);
    if (more.length > 0) return fail(RESTORE_NEEDS);
    // Typed without the settings of the service, it would make a database that nobody uses.
    const [original = copy] = copy.split('.before-', 1);
    if (original !== copy && existsSync(original) && !existsSync(file))
      return fail(
        `${copy} is a copy of ${original}, and DATABASE_URL names ${file}, which is not there. Nothing was changed. For a service it is deploy/as-unit.sh restore.`,
      );
    if (isOfEarlier(copy)) surroundings.say(OF_EARLIER);
    const restored = await putBack(file, copy, isCheck ? undefined : systemClock.now());
    if (!restored.ok) return restored;
    const { takenOver } = restored.value;
    const what = `The copy ${resolve(copy)} ${isCheck ? 'can be' : 'is now'} the database ${resolve(file)}`;
    return ok(
      [
        `${what}, and was checked: ${inWords(restored.value)}.`,
        ...whereBefore(restored.value),
        takenOver === undefined
          ? 'Neither what was there before nor a journal beside the backup could be read: whoever has opted out since must be opted out again.'
          : `Opt-outs given since the backup, taken over: ${takenOver}.`,
        isCheck ? 'This was a rehearsal: nothing was changed.' : NEXT_START,
      ].join('\n'),
    );
  });

/** `accept-older-database`, while Herald is stopped. Returns the exit code. */
export const runAcceptance: Task = (_options, surroundings) =>
  onFile(surroundings, NOTHING_TO_ACCEPT, async (file) => {
    const accepted = await acceptOlder(file, systemClock.now());
    if (!accepted.ok) return accepted;
    const what = `Accepted ${file}: ${inWords(accepted.value)}.`;
    return ok([what, ...whereBefore(accepted.value), NEXT_START].join('\n'));
  });

/** `take-over-opt-outs ADDRESS`, which names the database that a restored one replaces. Returns the exit code. */
export const runTakeOver: Task = ([from = '', ...more], surroundings) =>
  onDatabase(surroundings, async (to) => {
    if (more.length > 0 || !environmentSchema.shape.DATABASE_URL.safeParse(from).success)
      return fail('take-over-opt-outs needs one address, such as postgres://user:password@host:5432/herald.');
    const logger = createLogger({ level: 'error', secrets: [from, to] });
    const added = await takeOverOptOuts(from, to, { clock: systemClock, logger });
    return added.ok ? ok(`Opt-outs taken over: ${added.value}.`) : added;
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
  { env, say, answer = say }: Pick<Surroundings, 'env' | 'say'> & { readonly answer?: Surroundings['give'] },
  work: (url: string) => Promise<Result<string, string>>,
): Promise<number> {
  const written = env.DATABASE_URL?.trim();
  const url = environmentSchema.shape.DATABASE_URL.safeParse(written === '' ? undefined : written);
  const done = url.success
    ? await work(url.data)
    : fail(`DATABASE_URL must be ${url.error.issues[0]?.message}.`);
  if (done.ok) answer(done.value);
  else say(done.error);
  return done.ok ? 0 : 1;
}

function whereBefore({ aside }: PutBack): readonly string[] {
  return aside === undefined ? [] : [`What was there before is ${aside}.`];
}

function inWords({ sends, optOuts }: Held): string {
  return `${sends} ${sends === 1 ? 'send' : 'sends'}, ${optOuts} ${optOuts === 1 ? 'opt-out' : 'opt-outs'}`;
}

const BACKUP_NEEDS = 'backup needs one path, of a file that is not there yet.';
const RESTORE_NEEDS = 'restore needs one path, of a backup.';
const NEXT_START =
  'Now start Herald again. Every send that the database holds as not ended is stopped at that start, its channel is notified, and a person decides about it.';
const OF_EARLIER =
  'The copy is of a version before this one, to which what is made of it is brought; the copy stays as it is. To go back to that version, use its own restore.';
const DUMP =
  'DATABASE_URL is a PostgreSQL database, which its own tools back up, also while Herald runs: pg_dump --format=custom of the whole database, the schema herald_tasks included.';
const RESTORE_DUMP =
  'DATABASE_URL is a PostgreSQL database, which its own tools restore. Stop every replica, run pg_restore into a new database, and start Herald on that: it notices a dump by itself, and stops what had not ended. Opt-outs given since the dump come from the old database: node dist/main.js take-over-opt-outs ADDRESS.';
const NOTHING_TO_ACCEPT =
  'DATABASE_URL is a PostgreSQL database: Herald starts on a restored one by itself, and stops what had not ended.';

const OWNER_ONLY_FILE = 0o600;
const SENDS_NAMED = 5;
const HELD_BESIDE =
  'These copies beside the database may hold it still; delete them when you will not go back:';
/** As it is kept; it may have left its numbering plan. */
const NUMBER = /^\+\d{4,15}$/;

/** `export NUMBER PATH`. Returns the exit code. */
export const runExport: Task = ([typed = '', path, ...more], surroundings) =>
  withNumber('export', typed, surroundings, async (database, number) => {
    if (path === undefined || more.length > 0)
      return fail('export needs a number and one path, of a file that is not there yet.');
    const kept = JSON.stringify(await exportOf(database, number), undefined, 2);
    try {
      writeFileSync(path, `${kept}\n`, { flag: 'wx', mode: OWNER_ONLY_FILE });
    } catch (error) {
      return fail(`${path} could not be written: ${error instanceof Error ? error.message : error}`);
    }
    return ok(`What is kept of the number is in ${path}.`);
  });

/** `erase NUMBER`. Returns the exit code. */
export const runErase: Task = ([typed = '', ...more], surroundings) =>
  withNumber('erase', typed, surroundings, async (database, number, url) => {
    const key = environmentSchema.shape.PSEUDONYM_KEY.safeParse(surroundings.env.PSEUDONYM_KEY?.trim());
    if (!key.success || key.data === undefined)
      return fail('PSEUDONYM_KEY must be at least 16 characters that nobody can guess. Nothing was erased.');
    if (more.length > 0) return fail('erase needs one number and nothing else. Nothing was erased.');
    const erased = await erase(database, number, createPseudonym(key.data), systemClock.now());
    if ('notEnded' in erased) {
      const { notEnded } = erased;
      const named = notEnded.slice(0, SENDS_NAMED).join(', ');
      return fail(
        `Sends that have not ended hold this number (${notEnded.length}): ${named}. Nothing was erased. Stop them or wait for their end, and do the same again.`,
      );
    }
    const { messages, answers, lists, optedOut } = erased;
    const copies = url.startsWith('file:') ? copiesBeside(url.slice('file:'.length)).join(', ') : '';
    return ok(
      [
        `Erased from messages (${messages}), answers (${answers}) and rows of lists (${lists}).`,
        ...(optedOut ? ['It stays on the opt-out list, so that nobody writes to it again.'] : []),
        ...(copies === '' ? [] : [`${HELD_BESIDE} ${copies}.`]),
        'Backups hold it until they are deleted: after a restore, do the same again. What was posted in Slack stays there.',
      ].join('\n'),
    );
  });

function withNumber(
  command: string,
  typed: string,
  surroundings: Surroundings,
  work: (database: Database, number: string, url: string) => Promise<Result<string, string>>,
): Promise<number> {
  return onDatabase(surroundings, async (url) => {
    if (!NUMBER.test(typed)) return fail(`${command} needs a whole number, such as +919876543210.`);
    const logger = createLogger({ level: 'error', secrets: [url] });
    const database = await openForOperator(url, { clock: systemClock, logger }, command === 'export');
    if (!database.ok) return database;
    const done = await work(database.value, typed, url);
    await database.value.close();
    return done;
  });
}
