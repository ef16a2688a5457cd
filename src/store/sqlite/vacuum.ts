import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { emptyLog } from './log.ts';

/** Pages given back in one step: 2 MB, for which others wait. */
const STEP = 500;
/** What auto_vacuum says of a file that keeps the place of what was deleted, and of one that can give it back. */
const NONE = 0;

/** Gives some of the free pages at once back to the disk. Returns how many. */
export function giveBackPages(database: DatabaseSync): number {
  const before = freePages(database);
  if (before === 0) return 0;
  database.prepare(`PRAGMA incremental_vacuum(${STEP})`).all();
  return before - freePages(database);
}

/**
 * Makes a file of an earlier version able to give pages back, which takes writing it anew once: some seconds for each
 * gigabyte, and as much room beside it. Without that room, or while somebody reads it, it is left for another start.
 */
export function enableGivingBack(database: DatabaseSync, file: string): void {
  if (database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum !== NONE) return;
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    if (bavail * bsize < 2 * bytesOf(database)) return;
    emptyLog(database);
    // Without a log: should this be broken off, SQLite finds the file as it was.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch {
    // A backup reads it, say.
  } finally {
    database.exec('PRAGMA journal_mode = WAL');
  }
}

function freePages(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA freelist_count').get()?.freelist_count);
}

function bytesOf(database: DatabaseSync): number {
  const { page_count } = database.prepare('PRAGMA page_count').get() ?? {};
  const { page_size } = database.prepare('PRAGMA page_size').get() ?? {};
  return Number(page_count) * Number(page_size);
}
