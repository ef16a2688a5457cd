import { closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_VERSION } from '../schema.ts';
import { SCHEMA_VERSION, schemaVersionOf } from './migrations.ts';

/** So long a backup that reads at this moment is waited for. */
const READERS_MS = 60_000;

/**
 * Copies a file that an earlier version wrote, beside it and for its owner only, before this version changes it: a schema
 * goes forward only, and this is the way back. Throws where that cannot be done, for lack of room for example. Once the
 * copy is whole, it replaces the one of the upgrade before.
 *
 * @returns where the copy is; undefined for a file that this version does not change
 */
export function copyBeforeUpgrade(database: DatabaseSync, file: string): string | undefined {
  const seen = schemaVersionOf(database);
  if (file === ':memory:' || seen < FIRST_VERSION || seen >= SCHEMA_VERSION) return undefined;
  database.exec(`PRAGMA busy_timeout = ${READERS_MS}`);
  const log = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  database.exec('PRAGMA busy_timeout = 0');
  if (log?.busy !== 0) throw new Error('database is locked');
  const copy = `${file}.before-upgrade`;
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    // With the rights of the file itself. Nobody else writes to it: the lock is held.
    copyFileSync(file, unfinished, constants.COPYFILE_FICLONE);
    keepOnDisk(unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  renameSync(unfinished, copy);
  keepOnDisk(dirname(copy));
  return copy;
}

/** Waits until a file, or which files a folder has, is on the disk. */
export function keepOnDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
