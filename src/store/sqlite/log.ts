import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/**
 * What was committed stands in the log beside the database at first, and is brought into the database in a quiet moment,
 * so that a copy of the database alone lacks as little as possible.
 */
const QUIET_MS = 1_000;
/**
 * While it is never quiet, from 64 MB on instead of SQLite's 4: a send touches each page many times within a second, and
 * every time it is brought over the disk is waited for twice. Measured: a send is 7 % faster.
 */
const MOST_BYTES = 64_000_000;

/** https://sqlite.org/fileformat2.html#the_write_ahead_log */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const LITTLE_ENDIAN_SUMS = 0x377f_0682;
const BIG_ENDIAN_SUMS = 0x377f_0683;
const LARGEST_PAGE = 65_536;
/** A page that is a table's leaf: its kind, and where the place of its first row stands. */
const LEAF = 0x0d;
const FIRST_ROW_AT = 8;
/** Of a page with `log_identity` on it. */
const IDENTITY = /(?<follows>[0-9a-f]{32})(?<id>[0-9a-f]{32})/;

export interface Log {
  /** To be called after each commit. Cheap. */
  committed(): void;
  close(): void;
}

/**
 * SQLite merges whatever log lies beside a database, also that of another copy, and damages it. So the first entry of
 * each log names what the database was called when the log was begun. While it is gone on with, `follows` stays and so
 * tells a database into which a part of this log was brought; at its end the database gets a new name, `id`.
 */
export const LOG_IDENTITY_SCHEMA = `
  CREATE TABLE log_identity (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    follows TEXT NOT NULL,
    id TEXT NOT NULL
  ) STRICT;
  INSERT INTO log_identity VALUES (1, lower(hex(randomblob(16))), lower(hex(randomblob(16))));
`;

const NEW_NAME = 'UPDATE log_identity SET id = lower(hex(randomblob(16)))';

/** Brings the log into the database and begins a new one. Throws what SQLite throws, e.g. when the disk is full. */
export function renewLog(database: DatabaseSync): void {
  database.exec(NEW_NAME);
  const done = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  // While a backup reads, the old log is gone on with: written to at once, or SQLite would begin it anew by itself.
  database.exec(done ? 'UPDATE log_identity SET follows = id' : NEW_NAME);
}

/** Makes sure that no log that lies anywhere is taken for this copy's own. */
export function disownLogs(copy: DatabaseSync): void {
  copy.exec(`${NEW_NAME}; UPDATE log_identity SET follows = id; ${NEW_NAME}`);
}

/** Keeps the log of a database file short for as long as the database is open. */
export function keepLogShort(database: DatabaseSync, file: string): Log {
  let timer: NodeJS.Timeout | undefined;

  function renew(): void {
    clearTimeout(timer);
    timer = undefined;
    try {
      renewLog(database);
    } catch {
      // A full disk, say: what is committed stays in the log, and the next quiet moment comes.
    }
  }

  return {
    committed: () => {
      const { size = 0 } = statSync(logOf(file), { throwIfNoEntry: false }) ?? {};
      if (size > MOST_BYTES) renew();
      else if (timer === undefined) timer = setTimeout(renew, QUIET_MS).unref();
      else timer.refresh();
    },
    close: () => clearTimeout(timer),
  };
}

/** Where SQLite keeps the log of a database file. */
export function logOf(file: string): string {
  return `${file}-wal`;
}

/** False when a log lies beside the file that SQLite would merge with it, although it was not begun for this database. */
export function isOwnLog(file: string): boolean {
  const frame = firstFrame(logOf(file));
  const entry = frame && identityOn(frame.page);
  // A log of an earlier version of Herald names nothing.
  if (frame === undefined || entry === undefined) return true;
  const size = frame.page.length;
  const here = identityOn(bytesOf(file, (frame.number - 1) * size, size));
  return here !== undefined && (here.id === entry.follows || here.follows === entry.follows);
}

/** The page that a log begins with; undefined when nothing in it is valid, and SQLite would pass over it. */
function firstFrame(log: string): { readonly number: number; readonly page: Buffer } | undefined {
  const bytes = bytesOf(log, 0, LOG_HEADER_BYTES + FRAME_HEADER_BYTES + LARGEST_PAGE);
  if (bytes.length < LOG_HEADER_BYTES + FRAME_HEADER_BYTES) return undefined;
  const kind = bytes.readUInt32BE(0);
  if (kind !== LITTLE_ENDIAN_SUMS && kind !== BIG_ENDIAN_SUMS) return undefined;
  const size = bytes.readUInt32BE(8);
  const frame = bytes.subarray(LOG_HEADER_BYTES, LOG_HEADER_BYTES + FRAME_HEADER_BYTES + size);
  if (size % 8 !== 0 || frame.length < FRAME_HEADER_BYTES + size) return undefined;
  const page = frame.subarray(FRAME_HEADER_BYTES);
  const ofBytes = (part: Buffer, before: Sums) => sumsOf(part, before, kind === BIG_ENDIAN_SUMS);
  const sums = ofBytes(page, ofBytes(frame.subarray(0, 8), ofBytes(bytes.subarray(0, 24), [0, 0])));
  const sealed = frame.readUInt32BE(16) === sums[0] && frame.readUInt32BE(20) === sums[1];
  return sealed ? { number: frame.readUInt32BE(0), page } : undefined;
}

type Sums = readonly [number, number];

/** SQLite's checksum over words of four bytes, gone on with from `before`. */
function sumsOf(bytes: Buffer, before: Sums, bigEndian: boolean): Sums {
  const word = (at: number) => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let [first, second] = before;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return [first, second];
}

function identityOn(page: Buffer): { readonly follows: string; readonly id: string } | undefined {
  if (page.length < FIRST_ROW_AT + 2 || page[0] !== LEAF) return undefined;
  const row = page.toString('latin1', page.readUInt16BE(FIRST_ROW_AT));
  const { follows = '', id = '' } = IDENTITY.exec(row)?.groups ?? {};
  return id === '' ? undefined : { follows, id };
}

/** As many as there are; none of a file that is not there. */
function bytesOf(path: string, from: number, count: number): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  const bytes = Buffer.alloc(count);
  const descriptor = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, count, from));
  } finally {
    closeSync(descriptor);
  }
}
