import type { DatabaseSync } from 'node:sqlite';

/** Pages given back in one step: 2 MB, for which others wait. */
const STEP = 500;

/** Gives some of the free pages at once back to the disk. Returns how many. */
export function giveBackPages(database: DatabaseSync): number {
  const free = () => Number(database.prepare('PRAGMA freelist_count').get()?.freelist_count);
  const before = free();
  if (before === 0) return 0;
  database.prepare(`PRAGMA incremental_vacuum(${STEP})`).all();
  return before - free();
}
