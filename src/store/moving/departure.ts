import type { DatabaseSync } from 'node:sqlite';
import { hasTable } from '../sqlite/migrations.ts';
import { createNewestCopy } from '../sqlite/newest-copy.ts';

/** A file keeps this of the move of its sends to another database. */
export interface Departure {
  /** Which copy of Herald's database it was that was moved. */
  readonly installation: string;
  /** Host, port and name of the database, without user and password. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** 1 once that database is known to hold everything; before that the move may be done again. */
  readonly arrived: number;
}

/** The refusal to use a file whose sends go on elsewhere. */
export function sentenceOfDeparture(file: string, { target, since, arrived }: Departure): string {
  const day = new Date(since).toISOString().slice(0, 10);
  const state = arrived === 1 ? 'and its sends go on there' : 'but for the end of that move';
  const next = arrived === 1 ? 'Set DATABASE_URL to that database.' : 'Run node dist/main.js migrate again.';
  return `What the database ${file} held was moved to PostgreSQL at ${target} on ${day}, ${state}. Started on this file as well, Herald could message people twice. ${next}`;
}

export function departureOf(database: DatabaseSync): Departure | undefined {
  if (!hasTable(database, 'departure')) return undefined;
  const row = database.prepare('SELECT installation, target, since, arrived FROM departure').get();
  return row === undefined ? undefined : ({ ...row } as unknown as Departure);
}

/** From now on no Herald starts on the file, and copies that were made of it before pass for older ones. */
export function depart(database: DatabaseSync, target: string, since: number): Departure {
  const newest = createNewestCopy(database);
  database.exec('BEGIN IMMEDIATE');
  const installation = String(database.prepare('SELECT generation FROM newest_copy').get()?.generation);
  newest.begin();
  database.exec(
    'CREATE TABLE departure (installation TEXT NOT NULL, target TEXT NOT NULL, since INTEGER NOT NULL, arrived INTEGER NOT NULL) STRICT',
  );
  database.prepare('INSERT INTO departure VALUES (?, ?, ?, 0)').run(installation, target, since);
  database.exec('COMMIT');
  newest.begun();
  newest.close();
  return { installation, target, since, arrived: 0 };
}
