import { spellingsOf } from '../messages/numbers/person.ts';

/*
 * One text for both databases. Parameters are named (`:sendId`); a list stands as `IN (:states...)`, and every
 * spelling of `:number` as `IN (:spellings...)`. Where PostgreSQL
 * locks rows (`FOR NO KEY UPDATE`), SQLite has the whole file to itself, so these words are left out there.
 */

export type Dialect = 'sqlite' | 'postgres';

/** A statement or a part of one; each database's own where they differ. */
export type Sql = string | Readonly<Record<Dialect, string>>;

/** Puts parts together that differ between the databases. */
export function sql(texts: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  const textFor = (dialect: Dialect) =>
    String.raw({ raw: texts }, ...parts.map((part) => textOf(part, dialect)));
  return { sqlite: textFor('sqlite'), postgres: textFor('postgres') };
}

/**
 * Names the columns that a statement gives of a table, because what is prepared with `*` gives other columns once the next
 * version has added one, and PostgreSQL refuses it to the replicas that are still at work. The table's name stands before
 * each, because others may have columns of the same.
 */
export function columnsOf(table: string, ...columns: readonly string[]): string {
  return columns.map((column) => `${table}.${column}`).join(', ');
}

/**
 * A value as a row, from which `valueFrom` reads it again.
 *
 * @param json fields that are kept as JSON
 */
export function columnsFrom(value: object, json: readonly string[]): Row {
  const columns = Object.entries(value).map(([field, given]) => [
    field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    json.includes(field) && given !== undefined ? JSON.stringify(given) : given,
  ]);
  return Object.fromEntries(columns);
}

/** @param values by the names of the columns, which are those of the parameters as well */
export function insertInto(table: string, values: object): string {
  const columns = Object.keys(values);
  const parameters = columns.map((column) => `:${column}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`;
}

/** The column that says which replica owns a row; none where one process has the database to itself. */
export type OwnerColumn = () => { readonly owner?: string | undefined };

/** A lock that keeps other replicas away; whoever has a SQLite file is alone as it is. */
export function alone(lock: string): Sql {
  return { sqlite: 'SELECT 1', postgres: lock };
}

/** A file has no statistics: SQLite would rather read all that has a state than what an index holds of it. */
export function indexedBy(index: string): Sql {
  return { sqlite: `INDEXED BY ${index}`, postgres: '' };
}

export type Row = Readonly<Record<string, unknown>>;

const fieldNames = new Map<string, string>();

/**
 * A row as the value that it was written from: `created_at` is the field `createdAt`, and NULL stands for a field that is not
 * there. Only Herald writes rows, and the database keeps their types, so what is read is trusted to be what was written.
 *
 * @param json columns whose text is JSON
 * @param columns those that are its fields; absent: all
 */
export function valueFrom<Value>(
  row: Row,
  json: readonly string[] = [],
  columns: readonly string[] = Object.keys(row),
): Value {
  const value: Record<string, unknown> = {};
  for (const column of columns) {
    const stored = row[column];
    if (stored === null) continue;
    const field = fieldNames.getOrInsertComputed(column, fieldOf);
    value[field] = json.includes(column) ? JSON.parse(String(stored)) : stored;
  }
  return value as Value;
}

function fieldOf(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Something that runs statements: a database, or one transaction. Values go by the names of the parameters, undefined
 * as NULL; those that a statement does not name are left out.
 */
export interface Runner {
  /** Runs one statement and returns its rows; outside of `transaction` it is a transaction of its own. */
  run<Columns = Row>(sql: Sql, values?: object): Promise<readonly Columns[]>;
  /** As `run`, for how many rows were inserted, changed or deleted. */
  change(sql: Sql, values?: object): Promise<number>;
}

/** Changes rows where nobody asks how many. */
export async function write(runner: Runner, sql: Sql, values?: object): Promise<void> {
  await runner.change(sql, values);
}

export interface Database extends Runner {
  /**
   * Runs `work` as one durable transaction; an error inside rolls everything back and is thrown on. `work` waits for
   * nothing but what it runs.
   */
  transaction<T>(work: (runner: Runner) => T | Promise<T>): Promise<T>;
}

/** A statement as the database's driver takes it. */
export interface Compiled {
  readonly text: string;
  /** The names of the parameters stand in the order of their numbers. */
  readonly names: readonly string[];
}

export function textOf(sql: Sql, dialect: Dialect): string {
  return typeof sql === 'string' ? sql : sql[dialect];
}

const LIST = /\b(NOT )?IN \(:(\w+)\.\.\.\)/g;
/** The two colons of a cast match as well, and stay. */
const PARAMETER = /::|:([a-z]\w*)/gi;

export function compile(text: string, dialect: Dialect): Compiled {
  const names: string[] = [];
  const numbered = inDialect(text, dialect).replace(PARAMETER, (colons, name?: string) => {
    if (name === undefined) return colons;
    if (!names.includes(name)) names.push(name);
    return `${dialect === 'sqlite' ? '?' : '$'}${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

function inDialect(text: string, dialect: Dialect): string {
  if (dialect === 'postgres')
    return text.replace(LIST, (_, not, name) => `${not ? '<> ALL' : '= ANY'} (:${name})`);
  return text
    .replace(LIST, (_, not = '', name) => `${not}IN (SELECT value FROM json_each(:${name}))`)
    .replaceAll('greatest(', 'max(')
    .replaceAll(/ FOR (?:NO KEY )?UPDATE(?: SKIP LOCKED)?/g, '');
}

export function valuesOf({ text, names }: Compiled, values: object): readonly unknown[] {
  const given = values as Row;
  return names.map((name) => {
    if (name === 'spellings') return spellingsOf(String(given.number));
    if (!(name in given)) throw new Error(`No value was given for :${name} in ${text}`);
    return given[name];
  });
}
