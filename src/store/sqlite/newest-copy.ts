import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { hasTable } from './migrations.ts';

/** The marker follows the database this quickly; until then a restored copy passes for the newest. */
const FOLLOWS_WITHIN_MS = 50;
/** One sector of a disk at most, always written whole: after a power cut it is the old one or the new one. */
const MARKER_BYTES = 256;
export const OWNER_ONLY_FILE = 0o600;

/** A copy of the database stands at a place: `position` counts what was recorded and claimed in one `generation` of it. */
interface Place {
  readonly generation: string;
  readonly position: number;
}
/** The marker says a place, and `inFile`, the position up to which the file holds everything without its log. */
type Marker = Place & { readonly inFile: number };
/** The database itself says a place; `marked` is 1 once a marker was written. */
type Recorded = Place & { readonly marked: number };
const RECORDED = 'SELECT generation, position, marked FROM newest_copy';
const recordedIn = (read: StatementSync) => read.get() as unknown as Recorded;

/**
 * How a file stands before it is used: `restored` holds as unsent what may have been sent since it was made; `older` lies
 * beside the marker of one that knows more.
 */
export type Standing = 'newest' | 'restored' | 'older';

export type NewestCopy = ReturnType<typeof createNewestCopy>;

/**
 * Beside the database `herald.db` stands the marker `.herald.db.newest`, named so that it is not copied along with
 * `herald.db*`. It holds the place that the database had a moment ago: it may lag behind, because it is written after
 * the commit, and never leads. A database that is behind its marker, belongs to another generation, or had a marker
 * that is gone, is another copy than the one that was used last.
 */
export function createNewestCopy(database: DatabaseSync) {
  const file = database.location();
  const path = file === null ? undefined : markerOf(file);
  const recorded = database.prepare(RECORDED);
  let older = file !== null && standingOf(database, file) !== 'newest';
  let marker: number | undefined;
  let written = '';
  let inFile = 0;
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    timer = undefined;
    if (path === undefined || older || !database.isOpen) return;
    try {
      const { generation, position, marked } = recordedIn(recorded);
      const text = JSON.stringify({ generation, position, inFile });
      if (text === written) return;
      marker ??= openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY_FILE);
      writeSync(marker, text.padEnd(MARKER_BYTES), 0);
      // Only its being there must be certain: the database remembers that it was.
      if (written === '') fsyncSync(marker);
      // Even an update of no row waits for whoever writes to the file.
      if (marked === 0) database.exec('UPDATE newest_copy SET marked = 1');
      written = text;
    } catch {
      // A full disk, say, or somebody else writes to the file: the marker lags behind until the next commit.
    }
  }

  return {
    /** True for a copy that was restored: what it holds as unsent may have been sent since it was made. */
    isOlder: () => older,
    /** Within a transaction: every other copy becomes an older one. */
    begin: () => {
      database.exec(
        'UPDATE newest_copy SET generation = lower(hex(randomblob(16))), position = position + 1',
      );
      // The file alone is of the generation before until its log is brought in.
      inFile = 0;
    },
    /** Once that transaction is on disk. */
    begun: () => {
      older = false;
      write();
    },
    /** To be called after each commit. Cheap. */
    committed: () => {
      if (path === undefined || older || timer !== undefined) return;
      timer = setTimeout(write, FOLLOWS_WITHIN_MS);
      timer.unref();
    },
    /** To be called when the log was brought into the file. */
    emptied: () => {
      inFile = recordedIn(recorded).position;
      write();
    },
    /** Brings the marker up to date; nothing may be committed afterwards. */
    close: () => {
      clearTimeout(timer);
      write();
      if (marker !== undefined) closeSync(marker);
    },
  };
}

/** @param database open, and perhaps of an earlier version of Herald, or with nothing in it yet */
export function standingOf(database: DatabaseSync, file: string): Standing {
  const here = hasTable(database, 'newest_copy') ? recordedIn(database.prepare(RECORDED)) : undefined;
  const marker = readMarker(markerOf(file));
  if (marker === undefined) return here?.marked === 1 ? 'restored' : 'newest';
  const isSame = marker.generation === here?.generation;
  return isSame && marker.position <= here.position ? 'newest' : 'older';
}

/**
 * False when a log lies beside the file that SQLite would merge with it, although the file is older than the log: it is a
 * copy that was put in the place of the database, and merged with that log it would be damaged.
 */
export function isOwnLog(file: string): boolean {
  const marker = readMarker(markerOf(file));
  const { size = 0 } = statSync(logOf(file), { throwIfNoEntry: false }) ?? {};
  if (size === 0 || marker === undefined || marker.inFile === 0) return true;
  try {
    const here = reading(file, (database) => recordedIn(database.prepare(RECORDED)), true);
    return here.generation === marker.generation && here.position >= marker.inFile;
  } catch {
    return false;
  }
}

/**
 * Opens a file to read; without a log of its own it is not even locked, so that a copy on a disk that takes no writes can be
 * read, and the log of another is not merged with it.
 */
export function opened(file: string, withoutLog?: boolean): DatabaseSync {
  const hasLog = existsSync(logOf(file)) || existsSync(`${file}-journal`);
  const address = pathToFileURL(file);
  if (withoutLog ?? !(hasLog && isOwnLog(file))) address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true });
}

export function reading<Value>(
  file: string,
  read: (database: DatabaseSync, file: string) => Value,
  withoutLog?: boolean,
): Value {
  using database = opened(file, withoutLog);
  return read(database, file);
}

export function markerOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.newest`);
}

/**
 * Undefined where there is none that can be read. By hand and not by a schema: this is all that the store's thread would load
 * zod for, at each start.
 */
function readMarker(path: string): Marker | undefined {
  try {
    const { generation, position, inFile } = JSON.parse(readFileSync(path, 'utf8'));
    const isMarker =
      typeof generation === 'string' &&
      [position, inFile].every((count) => Number.isSafeInteger(count) && count >= 0);
    return isMarker ? { generation, position, inFile } : undefined;
  } catch {
    return undefined;
  }
}

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
/**
 * On a disk that is nearly full, from this share of what is left on: what the log holds then always fits into the file.
 * Longer, it would fill the disk and stand, because it could neither grow nor be brought over.
 */
const SHARE_OF_ROOM = 0.4;

/**
 * Keeps the log of a database file short for as long as the database is open.
 *
 * @param emptied is called each time that the file holds all that was committed
 */
export function keepLogShort(database: DatabaseSync, file: string, emptied: () => void) {
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
    /** To be called after each commit. Cheap. */
    committed: () => {
      const { size = 0 } = statSync(logOf(file), { throwIfNoEntry: false }) ?? {};
      const { bavail, bsize } = statfsSync(dirname(file));
      if (size > Math.min(MOST_BYTES, SHARE_OF_ROOM * bavail * bsize)) empty();
      else if (timer === undefined) timer = setTimeout(empty, QUIET_MS).unref();
      else timer.refresh();
    },
    close: () => clearTimeout(timer),
  };
}

export function logOf(file: string): string {
  return `${file}-wal`;
}
