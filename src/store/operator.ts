import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../core/result.ts';
import type { Surroundings } from '../core/surroundings.ts';
import type { OptOut } from '../sends/audience.ts';
import { OPT_OUTS, optOutMethods } from './audience-store.ts';
import { UNOBSERVED } from './observer.ts';
import type { Database } from './sql.ts';
import { opened, optOutsOf } from './sqlite/copies.ts';
import { sqliteDatabase } from './sqlite/database.ts';
import { inASentence, openDatabase } from './sqlite/open.ts';
import { refusals } from './sqlite/refusals.ts';

export interface OperatorsDatabase extends Database {
  close(): Promise<void>;
}

/**
 * Opens what `DATABASE_URL` names for a command of the operator: a file that no Herald has open, or PostgreSQL, where
 * replicas may be at work meanwhile.
 *
 * @returns the database, or one sentence that says what is wrong and what to do
 */
export async function openForOperator(
  url: string,
  surroundings: Surroundings,
): Promise<Result<OperatorsDatabase, string>> {
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length);
    if (!existsSync(path)) return fail(refusals.notThere(path));
    const file = openDatabase(path);
    if (!file.ok) return file;
    // What is removed here is overwritten in the file.
    file.value.exec('PRAGMA secure_delete = ON');
    return ok({ ...sqliteDatabase(file.value), close: async () => file.value.close() });
  }
  const { createDatabase } = await import('./postgres/database.ts');
  const { prepareDatabase } = await import('./postgres/open.ts');
  const database = createDatabase(url, surroundings.logger, { observer: UNOBSERVED, ...surroundings });
  const prepared = await prepareDatabase(url, database);
  if (prepared.ok) return ok(database);
  await database.close();
  return prepared;
}

/** The same for whoever only reads: a Herald may have the file open meanwhile. */
export async function openToRead(
  url: string,
  surroundings: Surroundings,
): Promise<Result<OperatorsDatabase, string>> {
  if (!url.startsWith('file:')) return openForOperator(url, surroundings);
  const path = url.slice('file:'.length);
  if (!existsSync(path)) return fail(refusals.notThere(path));
  return inASentence(path, () => {
    const file = opened(path);
    return ok({ ...sqliteDatabase(file), close: async () => file.close() });
  });
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
  const found = await optOutsAt(from, surroundings);
  if (!found.ok) return found;
  const target = await openForOperator(to, surroundings);
  if (!target.ok) return target;
  const added = await optOutMethods(target.value).optOut(found.value);
  await target.value.close();
  return ok(added);
}

async function optOutsAt(
  url: string,
  surroundings: Surroundings,
): Promise<Result<readonly OptOut[], string>> {
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length);
    if (!existsSync(path)) return fail(refusals.notThere(path));
    const optOuts = optOutsOf(path);
    return optOuts === undefined ? fail(`The opt-outs of ${path} cannot be read.`) : ok(optOuts);
  }
  const { createDatabase } = await import('./postgres/database.ts');
  const { placeOf, reasonOf } = await import('./postgres/open.ts');
  const database = createDatabase(url, surroundings.logger, { observer: UNOBSERVED, ...surroundings });
  try {
    return ok(await database.run<OptOut>(OPT_OUTS));
  } catch (error) {
    return fail(`The opt-outs of ${placeOf(url)} cannot be read: ${reasonOf(error)}`);
  } finally {
    await database.close();
  }
}
