import { ALERTS, WHAT_COMES_BACK, WHAT_IS_SENT } from './schema/others.ts';
import { POSTS, SENDS } from './schema/sends.ts';
import { type Dialect, sql, textOf } from './sql.ts';

/*
 * The schema of 0.1.0: every table that both databases have, once, in the folder `schema`. What only one of them has stands in
 * `sqlite/migrations.ts` and `postgres/migrations.ts`, whose texts are the first migration of each. From the release on none of it
 * changes: what is to be different is a migration. Comments may change, they are taken out.
 *
 * Times are milliseconds since the epoch, yes or no is 1 or 0. What people wrote stands as JSON where it could hold
 * U+0000, which PostgreSQL does not take in a text.
 */

/**
 * The number of this schema; each migration after it has the next one. Commits before 0.1.0 counted from 1, so a lower
 * number is one of theirs, and to them this one is of a newer Herald.
 */
export const FIRST_VERSION = 108;

/** The whole schema of one database, without comments. */
export function firstSchema(dialect: Dialect, particulars: string): string {
  const both = sql`${SENDS}${WHAT_IS_SENT}${WHAT_COMES_BACK}${ALERTS}${POSTS}`;
  const lines = `${textOf(both, dialect)}${particulars}`
    .split('\n')
    .map((line) => (line.split('--')[0] ?? '').trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}

/** Why a database that has seen this version cannot be used by a Herald that knows those up to `newest`. */
export function unfitness(version: number, newest: number): 'newer' | 'unreleased' | undefined {
  if (version > newest) return 'newer';
  return version > 0 && version < FIRST_VERSION ? 'unreleased' : undefined;
}

/** The end of a sentence that begins with the database, and that the way on follows. */
export const UNRELEASED =
  'was made by a commit before 0.1.0, which was the first release and cannot read it. Nothing was changed and nothing was sent.';
