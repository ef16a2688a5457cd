import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_VERSION } from '../schema.ts';
import { SCHEMA_VERSION, schemaVersionOf } from './migrations.ts';

/** So long a backup that reads at this moment is waited for. */
const READERS_MS = 60_000;
/** How many copies stay, the newest included. */
const KEPT = 2;
const NAME = /\.before-upgrade-\d+(?:-\d+)?$/;

/**
 * Copies a file that an earlier version wrote, beside it and for its owner only, before this version changes it: a schema
 * goes forward only, and this is the way back. Throws where that cannot be done, for lack of room for example. Once the
 * copy is whole, older ones are deleted.
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
  const copy = nameFor(`${file}.before-upgrade-${seen}`);
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
  deleteOlder(copy, file);
  return copy;
}

function deleteOlder(copy: string, file: string): void {
  const made = (path: string) => statSync(path).mtimeMs;
  const earlier = readdirSync(dirname(file))
    .filter((name) => NAME.test(name) && name.replace(NAME, '') === basename(file))
    .map((name) => join(dirname(file), name))
    .filter((path) => path !== copy)
    .toSorted((one, other) => made(other) - made(one));
  for (const path of earlier.slice(KEPT - 1)) {
    try {
      rmSync(path);
    } catch {
      // It stays until the next upgrade: nothing else depends on it.
    }
  }
}

function nameFor(copy: string): string {
  for (let turn = 1; ; turn += 1) {
    const name = turn === 1 ? copy : `${copy}-${turn}`;
    if (!existsSync(name)) return name;
  }
}

/** Waits until a file, or which files a folder has, is on the disk. */
export function keepOnDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
