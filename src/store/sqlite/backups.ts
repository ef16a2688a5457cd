import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../core/result.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import { createBackgroundWork } from '../../sends/background-work.ts';
import type { BackupSettings } from '../../sends/settings.ts';
import { departureOf, sentenceOfDeparture } from '../moving/departure.ts';
import { hasTable, migrate } from './migrations.ts';
import { isOwnLog, OWNER_ONLY_FILE, opened } from './newest-copy.ts';
import { inASentence, locked, lockFile, lockOf, makeFolder, refusals, sentenceFor } from './open.ts';

/** A backup that is being made has this name in its folder, and is locked for as long. */
const UNFINISHED = '.herald-backup.unfinished';
/** All pages in one step: what is copied is the database of one moment, however much is written meanwhile. */
const ALL_PAGES = 2_147_483_647;

export interface Held {
  readonly sends: number;
  readonly optOuts: number;
}

/**
 * Makes a whole and checked copy of the database in one new file, for its owner only, whether or not a Herald is using the
 * database. Put in the place of the database, it passes for a restored one.
 *
 * @returns what it holds, or one sentence that says why there is no copy
 */
export async function backUp(path: string, to: string): Promise<Result<Held, string>> {
  const [file, copy] = [resolve(path), resolve(to)];
  if (!existsSync(file)) return fail(refusals.notThere(file));
  return unfinishedIn(dirname(copy), async (unfinished) => {
    if (existsSync(copy)) return fail(refusals.wouldOverwrite(copy));
    const idle = lockFile(file);
    if (idle.ok) idle.value.release();
    else if (idle.error !== refusals.inUse(file)) return idle;
    if (idle.ok && !isOwnLog(file)) return fail(refusals.logOfAnother(file));
    const held = await copied(file, unfinished);
    if (held.ok) renameSync(unfinished, copy);
    return held;
  });
}

/**
 * Makes one copy at a time in a folder: under its own name stands nothing that is not whole. What a killed process has left, the next
 * one there takes away.
 */
export async function unfinishedIn<Value>(
  folder: string,
  make: (unfinished: string) => Promise<Result<Value, string>>,
): Promise<Result<Value, string>> {
  if (!existsSync(folder)) return fail(refusals.noFolder(folder));
  const unfinished = join(folder, UNFINISHED);
  const made = await locked(unfinished, async () => {
    try {
      discard(unfinished);
      return await make(unfinished);
    } finally {
      discard(unfinished);
      // While it is locked, so that nobody else has it by then.
      rmSync(lockOf(unfinished), { force: true });
    }
  });
  return !made.ok && made.error === refusals.inUse(unfinished) ? fail(refusals.underWay(folder)) : made;
}

/**
 * Copies a database into a file that must not be there yet, checks the copy, and brings it to this version; one that is not fit is
 * gone again. From now on it is known as a copy.
 *
 * @param complete is done with a copy that is fit
 */
export async function copied(
  from: string,
  to: string,
  complete = async (_copy: DatabaseSync) => {},
): Promise<Result<Held, string>> {
  const held = await copyInto(to, from, complete).catch((error: unknown) => fail(sentenceFor(error, from)));
  if (!held.ok) discard(to);
  return held;
}

async function copyInto(
  to: string,
  file: string,
  complete: (copy: DatabaseSync) => Promise<void>,
): Promise<Result<Held, string>> {
  closeSync(openSync(to, 'wx', OWNER_ONLY_FILE));
  using source = opened(file);
  await backup(source, to, { rate: ALL_PAGES });
  using copy = new DatabaseSync(to);
  if (!hasTable(copy, 'send_events')) return fail(refusals.notHeralds(file));
  const departure = departureOf(copy);
  if (departure !== undefined) return fail(sentenceOfDeparture(file, departure));
  const found = copy.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') return fail(refusals.damaged(file, String(found)));
  const unfit = migrate(copy);
  if (unfit !== undefined) return fail(refusals[unfit](file));
  copy.exec('UPDATE newest_copy SET marked = 1');
  await complete(copy);
  const count = (table: string) => Number(copy.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows);
  const held = { sends: count('sends'), optOuts: count('opt_outs') };
  // One file, without a log beside it that could be forgotten.
  copy.exec('PRAGMA journal_mode = DELETE');
  return ok(held);
}

