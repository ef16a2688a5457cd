import { type Sql, sql } from '../sql.ts';

/* What columns and tables of the schema are made of, where the databases differ. */

/** Text that is compared byte for byte, as ids and keys are: in SQLite every text is. */
export const CODE: Sql = { sqlite: 'TEXT', postgres: 'TEXT COLLATE "C"' };
/** A time, or a count without an end. */
export const LONG: Sql = { sqlite: 'INTEGER', postgres: 'BIGINT' };
export const BYTES: Sql = { sqlite: 'BLOB', postgres: 'BYTEA' };
export const NUMBERED: Sql = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
};
/** For tables with a row a recipient: PostgreSQL would look up the send of each. */
export const OF_SEND = sql`${CODE} NOT NULL ${{ sqlite: 'REFERENCES sends (id)', postgres: '' }}`;
/** Explanations can be longer than an entry of PostgreSQL's indexes, where their hash stands for them. */
export const keyWithFailure = (columns: string): Sql => ({
  sqlite: `, PRIMARY KEY (${columns}, failure)`,
  postgres: '',
});
export const END: Sql = { sqlite: ') STRICT', postgres: ')' };
/** Rows that are found by their key alone stand in its order. */
export const END_BY_KEY: Sql = { sqlite: ') STRICT, WITHOUT ROWID', postgres: ')' };
