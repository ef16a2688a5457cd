import type { DatabaseSync } from 'node:sqlite';
import { hasTable } from '../sqlite/migrations.ts';
import { createNewestCopy } from '../sqlite/newest-copy.ts';

/** What a file knows of its sends having been moved to another database. */
export interface Departure {
  /** Which copy of Herald's database it was that was moved. */
  readonly installation: string;
  /** Host, port and name of the database, without user and password. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** What a Herald says that was started on a file whose sends go on elsewhere. */
export function sentenceOfDeparture(file: string, { target, since }: Departure): string {
  const day = new Date(since).toISOString().slice(0, 10);
  return `What the database ${file} held was moved to PostgreSQL at ${target} on ${day}, and its sends go on there. Started on this file as well, Herald could message people twice. Set DATABASE_URL to that database.`;
}

export function departureOf(database: DatabaseSync): Departure | undefined {
  if (!hasTable(database, 'departure')) return undefined;
  const row = database.prepare('SELECT installation, target, since FROM departure').get();
  return row === undefined ? undefined : ({ ...row } as unknown as Departure);
}

/** Which copy of Herald's database the file is. */
export function installationOf(database: DatabaseSync): string {
  return String(database.prepare('SELECT generation FROM newest_copy').get()?.generation);
}

/** From now on no Herald starts on the file, and copies that were made of it before pass for older ones. */
export function depart(database: DatabaseSync, { installation, target, since }: Departure): void {
  const newest = createNewestCopy(database);
  database.exec('BEGIN IMMEDIATE');
  newest.begin();
  database.exec(
    'CREATE TABLE departure (installation TEXT NOT NULL, target TEXT NOT NULL, since INTEGER NOT NULL) STRICT',
  );
  database.prepare('INSERT INTO departure VALUES (?, ?, ?)').run(installation, target, since);
  database.exec('COMMIT');
  newest.begun();
  newest.close();
}
