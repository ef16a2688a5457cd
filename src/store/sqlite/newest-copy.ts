import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** The marker follows the database this quickly; until then a restored copy passes for the newest. */
const FOLLOWS_WITHIN_MS = 50;
/** One sector of a disk at most, always written whole: after a power cut it is the old one or the new one. */
const MARKER_BYTES = 256;
const OWNER_ONLY_FILE = 0o600;

/** Where a copy of the database stands: `position` counts what was recorded and claimed in one `generation` of it. */
const placeSchema = z.object({ generation: z.string(), position: z.int().nonnegative() });
type Place = z.infer<typeof placeSchema>;

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
  const path = file === null ? undefined : join(dirname(file), `.${basename(file)}.newest`);
  const sql = {
    read: database.prepare('SELECT generation, position, marked FROM newest_copy'),
    marked: database.prepare('UPDATE newest_copy SET marked = 1 WHERE marked = 0'),
    begin: database.prepare(
      'UPDATE newest_copy SET generation = lower(hex(randomblob(16))), position = position + 1',
    ),
  };
  const place = () => placeSchema.extend({ marked: z.int() }).parse(sql.read.get());
  let older = path !== undefined && isBehind(place(), readMarker(path));
  let marker: number | undefined;
  let written = '';
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    timer = undefined;
    if (path === undefined || older || !database.isOpen) return;
    const { generation, position } = place();
    const text = JSON.stringify({ generation, position });
    if (text === written) return;
    try {
      marker ??= openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY_FILE);
      writeSync(marker, text.padEnd(MARKER_BYTES), 0);
      // Only its being there must be certain: the database remembers that it was.
      if (written === '') fsyncSync(marker);
    } catch {
      // A full disk, say: the marker lags behind until the next commit.
      return;
    }
    written = text;
    sql.marked.run();
  }

  return {
    isOlder: () => older,
    begin: () => {
      sql.begin.run();
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
    close: () => {
      clearTimeout(timer);
      write();
      if (marker !== undefined) closeSync(marker);
    },
  };
}

function isBehind(database: Place & { readonly marked: number }, marker: Place | undefined): boolean {
  if (marker === undefined) return database.marked === 1;
  // A new database beside the marker of one that was deleted has nothing to be in doubt about.
  if (marker.generation !== database.generation) return database.position > 0;
  return marker.position > database.position;
}

/** Undefined when there is none, or nothing that Herald wrote. */
function readMarker(path: string): Place | undefined {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
