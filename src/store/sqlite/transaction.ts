import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` as one durable transaction; an error inside rolls everything back and is thrown on. */
export type Transaction = <T>(work: () => T) => Promise<T>;

export function transactionsOn(database: DatabaseSync): Transaction {
  return async (work) => {
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
  };
}
