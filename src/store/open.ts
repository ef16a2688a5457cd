import { statSync } from 'node:fs';
import type { Random } from '../core/random.ts';
import { ok, type Result } from '../core/result.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { createPseudonym } from '../messages/numbers/pseudonym.ts';
import { createNotes } from '../sends/notes.ts';
import { createTimers } from '../sends/tasks.ts';
import type { DatabaseObserver } from './observer.ts';
import { openSqliteStores } from './sqlite/in-thread.ts';
import type { Stores } from './stores.ts';

interface StoreSurroundings extends Surroundings {
  readonly random: Random;
  readonly observer: DatabaseObserver;
  /** Of the names that stand for numbers that were removed; absent where none are. */
  readonly pseudonymKey?: string | undefined;
}

/**
 * Opens what `DATABASE_URL` names: a file for this process alone, or a PostgreSQL database that it shares with others.
 *
 * @returns every store, or one sentence that says what is wrong and what to do
 */
export async function openStores(
  url: string,
  surroundings: StoreSurroundings,
): Promise<Result<Stores, string>> {
  if (url.startsWith('file:')) return openAlone(url.slice('file:'.length), surroundings);
  // Imported when it is asked for: its driver takes as long to read as all stores on a file.
  const { openPostgresStores } = await import('./postgres/stores.ts');
  const { pseudonymKey } = surroundings;
  const pseudonym = pseudonymKey === undefined ? undefined : createPseudonym(pseudonymKey);
  return openPostgresStores(url, { ...surroundings, pseudonym });
}

async function openAlone(path: string, surroundings: StoreSurroundings): Promise<Result<Stores, string>> {
  const upgraded = (copy: string) =>
    surroundings.logger.info(
      { copy },
      'the database was brought up to date; as it was before, it is kept here',
    );
  const opened = await openSqliteStores(path, upgraded, surroundings, surroundings.pseudonymKey);
  if (!opened.ok) return opened;
  return ok({
    ...opened.value,
    tasks: createTimers(surroundings),
    notes: createNotes(surroundings.clock),
    bytes: () => ({ file: sizeOf(path), log: sizeOf(`${path}-wal`) }),
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
