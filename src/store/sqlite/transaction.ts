import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` as one durable transaction; an error inside rolls everything back and is thrown on. */
export type Transaction = <T>(work: () => T) => Promise<T>;

/** By database, because each store has transactions of its own. */
const listeners = new WeakMap<DatabaseSync, () => void>();

/** From now on `listener` is told of each transaction that was committed on the database, whichever store it is of. */
export function onCommit(database: DatabaseSync, listener: () => void): void {
  listeners.set(database, listener);
}

export function transactionsOn(database: DatabaseSync): Transaction {
  function run<T>(work: () => T): T {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A failed COMMIT (a full disk, say) may have ended the transaction already.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  return async (work) => {
    const result = run(work);
    listeners.get(database)?.();
    return result;
  };
}
