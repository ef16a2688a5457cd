import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const OWNER_ONLY_FILE = 0o600;

/** A database that holds what it was given until it is closed. */
export class LockedDatabase extends DatabaseSync {
  readonly #lock: FileLock;

  constructor(file: string, lock: FileLock) {
    // Backups read beside Herald and never hold it up, so there is nothing to wait for.
    super(file, { timeout: 0 });
    this.#lock = lock;
  }

  override close(): void {
    super.close();
    this.#lock.release();
  }
}

export interface FileLock {
  /** Done a second time, it does nothing. */
  release(): void;
}

/**
 * Locks a database file for this process alone, also while it is not open: what works on the file takes the lock first.
 * It goes with the process, however that ends. It stands in a file of its own, `.herald.db.lock`, so that the database
 * can be read for a backup meanwhile.
 *
 * @returns undefined when another process has it; throws when the folder cannot be written to
 */
export function lockFile(file: string): FileLock | undefined {
  if (file === ':memory:') return { release: () => {} };
  const path = lockOf(file);
  if (!existsSync(path)) {
    closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
    giveToOwnerOf(file, path);
  }
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => lock.isOpen && lock.close() };
  } catch (error) {
    lock.close();
    if (/database is locked/i.test(error instanceof Error ? error.message : '')) return undefined;
    throw error;
  }
}

/** Where the lock of a database file is. */
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
