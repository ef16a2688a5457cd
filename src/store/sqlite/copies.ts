import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../../core/result.ts';
import type { OptOut } from '../../sends/audience.ts';
import { departureOf, sentenceOfDeparture } from '../moving/departure.ts';
import { journaledIn } from '../opt-out-journal.ts';
import { keepOnDisk } from './before-upgrade.ts';
import { lockFile } from './lock.ts';
import { logOf } from './log.ts';
import { hasTable, migrate, schemaVersionOf } from './migrations.ts';
import { isOwnLog, markerOf, standingOf } from './newest-copy.ts';
import { inASentence, lockDatabaseFile, openLocked, refusalUnopened } from './open.ts';
import { refusalOf, refusals } from './refusals.ts';

const OWNER_ONLY_FILE = 0o600;
/** All pages in one step: what is copied is the database of one moment, however much is written meanwhile. */
const ALL_PAGES = 2_147_483_647;

/** What a copy holds. */
export interface Held {
  readonly sends: number;
  readonly optOuts: number;
}

/** What was put back, and where what lay there before is now. */
export interface PutBack extends Held {
  /**
   * Opt-outs that the copy did not know, taken over from the database it replaced and from the journal beside the copy;
   * undefined when there was none of the two to read.
   */
  readonly takenOver: number | undefined;
  readonly aside: string | undefined;
}

/**
 * Makes a whole and checked copy of the database in one new file, for its owner only, whether or not a Herald is using the
 * database. Put in the place of the database, it passes for a restored one.
 *
 * @returns what it holds, or one sentence that says why there is no copy
 */
export async function backUp(path: string, to: string): Promise<Result<Held, string>> {
  const [file, copy] = [resolve(path), resolve(to)];
  if (!existsSync(file)) return fail(refusals.notThere(file));
  // Under its own name stands nothing that is not whole.
  const unfinished = `${copy}.unfinished`;
  const inTheWay = [copy, unfinished].find((one) => existsSync(one));
  if (inTheWay !== undefined) return fail(refusals.wouldOverwrite(inTheWay));
  const usable = inASentence(file, () => (isIdle(file) ? unopened(file) : ok(undefined)));
  const held = usable.ok ? await copied(file, unfinished, checked) : usable;
  if (held.ok) renameSync(unfinished, copy);
  return held;
}

/**
 * Puts a copy in the place of the database, where no Herald may be running. What lay there is moved aside. Until the copy is
 * whole and checked nothing is changed; killed in between, Herald does not start before this is done again.
 *
 * @param at milliseconds since the epoch
 * @returns what is there now, or one sentence that says why nothing was changed
 */
export async function putBack(path: string, from: string, at: number): Promise<Result<PutBack, string>> {
  const [file, copy] = [resolve(path), resolve(from)];
  if (!existsSync(copy)) return fail(refusals.notThere(copy));
  if (existsSync(file) && realpathSync(file) === realpathSync(copy)) return fail(refusals.isItself(copy));
  const lock = lockDatabaseFile(file);
  if (!lock.ok) return lock;
  try {
    const whole = inASentence(copy, () => unopened(copy));
    if (!whole.ok) return whole;
    const prepared = join(dirname(file), `.${basename(file)}.restoring`);
    discard(prepared);
    let takenOver: number | undefined;
    const held = await copied(copy, prepared, (database) => {
      const fit = checked(database, copy);
      if (fit.ok) takenOver = takeOver(database, [optOutsOf(file), journaledIn(dirname(copy))]);
      return fit;
    });
    if (!held.ok) return held;
    return inASentence(file, () => ok({ ...held.value, takenOver, aside: replace(file, prepared, at) }));
  } finally {
    lock.value.release();
  }
}

/**
 * Lets Herald start on a database that it refused for knowing less than its marker, or for the log of another copy that
 * lies beside it. Marker and log are moved aside. The next start takes the database for a restored one.
 *
 * @param at milliseconds since the epoch
 * @returns what the database holds, or one sentence that says why it was not accepted
 */
export function acceptOlder(path: string, at: number): Result<Held, string> {
  const file = resolve(path);
  const lock = lockDatabaseFile(file);
  if (!lock.ok) return lock;
  const accepted = inASentence(file, () => {
    const unopened = refusalUnopened(file);
    if (unopened === undefined && !existsSync(file)) return fail(refusals.notThere(file));
    const refusal = unopened ?? refusalOf(reading(file, standingOf), file);
    if (refusal === undefined) return fail(refusals.nothingToAccept(file));
    const aside = `${file}.set-aside-${stampOf(at)}`;
    if (!isOwnLog(file)) moveAside(logOf(file), logOf(aside));
    moveAside(markerOf(file), markerOf(aside));
    return openLocked(file, lock.value, (database) => {
      if (schemaVersionOf(database) === 0) migrate(database);
      return checked(database, file);
    });
  });
  if (!accepted.ok) lock.value.release();
  if (!accepted.ok) return accepted;
  const held = heldBy(accepted.value);
  accepted.value.close();
  return ok(held);
}

