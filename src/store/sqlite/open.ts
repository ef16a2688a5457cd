import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import { departureOf, sentenceOfDeparture } from '../moving/departure.ts';
import { UNRELEASED } from '../schema.ts';
import { copyBeforeUpgrade, migrate, unfitnessOf } from './migrations.ts';
import { isOwnLog, logOf, markerOf, OWNER_ONLY_FILE, standingOf } from './newest-copy.ts';

/**
 * Opens, or makes, Herald's database file: WAL, `synchronous=FULL`, readable by its owner only, and locked for
 * as long as this process lives, so that a second Herald on the same file refuses to start. The lock goes with
 * the process, however it ends. Refused are a file whose sends were moved to another database, one that knows less than
 * its marker, and one beside which the log of another copy lies.
 *
 * @param path a file path, or `:memory:`
 * @param upgraded receives where the copy is of a file that an earlier version wrote, and this one has changed
 * @param isMoving opens a file to move what is in it elsewhere, also when a move of it was begun
 * @returns the open database, or one sentence that says what is wrong with the path and what to do
 */
export function openDatabase(
  path: string,
  upgraded = (_copy: string) => {},
  isMoving = false,
): Result<DatabaseSync, string> {
  const file = path === ':memory:' ? path : resolve(path);
  const lock = lockFile(file);
  if (!lock.ok) return lock;
  const opened = inASentence(file, () => {
    const refusal = refusalUnopened(file);
    if (refusal !== undefined) return fail(refusal);
    if (file !== ':memory:') {
      closeSync(openSync(file, 'a', OWNER_ONLY_FILE));
      chmodSync(file, OWNER_ONLY_FILE);
    }
    // Backups read beside Herald and never hold it up, so there is nothing to wait for.
    const database = new DatabaseSync(file, { timeout: 0 });
    const close = database.close.bind(database);
    database.close = () => {
      close();
      lock.value.release();
    };
    const prepared = inASentence(file, () => prepare(database, file, upgraded, isMoving));
    if (prepared.ok) return ok(database);
    database.close();
    return prepared;
  });
  if (!opened.ok) lock.value.release();
  return opened;
}

/** Says why a file must not even be opened: then SQLite would merge the log that lies beside it, or make a new database. */
export function refusalUnopened(file: string): string | undefined {
  if (!isOwnLog(file)) return refusals.logOfAnother(file);
  const isEmpty = !existsSync(file) || statSync(file).size === 0;
  return isEmpty && existsSync(markerOf(file)) ? refusals.older(file) : undefined;
}

/** Says why what lies there cannot be a database, by this name; of what is not there yet nothing. */
export function refusalOfKind(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === false ? refusals.notAFile(file) : undefined;
}

/** An error that is thrown becomes the sentence that says what to do about it. */
export function inASentence<Value>(file: string, work: () => Result<Value, string>): Result<Value, string> {
  try {
    return work();
  } catch (error) {
    return fail(sentenceFor(error, file));
  }
}

/** Brings an open file to this version's schema, unless another database or copy is to be used. */
function prepare(
  database: DatabaseSync,
  file: string,
  upgraded: (copy: string) => void,
  isMoving: boolean,
): Result<undefined, string> {
  const unfit = unfitnessOf(database);
  if (unfit !== undefined) return fail(refusals[unfit](file));
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
  // Only newest-copy.ts brings the log into the database.
  database.exec('PRAGMA wal_autocheckpoint = 0; BEGIN IMMEDIATE; COMMIT');
  if (standingOf(database, file) === 'older') return fail(refusals.older(file));
  const departure = isMoving ? undefined : departureOf(database);
  if (departure !== undefined) return fail(sentenceOfDeparture(file, departure));
  const copy = copyBeforeUpgrade(database, file);
  migrate(database);
  if (copy !== undefined) upgraded(copy);
  return ok(undefined);
}

/** Says what went wrong, and what to do about it. */
export function sentenceFor(error: unknown, file: string): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/database is locked/i.test(text)) return refusals.inUse(file);
  if (/malformed/i.test(text)) return refusals.damaged(file, text);
  if (/disk is full|disk I\/O error|ENOSPC/i.test(text)) return refusals.diskFull(file);
  if (/not a database/i.test(text)) return `The file ${file} is not a database. Name another file.`;
  return `The database ${file} could not be opened: ${text}. Check that the folder exists and that this user may write to it.`;
}

