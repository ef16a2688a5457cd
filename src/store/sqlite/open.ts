import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../../core/result.ts';
import { departureOf, sentenceOfDeparture } from './departure.ts';
import { migrate } from './migrations.ts';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;
/**
 * The log is brought into the file at 64 MB instead of 4: a send touches each page many times within a second, and
 * every time it is brought over the disk is waited for twice. Measured: a send is 7 % faster.
 */
const PAGES_OF_LOG = 16_000;

/**
 * Opens, or makes, Herald's database file: WAL, `synchronous=FULL`, readable by its owner only, and locked for
 * as long as this process lives, so that a second Herald on the same file refuses to start. The lock goes with
 * the process, however it ends. A file whose sends were moved to another database is refused.
 *
 * @param path a file path, or `:memory:`
 * @returns the open database, or one sentence that says what is wrong with the path and what to do
 */
export function openDatabase(path: string): Result<DatabaseSync, string> {
  const file = path === ':memory:' ? path : resolve(path);
  return opened(file, () => {
    if (file !== ':memory:') prepareFile(file);
    const database = lockedDatabase(file);
    const departure = departureOf(database);
    if (departure === undefined) return migrated(database, file);
    database.close();
    return fail(sentenceOfDeparture(file, departure));
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
  return opened(file, () => {
    const database = lockedDatabase(file);
    return departureOf(database) === undefined ? migrated(database, file) : ok(database);
  });
}

function opened(file: string, open: () => Result<DatabaseSync, string>): Result<DatabaseSync, string> {
  try {
    return open();
  } catch (error) {
    return fail(sentenceFor(error, file));
  }
}

function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY_FILE));
  chmodSync(file, OWNER_ONLY_FILE);
}

function lockedDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
    database.exec(`PRAGMA wal_autocheckpoint = ${PAGES_OF_LOG}`);
    // In exclusive mode the first write takes the lock that is then kept.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrated(database: DatabaseSync, file: string): Result<DatabaseSync, string> {
  try {
    if (migrate(database)) return ok(database);
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return fail(
    `The database ${file} was written by a newer Herald. Start that version, or name another file.`,
  );
}

function sentenceFor(error: unknown, file: string): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/database is locked/i.test(text)) {
    return `The database ${file} is in use by another Herald. Stop that one first, or name another file.`;
  }
  if (/not a database/i.test(text)) return `The file ${file} is not a database. Name another file.`;
  return `The database ${file} could not be opened: ${text}. Check that the folder exists and that this user may write to it.`;
}
