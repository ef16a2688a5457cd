import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { logOf } from './log.ts';
import { hasTable } from './migrations.ts';

/** The marker follows the database this quickly; until then a restored copy passes for the newest. */
const FOLLOWS_WITHIN_MS = 50;
/** One sector of a disk at most, always written whole: after a power cut it is the old one or the new one. */
const MARKER_BYTES = 256;
const OWNER_ONLY_FILE = 0o600;

/** Where a copy of the database stands: `position` counts what was recorded and claimed in one `generation` of it. */
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
 * How a file stands before it is used: `restored` holds as unsent what may have been sent since it was made;
 * `older` and `empty` lie beside the marker of one that knows more.
 */
export type Standing = 'newest' | 'restored' | 'older' | 'empty';

/** Knows whether the database is the newest copy of itself that was ever written to here. */
export interface NewestCopy {
  /** True for a copy that was restored: what it holds as unsent may have been sent since it was made. */
  isOlder(): boolean;
  /** Within a transaction: every other copy becomes an older one. */
  begin(): void;
  /** Once that transaction is on disk. */
  begun(): void;
  /** To be called after each commit. Cheap. */
  committed(): void;
  /** To be called when the log was brought into the file. */
  emptied(): void;
  /** Brings the marker up to date; nothing may be committed afterwards. */
  close(): void;
}

/**
 * Beside the database `herald.db` stands the marker `.herald.db.newest`, named so that it is not copied along with
 * `herald.db*`. It holds the place that the database had a moment ago: it may lag behind, because it is written after
 * the commit, and never leads. A database that is behind its marker, belongs to another generation, or had a marker
 * that is gone, is another copy than the one that was used last.
 */
export function createNewestCopy(database: DatabaseSync): NewestCopy {
  const file = database.location();
  const path = file === null ? undefined : markerOf(file);
  const sql = {
    read: database.prepare(RECORDED),
    marked: database.prepare('UPDATE newest_copy SET marked = 1'),
    begin: database.prepare(
      'UPDATE newest_copy SET generation = lower(hex(randomblob(16))), position = position + 1',
    ),
  };
  let older = file !== null && standingOf(database, file) !== 'newest';
  let marker: number | undefined;
  let written = '';
  let inFile = 0;
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    timer = undefined;
    if (path === undefined || older || !database.isOpen) return;
    try {
      const { generation, position, marked } = recordedIn(sql.read);
      const text = JSON.stringify({ generation, position, inFile });
      if (text === written) return;
      marker ??= openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY_FILE);
      writeSync(marker, text.padEnd(MARKER_BYTES), 0);
      // Only its being there must be certain: the database remembers that it was.
      if (written === '') fsyncSync(marker);
      // Even an update of no row waits for whoever writes to the file.
      if (marked === 0) sql.marked.run();
      written = text;
    } catch {
      // A full disk, say, or somebody else writes to the file: the marker lags behind until the next commit.
    }
  }

  return {
    isOlder: () => older,
    begin: () => {
      sql.begin.run();
      // The file alone is of the generation before until its log is brought in.
      inFile = 0;
    },
    begun: () => {
      older = false;
      write();
    },
    committed: () => {
      if (path === undefined || older || timer !== undefined) return;
      timer = setTimeout(write, FOLLOWS_WITHIN_MS);
      timer.unref();
    },
    emptied: () => {
      inFile = recordedIn(sql.read).position;
      write();
    },
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
  if (marker === 'none') return here?.marked === 1 ? 'restored' : 'newest';
  if (marker === 'unreadable') return here?.marked === 1 ? 'restored' : 'empty';
  const isSame = marker.generation === here?.generation;
  if (isSame && marker.position <= here.position) return 'newest';
  return here === undefined || here.position === 0 ? 'empty' : 'older';
}

/**
 * False when a log lies beside the file that SQLite would merge with it, although the file is older than the log: it is a
 * copy that was put in the place of the database, and merged with that log it would be damaged.
 */
export function isOwnLog(file: string): boolean {
  const marker = readMarker(markerOf(file));
  const { size = 0 } = statSync(logOf(file), { throwIfNoEntry: false }) ?? {};
  if (size === 0 || typeof marker === 'string' || marker.inFile === 0) return true;
  const here = recordedWithoutLog(file);
  return here?.generation === marker.generation && here.position >= marker.inFile;
}

function recordedWithoutLog(file: string): Recorded | undefined {
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(address, { readOnly: true });
    try {
      return recordedIn(database.prepare(RECORDED));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

/** Where the marker of a database file is. */
export function markerOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.newest`);
}

/** By hand and not by a schema: this is all that the store's thread would load zod for, at each start. */
function readMarker(path: string): Marker | 'none' | 'unreadable' {
  if (!existsSync(path)) return 'none';
  try {
    const { generation, position, inFile } = JSON.parse(readFileSync(path, 'utf8'));
    const isMarker = typeof generation === 'string' && [position, inFile].every(isCount);
    return isMarker ? { generation, position, inFile } : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