/**
 * Locks a database file for this process alone, whether or not it is there: what works on the file takes the lock first.
 * It goes with the process, however that ends. It stands in a file of its own, `.herald.db.lock`, so that the database
 * can be read for a backup meanwhile. The folder of a database is made where there is none.
 *
 * @returns the lock, which may be released twice, or one sentence that says why it cannot be had and what to do
 */
export function lockFile(file: string): Result<{ release(): void }, string> {
  if (file === ':memory:') return ok({ release: () => {} });
  return inASentence(file, () => {
    const refusal = refusalOfKind(file);
    if (refusal !== undefined) return fail(refusal);
    makeFolder(dirname(file));
    const path = lockOf(file);
    if (!existsSync(path)) {
      closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
      giveToOwnerOf(file, path);
    }
    const lock = new DatabaseSync(path, { timeout: 0 });
    try {
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return ok({ release: () => lock.isOpen && lock.close() });
    } catch (error) {
      lock.close();
      throw error;
    }
  });
}

const OWNER_ONLY = 0o700;

/** Makes a folder and those above it, for their owner only. One by one: all at once, Node never comes back from /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (lstatSync(folder, { throwIfNoEntry: false })) throw new Error(leadsNowhere(folder));
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: OWNER_ONLY });
}

export const leadsNowhere = (link: string) => `${link} is a link to what is not there`;

/** Does work on a file that no other process has; what is thrown becomes a sentence about it. */
export async function locked<Value>(
  file: string,
  work: () => Promise<Result<Value, string>>,
): Promise<Result<Value, string>> {
  const lock = lockFile(file);
  if (!lock.ok) return lock;
  const done = await work().catch((error: unknown) => fail(sentenceFor(error, file)));
  lock.value.release();
  return done;
}

export function lockOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.lock`);
}

/**
 * Done by root, gives what was made beside a database to the owner of that database, or of its folder while there is none:
 * otherwise the Herald of that user could not open it. Does nothing for any other user.
 */
export function giveToOwnerOf(file: string, made: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
  chownSync(made, uid, gid);
}

/** Say why a database file is not used as it lies there, each with what to do about it. */
export const refusals = {
  inUse: (file: string) =>
    `The database ${file} is in use by another Herald. Stop that one first, or name another file.`,
  notAFile: (file: string) =>
    `${file} is a link, a folder or a device, and the database is a file. Name the file itself in DATABASE_URL, such as file:./data/herald.db: by two names, two Heralds could use it at once.`,
  newer: (file: string) =>
    `The database ${file} was written by a newer Herald. Start that version. To go back to this one, restore what was copied before the upgrade, ${file}.before-upgrade, or a backup: node dist/main.js restore PATH.`,
  unreleased: (file: string) =>
    `The database ${file} ${UNRELEASED} Name another file in DATABASE_URL, or go on with that commit.`,
  logOfAnother: (file: string) =>
    `The log ${logOf(file)} belongs to another copy of the database than ${file}. Merged, they would be damaged, and people could be messaged twice. Nothing was changed and nothing was sent. ${WAYS_ON}`,
  older: (file: string) =>
    `The database ${file} is an older copy than the one that was used here last, or is empty or not there: it does not know the opt-outs and sends since then, as the marker ${markerOf(file)} says. Nothing was changed and nothing was sent. ${WAYS_ON}`,
  notThere: (file: string) =>
    `There is no database ${file} that this user can see. Check the path, and whose folder it is.`,
  wouldOverwrite: (copy: string) =>
    `There is a file ${copy} already, and a backup never replaces one. Name another file.`,
  underWay: (folder: string) =>
    `Another backup is being made in ${folder}. Wait for its end, or name another folder.`,
  noFolder: (folder: string) =>
    `There is no folder ${folder} that this user can see. Check that the folder exists, or name another.`,
  isItself: (copy: string) => `${copy} is the database itself. Name the file of a backup.`,
  notHeralds: (file: string) => `The file ${file} is no database of Herald. Name another file.`,
  damaged: (file: string, found: string) =>
    `The database ${file} is damaged (${found.replaceAll('\n', ' ')}). Use a backup: node dist/main.js restore PATH.`,
  diskFull: (file: string) =>
    `The disk of the database ${file} is full, or gives errors. Make room there, and do the same again.`,
  nothingToAccept: (file: string) =>
    `There is nothing to accept: Herald starts on the database ${file} as it is.`,
} as const;

const WAYS_ON =
  'If the file was put here by mistake, put the right one back. If it was put here as a backup, put the files back as they were and use node dist/main.js restore PATH. To go on with the file as it lies here, run node dist/main.js accept-older-database once, and start again: opt-outs that it does not know are lost, and every send that it holds as not ended is stopped until a person decides.';
