import { existsSync, statSync } from 'node:fs';
import type { Random } from '../core/random.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { createPseudonym } from '../messages/numbers/pseudonym.ts';
import type { OptOut } from '../sends/audience.ts';
import { createNotes } from '../sends/notes.ts';
import { createTimers } from '../sends/tasks.ts';
import { OPT_OUTS, optOutMethods } from './audience-store.ts';
import type { Database } from './sql.ts';
import { sqliteDatabase } from './sqlite/database.ts';
import { openSqliteStores } from './sqlite/in-thread.ts';
import { opened } from './sqlite/newest-copy.ts';
import { inASentence, openDatabase, refusalOfKind, refusals, sentenceFor } from './sqlite/open.ts';
import { type DatabaseObserver, type Stores, UNOBSERVED } from './stores.ts';

interface StoreSurroundings extends Surroundings {
  readonly random: Random;
  readonly observer: DatabaseObserver;
  /** The key of the names that stand for removed numbers; absent where no numbers are removed. */
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
  const { logger, pseudonymKey } = surroundings;
  if (!url.startsWith('file:')) {
    // Imported when it is asked for: its driver takes as long to read as all stores on a file.
    const { openPostgresStores } = await import('./postgres/stores.ts');
    const pseudonym = pseudonymKey === undefined ? undefined : createPseudonym(pseudonymKey);
    return openPostgresStores(url, { ...surroundings, pseudonym });
  }
  const path = url.slice('file:'.length);
  const upgraded = (copy: string) =>
    logger.info({ copy }, 'the database was brought up to date; as it was before, it is kept here');
  const opened = await openSqliteStores(path, upgraded, surroundings, pseudonymKey);
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

/**
 * Opens what `DATABASE_URL` names for a command of the operator: a file that no Herald has open, or PostgreSQL, where
 * replicas may be at work meanwhile.
 *
 * @param isRead it is only read: a Herald may have the file open meanwhile
 * @returns the database, or one sentence that says what is wrong and what to do
 */
export async function openForOperator(
  url: string,
  surroundings: Surroundings,
  isRead = false,
): Promise<Result<Database & { close(): Promise<void> }, string>> {
  if (!url.startsWith('file:')) {
    const { prepareDatabase } = await import('./postgres/open.ts');
    const database = await connectTo(url, surroundings);
    const prepared = await prepareDatabase(url, database);
    if (prepared.ok) return ok(database);
    await database.close();
    return prepared;
  }
  const path = url.slice('file:'.length);
  const refusal = existsSync(path) ? refusalOfKind(path) : refusals.notThere(path);
  if (refusal !== undefined) return fail(refusal);
  return inASentence(path, () => {
    const file = isRead ? ok(opened(path)) : openDatabase(path);
    if (!file.ok) return file;
    // What is removed here is overwritten in the file.
    if (!isRead) file.value.exec('PRAGMA secure_delete = ON');
    return ok({ ...sqliteDatabase(file.value), close: async () => file.value.close() });
  });
}

async function connectTo(url: string, surroundings: Surroundings) {
  const { createDatabase } = await import('./postgres/database.ts');
  return createDatabase(url, surroundings.logger, { observer: UNOBSERVED, ...surroundings });
}

/**
 * Adds to one database who is on the opt-out list of another, which is left as it is.
 *
 * @returns how many were new, or one sentence that says which of the two cannot be used
 */
export async function takeOverOptOuts(
  from: string,
  to: string,
  surroundings: Surroundings,
): Promise<Result<number, string>> {
  const isFile = from.startsWith('file:');
  const source = isFile
    ? await openForOperator(from, surroundings, true)
    : ok(await connectTo(from, surroundings));
  if (!source.ok) return source;
  const reading = source.value.run<OptOut>(OPT_OUTS).finally(source.value.close);
  const found = await reading.catch((error: unknown) => ({ error }));
  if ('error' in found) {
    if (isFile) return fail(sentenceFor(found.error, from.slice('file:'.length)));
    const { placeOf, reasonOf } = await import('./postgres/open.ts');
    return fail(`The opt-outs of ${placeOf(from)} cannot be read: ${reasonOf(found.error)}`);
  }
  const target = await openForOperator(to, surroundings);
  if (!target.ok) return target;
  const added = await optOutMethods(target.value).optOut(found);
  await target.value.close();
  return ok(added);
}
