import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/**
 * A commit stands in the log beside the database at first, and is brought into the database in a quiet moment,
 * so that a copy of the database alone lacks as little as possible.
 */
const QUIET_MS = 1_000;
/**
 * While it is never quiet, from 64 MB on instead of SQLite's 4: a send touches each page many times within a second, and
 * every time it is brought over the disk is waited for twice. Measured: a send is 7 % faster.
 */
const MOST_BYTES = 64_000_000;

export interface Log {
  /** To be called after each commit. Cheap. */
  committed(): void;
  close(): void;
}

/**
 * Keeps the log of a database file short for as long as the database is open.
 *
 * @param emptied is called each time that the file holds all that was committed
 */
export function keepLogShort(database: DatabaseSync, file: string, emptied: () => void): Log {
  let timer: NodeJS.Timeout | undefined;

  function empty(): void {
    clearTimeout(timer);
    timer = undefined;
    try {
      // Busy: a part of the log stays, because a backup reads.
      if (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0) emptied();
    } catch {
      // A full disk, say: what is committed stays in the log, and the next quiet moment comes.
    }
  }

  empty();
  return {
    committed: () => {
      const { size = 0 } = statSync(logOf(file), { throwIfNoEntry: false }) ?? {};
      if (size > MOST_BYTES) empty();
      else if (timer === undefined) timer = setTimeout(empty, QUIET_MS).unref();
      else timer.refresh();
    },
    close: () => clearTimeout(timer),
  };
}

/** Where SQLite keeps the log of a database file. */
export function logOf(file: string): string {
  return `${file}-wal`;
}
