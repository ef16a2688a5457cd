import type { DatabaseSync } from 'node:sqlite';
import { afterEach } from 'vitest';
import type { Result } from '../../src/core/result.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory } from '../../src/store/stores.ts';
import { ownFolder } from '../folder.ts';
import { oneSend } from './steps.ts';

export function openedFile(path: string): DatabaseSync {
  const database = openDatabase(path);
  if (!database.ok) throw new Error(database.error);
  return database.value;
}

/** Says why something was not done; undefined when it was. */
export async function refusalOf(asked: Promise<Result<unknown, string>>): Promise<string | undefined> {
  const done = await asked;
  return done.ok ? undefined : done.error;
}

/** Each test has a folder of its own, in which one Herald at a time has a database file open. */
export function fileSetting() {
  const at = ownFolder();
  let stores: Memory | undefined;

  async function stop(): Promise<void> {
    await stores?.sends.close();
    stores = undefined;
  }

  afterEach(stop);
  return {
    at,
    folder: () => at(),
    file: () => at('herald.db'),
    /** Opens the file, which is closed after the test at the latest. */
    start: (name = 'herald.db'): Memory => {
      stores = createSqliteStores(openedFile(at(name)));
      return stores;
    },
    stop,
    /** Opens the file anew, as the next process does. */
    reopen: async (): Promise<Memory> => {
      await stop();
      stores = createSqliteStores(openedFile(at('herald.db')));
      return stores;
    },
    /** Says why the file is not opened; undefined when it is. */
    refusal: (name = 'herald.db'): string | undefined => {
      const database = openDatabase(at(name));
      if (!database.ok) return database.error;
      database.value.close();
      return undefined;
    },
    addSend: async (id: string): Promise<void> => {
      await stores?.sends.create(oneSend(id));
    },
  };
}