function isIdle(file: string): boolean {
  const lock = lockFile(file);
  lock?.release();
  return lock !== undefined;
}

/** Only beside another copy's log: an empty or older database may be read by whoever wants a copy of it. */
function unopened(file: string): Result<undefined, string> {
  if (!statSync(file).isFile()) return fail(refusals.notAFile(file));
  return isOwnLog(file) ? ok(undefined) : fail(refusals.logOfAnother(file));
}

type Check = (database: DatabaseSync, file: string) => Result<undefined, string>;

/** Copies into a file that must not be there yet; when the check fails, it is gone again. */
async function copied(from: string, to: string, check: Check): Promise<Result<Held, string>> {
  try {
    closeSync(openSync(to, 'wx', OWNER_ONLY_FILE));
    const source = opened(from);
    await backup(source, to, { rate: ALL_PAGES }).finally(() => source.close());
    const database = new DatabaseSync(to);
    try {
      const fit = check(database, from);
      if (!fit.ok) {
        discard(to);
        return fit;
      }
      const held = heldBy(database);
      // One file, without a log beside it that could be forgotten.
      database.exec('PRAGMA journal_mode = DELETE');
      return ok(held);
    } finally {
      database.close();
    }
  } catch (error) {
    discard(to);
    return inASentence(from, () => {
      throw error;
    });
  }
}

function discard(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${suffix}`, { force: true });
}

/** Read only; without a log it is not even locked, so that a copy on a disk that takes no writes can be read. */
export function opened(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  if (!existsSync(logOf(file)) && !existsSync(`${file}-journal`)) address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true });
}

function reading<Value>(file: string, read: (database: DatabaseSync, file: string) => Value): Value {
  const database = opened(file);
  try {
    return read(database, file);
  } finally {
    database.close();
  }
}

/** A database of Herald that is whole, brought to this version, and known as a copy from now on. */
function checked(database: DatabaseSync, file: string): Result<undefined, string> {
  if (!hasTable(database, 'send_events')) return fail(refusals.notHeralds(file));
  const departure = departureOf(database);
  if (departure !== undefined) return fail(sentenceOfDeparture(file, departure));
  const found = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') return fail(refusals.damaged(file, String(found)));
  const unfit = migrate(database);
  if (unfit !== undefined) return fail(refusals[unfit](file));
  database.exec('UPDATE newest_copy SET marked = 1');
  return ok(undefined);
}

function heldBy(database: DatabaseSync): Held {
  const counts = database
    .prepare('SELECT (SELECT count(*) FROM sends) AS sends, (SELECT count(*) FROM opt_outs) AS optOuts')
    .get();
  return { sends: Number(counts?.sends), optOuts: Number(counts?.optOuts) };
}

/** Of a database that is replaced; undefined when it cannot be read any more. */
export function optOutsOf(replaced: string): readonly OptOut[] | undefined {
  if (!existsSync(replaced)) return existsSync(markerOf(replaced)) ? undefined : [];
  if (!isOwnLog(replaced)) return undefined;
  try {
    const read = (database: DatabaseSync) =>
      database.prepare('SELECT number, at, actor, source FROM opt_outs').all();
    return reading(replaced, read) as unknown as readonly OptOut[];
  } catch {
    return undefined;
  }
}

/** Nobody who has asked to be left alone since the copy was made is forgotten. */
function takeOver(copy: DatabaseSync, found: readonly (readonly OptOut[] | undefined)[]): number | undefined {
  const known = found.filter((optOuts) => optOuts !== undefined);
  if (known.length === 0) return undefined;
  const add = copy.prepare(
    'INSERT INTO opt_outs (number, at, actor, source) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  copy.exec('BEGIN');
  const added = known
    .flat()
    .reduce(
      (count, { number, at, actor, source }) => count + Number(add.run(number, at, actor, source).changes),
      0,
    );
  copy.exec('COMMIT');
  return added;
}

/** @returns where the files that lay there are now; the log is the first to go, and never lies beside the copy */
function replace(file: string, prepared: string, at: number): string | undefined {
  const aside = existsSync(file) || existsSync(logOf(file)) ? `${file}.before-${stampOf(at)}` : undefined;
  const kept = aside ?? `${file}.before-${stampOf(at)}`;
  moveAside(logOf(file), logOf(kept));
  rmSync(`${file}-shm`, { force: true });
  moveAside(file, kept);
  renameSync(prepared, file);
  // Last: beside the marker of a fuller database Herald would not start, and from here on it may.
  moveAside(markerOf(file), markerOf(kept));
  keepOnDisk(dirname(file));
  return aside;
}

function moveAside(file: string, to: string): void {
  if (existsSync(file)) renameSync(file, to);
}

/** For a file's name, on every system. */
export function stampOf(at: number): string {
  return new Date(at).toISOString().replaceAll(':', '-').replace(/\..*/, 'Z');
}
