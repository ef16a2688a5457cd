import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Compiled, compile, type Database, type Runner, type Sql, textOf, valuesOf } from '../sql.ts';

export interface SqliteDatabase extends Database {
  /** For the statements of the hot path, which run within `transaction` without being waited for. */
  readonly file: DatabaseSync;
  /** From now on `listener` is called after each transaction that was committed. */
  onCommit(listener: () => void): void;
  /** Does `work` when everything that was asked before has ended, and before anything that is asked later. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
}

/** One for each open file: whoever uses the same file waits for each other's transactions. */
const known = new WeakMap<DatabaseSync, SqliteDatabase>();

export function sqliteDatabase(file: DatabaseSync): SqliteDatabase {
  return known.getOrInsertComputed(file, createDatabase);
}

function createDatabase(file: DatabaseSync): SqliteDatabase {
  const runner = runnerOn(file);
  let committed = () => {};
  let isBusy = false;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Whoever is next takes over from here, so that nobody who asks meanwhile comes before.
      if (next === undefined) isBusy = false;
      else next();
    }
  }

  /** What runs without being waited for, as the hot path does, is committed without waiting either. */
  function inTransaction<T>(work: (runner: Runner) => T | Promise<T>): T | Promise<T> {
    file.exec('BEGIN IMMEDIATE');
    try {
      const result = work(runner);
      return result instanceof Promise ? result.then(commit).catch(rollBack) : commit(result);
    } catch (error) {
      return rollBack(error);
    }
  }

  function commit<T>(result: T): T {
    file.exec('COMMIT');
    committed();
    return result;
  }

  function rollBack(error: unknown): never {
    // A failed COMMIT (a full disk, say) may have ended the transaction already.
    if (file.isTransaction) file.exec('ROLLBACK');
    throw error;
  }

  const transaction: SqliteDatabase['transaction'] = (work) => inTurn(() => inTransaction(work));
  return {
    file,
    transaction,
    inTurn,
    onCommit: (listener) => {
      committed = listener;
    },
    run: (sql, values) =>
      textOf(sql, 'sqlite').startsWith('SELECT')
        ? inTurn(() => runner.run(sql, values))
        : transaction((within) => within.run(sql, values)),
    change: (sql, values) => transaction((within) => within.change(sql, values)),
  };
}

/** Statements are prepared once and kept: preparing again at each call costs six times the call itself. */
function runnerOn(file: DatabaseSync): Runner {
  const prepared = new Map<string, Compiled & { readonly statement: StatementSync }>();
  const prepare = (text: string) => {
    const compiled = compile(text, 'sqlite');
    return { ...compiled, statement: file.prepare(compiled.text) };
  };
  function bound(sql: Sql, given: object = {}) {
    const found = prepared.getOrInsertComputed(textOf(sql, 'sqlite'), prepare);
    return [found.statement, valuesOf(found, given).map(storable)] as const;
  }
  return {
    run: async (sql, given) => {
      const [statement, values] = bound(sql, given);
      return statement.all(...values) as never;
    },
    change: async (sql, given) => {
      const [statement, values] = bound(sql, given);
      return Number(statement.run(...values).changes);
    },
  };
}

function storable(value: unknown): SQLInputValue {
  return Array.isArray(value) ? JSON.stringify(value) : ((value ?? null) as SQLInputValue);
}
