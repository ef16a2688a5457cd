import { closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_VERSION, firstSchema, unfitness } from '../schema.ts';

/** Rows of a table that nobody may change or delete. */
const appendOnly = (table: string, what: string) => `
CREATE TRIGGER ${table}_keep BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${what} is append-only'); END;
CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${what} is append-only'); END;
`;

/** What only a file has of the schema of 0.1.0; see `../schema.ts`. */
export const FIRST_SCHEMA = firstSchema(
  'sqlite',
  `
CREATE INDEX sends_by_template ON sends
  (CASE WHEN json_valid(message) THEN json_extract(message, '$.templateName') END, created_at);

${appendOnly('send_events', 'the record of sends')}
${appendOnly('template_changes', 'the history of templates')}
${appendOnly('opt_out_removals', 'the record of opt-outs')}

-- Distinguishes copies of the file: see newest-copy.ts. The position moves on with whatever an older copy must not take for
-- undone.
CREATE TABLE newest_copy (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  generation TEXT NOT NULL,
  position INTEGER NOT NULL,
  marked INTEGER NOT NULL
) STRICT;
INSERT INTO newest_copy VALUES (1, lower(hex(randomblob(16))), 0, 0);
CREATE TRIGGER record_moves_on AFTER INSERT ON send_events
  BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE TRIGGER claims_move_on AFTER UPDATE OF attempting ON sends WHEN NEW.attempting > OLD.attempting
  BEGIN UPDATE newest_copy SET position = position + 1; END;
CREATE TRIGGER opt_outs_move_on AFTER INSERT ON opt_outs
  BEGIN UPDATE newest_copy SET position = position + 1; END;
`,
);

/**
 * What makes a file's schema, applied in order and never edited after its release. `PRAGMA user_version` says up to which
 * a file has seen them.
 */
const MIGRATIONS: readonly string[] = [FIRST_SCHEMA];

/** The newest that this version knows. */
export const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length - 1;

/**
 * Brings a file to this version's schema.
 *
 * @returns why it is not done, and then nothing is touched
 */
export function migrate(database: DatabaseSync): ReturnType<typeof unfitnessOf> {
  const seen = schemaVersionOf(database);
  const unfit = unfitnessOf(database);
  if (unfit !== undefined || seen === SCHEMA_VERSION) return unfit;
  sortInFiles(database);
  // All or nothing: what was copied before is what the version before left, however often this is begun.
  const missing = MIGRATIONS.slice(Math.max(0, seen - FIRST_VERSION + 1)).join(';\n');
  database.exec(`BEGIN IMMEDIATE; ${missing}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  database.exec(`PRAGMA temp_store = MEMORY; PRAGMA temp_store_directory = ''`);
  return undefined;
}

/** In memory the index over ten million recipients took 840 MB; beside the database there is room, and the right to write. */
function sortInFiles(database: DatabaseSync): void {
  const file = database.location();
  if (file === null) return;
  database.exec(
    `PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'`,
  );
}

/** Why a file cannot be used: a newer Herald wrote it, a commit before 0.1.0, or another program. */
export function unfitnessOf(database: DatabaseSync): ReturnType<typeof unfitness> | 'notHeralds' {
  const seen = schemaVersionOf(database);
  const hasContent = database.prepare('SELECT 1 FROM sqlite_master').get() !== undefined;
  return seen === 0 && hasContent ? 'notHeralds' : unfitness(seen, SCHEMA_VERSION);
}

/** The newest migration that the file has seen; 0 for one with nothing in it. */
function schemaVersionOf(database: DatabaseSync): number {
  const current = database.prepare('PRAGMA user_version').get()?.user_version;
  return typeof current === 'number' ? current : 0;
}

/** Whether a version before this one wrote the file. */
export function isBehind(database: DatabaseSync): boolean {
  const seen = schemaVersionOf(database);
  return seen >= FIRST_VERSION && seen < SCHEMA_VERSION;
}

/** False also for a table that a later version brings than the one that wrote the file. */
export function hasTable(database: DatabaseSync, name: string): boolean {
  const find = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`);
  return find.get(name) !== undefined;
}

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
  if (file === ':memory:' || !isBehind(database)) return undefined;
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
