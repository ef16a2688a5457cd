import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_VERSION, unfitness } from '../schema.ts';
import { FIRST_SCHEMA } from './schema.ts';

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
 * @returns why it is not done, and then nothing is touched: a newer Herald wrote it, or a commit before 0.1.0
 */
export function migrate(database: DatabaseSync): ReturnType<typeof unfitness> {
  const seen = schemaVersionOf(database);
  const unfit = unfitness(seen, SCHEMA_VERSION);
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

/** The newest migration that the file has seen; 0 for one with nothing in it. */
export function schemaVersionOf(database: DatabaseSync): number {
  const current = database.prepare('PRAGMA user_version').get()?.user_version;
  return typeof current === 'number' ? current : 0;
}

/** False also for a table that a later version brings than the one that wrote the file. */
export function hasTable(database: DatabaseSync, name: string): boolean {
  const find = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`);
  return find.get(name) !== undefined;
}
