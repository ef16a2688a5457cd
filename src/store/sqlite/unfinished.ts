import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../core/result.ts';
import { type FileLock, lockFile, lockOf } from './lock.ts';
import { refusals } from './refusals.ts';

/* A copy that is being made: it is locked for as long, and goes with the next one when its process was killed. */

/** By its lock Herald knows a file of its own: others end in `.unfinished` as well. */
const UNFINISHED_LOCK = /^\.(.+\.unfinished)\.lock$/;

/** Takes away what killed backups have left in the folder, and locks the file that is to be made there. */
export function begin(unfinished: string): Result<FileLock, string> {
  const folder = dirname(unfinished);
  for (const name of readdirSync(folder)) {
    const left = UNFINISHED_LOCK.exec(name)?.[1];
    if (left !== undefined) discardKilled(join(folder, left));
  }
  if (existsSync(unfinished)) return fail(refusals.wouldOverwrite(unfinished));
  const lock = lockFile(unfinished);
  return lock === undefined ? fail(refusals.wouldOverwrite(unfinished)) : ok(lock);
}

/** A lock goes with its process: what can be locked is made by nobody any more. */
function discardKilled(unfinished: string): void {
  try {
    const lock = lockFile(unfinished);
    if (lock === undefined) return;
    discard(unfinished);
    end(unfinished, lock);
  } catch {
    // It belongs to another user, say: it stays, and is in nobody's way.
  }
}

/** The lock's file is deleted while it is locked, so that nobody else has it by then. */
export function end(unfinished: string, lock: FileLock): void {
  rmSync(lockOf(unfinished), { force: true });
  lock.release();
}

export function discard(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${suffix}`, { force: true });
}