export function discard(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${suffix}`, { force: true });
}

/** Lists what upgrades, `restore` and `accept-older-database` have left beside a database file, under its name. */
export function copiesBeside(path: string): readonly string[] {
  const file = resolve(path);
  const beside = readdirSync(dirname(file), { withFileTypes: true });
  const copies = beside.filter((entry) => entry.isFile() && entry.name.startsWith(`${basename(file)}.`));
  return copies.map(({ name }) => join(dirname(file), name)).toSorted();
}

/** For a file's name, on every system. */
export function stampOf(at: number): string {
  return new Date(at).toISOString().replaceAll(':', '-').replace(/\..*/, 'Z');
}

const HOUR_MS = 3_600_000;
const NAME = /^herald-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;

export type Backups = ReturnType<typeof createBackups>;

/**
 * Backups of a database file in one folder, each named by when it was begun. Times are milliseconds since the epoch.
 *
 * @param file the database
 */
export function createBackups(file: string, { every, keep, to: folder }: BackupSettings) {
  return {
    folder,
    /** The time between two. */
    everyMs: every * HOUR_MS,
    /** When the newest one up to `now` was made, whole and checked; undefined when there is none. */
    latest: (now: number) => finishedIn(folder, now).at(-1)?.at,
    /** Makes one in a thread of its own, also while the file is used, and deletes those that are too many then. */
    take: async (now: number): Promise<Result<Held, string>> => {
      const copy = join(folder, `herald-${stampOf(now)}.db`);
      const made = inASentence(copy, () => ok(makeFolder(folder)));
      if (!made.ok) return made;
      const thread = new Worker(new URL('./backup-thread.ts', import.meta.url), {
        workerData: { file, copy },
      });
      // Herald does not wait for it when it stops: the next backup takes away what is unfinished.
      thread.unref();
      const [held] = (await once(thread, 'message')) as [Result<Held, string>];
      if (held.ok) for (const { name } of finishedIn(folder, now).slice(0, -keep)) rmSync(join(folder, name));
      return held;
    },
  };
}

/**
 * True when twice the time between two has passed: one that fails is tried again long before.
 *
 * @param since when Herald began to make them, for when there is none
 */
export function isOverdue(backups: Pick<Backups, 'latest' | 'everyMs'>, now: number, since: number): boolean {
  return now - (backups.latest(now) ?? since) > 2 * backups.everyMs;
}

/** Oldest first. What a clock that was ahead has named comes when its time does: it is not newer than what is made now. */
function finishedIn(folder: string, now: number) {
  const names = existsSync(`${folder}/.`) ? readdirSync(folder) : [];
  return names
    .toSorted()
    .flatMap((name) => {
      const [, day, ...time] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, at: Date.parse(`${day}T${time.join(':')}Z`) }];
    })
    .filter(({ at }) => at <= now);
}

/** The clock of the wall may be set, and a machine may sleep. */
const LOOK_EVERY_MS = 10 * 60_000;

/** Makes a backup whenever the newest one is old enough, until Herald stops; what failed is tried again every ten minutes. */
export function keepBackingUp({
  backups,
  ...surroundings
}: StoppableSurroundings & { readonly backups: Backups }): void {
  const { clock, logger } = surroundings;
  createBackgroundWork('backups', surroundings)
    .createLoop('a backup', async () => {
      const now = clock.now();
      const due = (backups.latest(now) ?? Number.NEGATIVE_INFINITY) + backups.everyMs;
      if (now < due) return Math.min(due - now, LOOK_EVERY_MS);
      const taken = await backups.take(now);
      if (taken.ok) logger.info({ ...taken.value }, 'the database was backed up, and the copy checked');
      else
        logger.error(
          { why: taken.error },
          'the database could not be backed up; trying again in ten minutes',
        );
      return LOOK_EVERY_MS;
    })
    .start();
}
