import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { advice, type Finding, wrong } from '../../core/finding.ts';
import { fail, ok } from '../../core/result.ts';
import { opened } from './copies.ts';
import { inASentence, refusalUnopened } from './open.ts';
import { refusals } from './refusals.ts';

/** A send to a million takes several hundred megabytes; with less than the second Herald soon stops sending. */
const ROOM_BYTES = 2 * 1024 ** 3;
const LEAST_BYTES = 200 * 1024 ** 2;

/** What is wrong with the place of a database file. Opens and changes nothing, so a Herald may be running on it. */
export function checkFile(path: string): readonly Finding[] {
  const file = resolve(path);
  const folder = nearestFolder(dirname(file));
  if (!mayWrite(`${folder}/.`)) return [unwritable(`the folder ${folder}`)];
  if (existsSync(file) && !mayWrite(file)) return [unwritable(file)];
  if (existsSync(file) && !statSync(file).isFile()) return [wrong(refusals.notAFile(file), SEE_ABOVE)];
  const refusal = refusalUnopened(file);
  return [...(refusal === undefined ? [] : [wrong(refusal, SEE_ABOVE)]), ...roomOn(folder)];
}

/**
 * Whether a database file is one, and whole. Reads all of it, at a second or two for each GB: not for a Herald that works.
 * Another one may be running on it.
 */
export function checkWhole(path: string): readonly Finding[] {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || statSync(file).size === 0) return [];
  const looked = inASentence(file, () => {
    const database = opened(file);
    try {
      const found = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
      return found === 'ok' ? ok(undefined) : fail(refusals.damaged(file, String(found)));
    } finally {
      database.close();
    }
  });
  return looked.ok ? [] : [wrong(looked.error, SEE_ABOVE)];
}

/** Slack users whose number is on file. Throws where the file cannot be read; a Herald may be running on it. */
export function usersInFile(path: string): readonly unknown[] {
  const database = opened(resolve(path));
  try {
    return database.prepare('SELECT user_id FROM alert_numbers').all();
  } finally {
    database.close();
  }
}

const SEE_ABOVE = 'Do what this sentence says; until then Herald does not start.';

export function unwritable(place: string, otherwise = 'name another file in DATABASE_URL'): Finding {
  return wrong(`The user who runs this may not write to ${place}.`, `Give it the right to, or ${otherwise}.`);
}

/** Folders that are not there yet are made at the start. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are left on the disk of a file; undefined where it cannot be seen. */
export function freeOn(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearestFolder(dirname(resolve(file))));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function roomOn(folder: string): readonly Finding[] {
  const free = freeOn(`${folder}/.`) ?? ROOM_BYTES;
  if (free >= ROOM_BYTES) return [];
  const weigh = free < LEAST_BYTES ? wrong : advice;
  return [
    weigh(
      `The disk of the database has ${Math.floor(free / 1024 ** 2)} MB left.`,
      `Make room on the disk of ${folder}.`,
    ),
  ];
}
