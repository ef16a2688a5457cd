import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';

/** The real stores of a process, on a database in memory. @param database what an earlier process has left */
export function openMemoryStores(database = openMemoryDatabase()) {
  return { ...createSqliteStores(database), database };
}

function openMemoryDatabase(): DatabaseSync {
  const opened = openDatabase(':memory:');
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}
