import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import { departureOf, sentenceOfDeparture } from '../moving/departure.ts';
import { copyBeforeUpgrade } from './before-upgrade.ts';
import { type FileLock, LockedDatabase, lockFile } from './lock.ts';
import { migrate } from './migrations.ts';
import { isOwnLog, markerOf, standingOf } from './newest-copy.ts';
import { refusalOf, refusals } from './refusals.ts';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

/**
 * Opens, or makes, Herald's database file: WAL, `synchronous=FULL`, readable by its owner only, and locked for
 * as long as this process lives, so that a second Herald on the same file refuses to start. The lock goes with
 * the process, however it ends. Refused are a file whose sends were moved to another database, one that knows less than
 * its marker, and one beside which the log of another copy lies.
 *
 * @param path a file path, or `:memory:`
 * @param upgraded receives where the copy is of a file that an earlier version wrote, and this one has changed
 * @returns the open database, or one sentence that says what is wrong with the path and what to do
 */
export function openDatabase(path: string, upgraded = (_copy: string) => {}): Result<DatabaseSync, string> {
  const file = path === ':memory:' ? path : resolve(path);
  return lockedDatabase(file, (database) => {
    const departure = departureOf(database);
    return departure === undefined
      ? migrated(database, file, upgraded)
      : fail(sentenceOfDeparture(file, departure));
  });
}

/**
 * Opens Herald's database file in order to move what is in it elsewhere: an existing file only, locked as for a
 * Herald, and also when a move of it was begun.
 *
 * @returns the open database, or one sentence that says what is wrong with the path and what to do
 */
export function openForMoving(path: string): Result<DatabaseSync, string> {
  const file = resolve(path);
  if (!existsSync(file)) return fail(`There is no database ${file}. Check the path.`);
  return lockedDatabase(file, (database) => migrated(database, file, () => {}));
}

/**
 * Locks a database file for this process alone, whether or not it is there already.
 *
 * @returns the lock, or one sentence that says why it cannot be had and what to do
 */
export function lockDatabaseFile(file: string): Result<FileLock, string> {
  return inASentence(file, () => {
    if (existsSync(file) && !statSync(file).isFile()) return fail(refusals.notAFile(file));
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    const lock = lockFile(file);
    return lock === undefined ? fail(refusals.inUse(file)) : ok(lock);
  });
}

/** Is done before the database is handed out; when it fails, the database is closed again. */
type Prepare = (database: DatabaseSync) => Result<undefined, string>;

function lockedDatabase(file: string, prepare: Prepare): Result<DatabaseSync, string> {
  const lock = lockDatabaseFile(file);
  if (!lock.ok) return lock;
  const opened = inASentence(file, () => openLocked(file, lock.value, prepare));
  if (!opened.ok) lock.value.release();
  return opened;
}

/** The lock is released when the database is closed. */
function openLocked(file: string, lock: FileLock, prepare: Prepare): Result<DatabaseSync, string> {
  const refusal = file === ':memory:' ? undefined : refusalUnopened(file);
  if (refusal !== undefined) return fail(refusal);
  if (file !== ':memory:') prepareFile(file);
  const database = new LockedDatabase(file, lock);
  try {
    configure(database);
    const unfit = file === ':memory:' ? undefined : refusalOf(standingOf(database, file), file);
    const prepared = unfit === undefined ? prepare(database) : fail(unfit);
    if (prepared.ok) return ok(database);
    database.close();
    return prepared;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Why a file must not even be opened: then SQLite would merge the log that lies beside it, or make a new database. */
export function refusalUnopened(file: string): string | undefined {
  if (!isOwnLog(file)) return refusals.logOfAnother(file);
  const isEmpty = !existsSync(file) || statSync(file).size === 0;
  return isEmpty && existsSync(markerOf(file)) ? refusalOf('empty', file) : undefined;
}

/** An error that is thrown becomes the sentence that says what to do about it. */
export function inASentence<Value>(file: string, work: () => Result<Value, string>): Result<Value, string> {
  try {
    return work();
  } catch (error) {
    return fail(sentenceFor(error, file));
  }
}

function prepareFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY_FILE));
  chmodSync(file, OWNER_ONLY_FILE);
}

function configure(database: DatabaseSync): void {
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
  // Only log.ts brings the log into the database.
  database.exec('PRAGMA wal_autocheckpoint = 0; BEGIN IMMEDIATE; COMMIT');
}

function migrated(
  database: DatabaseSync,
  file: string,
  upgraded: (copy: string) => void,
): Result<undefined, string> {
  const copy = copyBeforeUpgrade(database, file);
  const unfit = migrate(database);
  if (unfit !== undefined) return fail(refusals[unfit](file));
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
