import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../../core/result.ts';
import type { OptOut } from '../../sends/audience.ts';
import { departureOf, sentenceOfDeparture } from '../moving/departure.ts';
import { journaledIn } from '../opt-out-journal.ts';
import { keepOnDisk } from './before-upgrade.ts';
import { giveToOwnerOf, lockFile } from './lock.ts';
import { logOf } from './log.ts';
import { hasTable, migrate } from './migrations.ts';
import { isOwnLog, markerOf, standingOf } from './newest-copy.ts';
import { inASentence, lockDatabaseFile, refusalUnopened, sentenceFor } from './open.ts';
import { refusalOf, refusals } from './refusals.ts';
import { begin, discard, end } from './unfinished.ts';

const OWNER_ONLY_FILE = 0o600;
/** All pages in one step: what is copied is the database of one moment, however much is written meanwhile. */
const ALL_PAGES = 2_147_483_647;

/** How much a copy holds. */
export interface Held {
  readonly sends: number;
  readonly optOuts: number;
}

/** How much was put back, and where the files that lay there before are now. */
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
  if (existsSync(copy)) return fail(refusals.wouldOverwrite(copy));
  // Under its own name stands nothing that is not whole.
  const unfinished = `${copy}.unfinished`;
  const begun = inASentence(copy, () => begin(unfinished));
  if (!begun.ok) return begun;
  const usable = inASentence(file, () => (isIdle(file) ? unopened(file) : ok(undefined)));
  const held = usable.ok ? await copied(file, unfinished, checked) : usable;
  if (held.ok) renameSync(unfinished, copy);
  end(unfinished, begun.value);
  return held;
}

/**
 * Puts a copy in the place of the database, where no Herald may be running. What lay there is moved aside. Until the copy is
 * whole and checked nothing is changed; killed in between, Herald does not start before this is done again. Done by root, it
 * keeps the owner of the database.
 *
 * @param at milliseconds since the epoch
 * @returns what is there now, or one sentence that says why nothing was changed
 */
export async function putBack(path: string, from: string, at: number): Promise<Result<PutBack, string>> {
  const [file, copy] = [resolve(path), resolve(from)];
  if (!existsSync(copy)) return fail(refusals.notThere(copy));
  if (existsSync(file) && realpathSync(file) === realpathSync(copy)) return fail(refusals.isItself(copy));
  return alone(file, async () => {
    const whole = unopened(copy);
    return whole.ok ? exchange(file, copy, at) : whole;
  });
}

/**
 * Lets Herald start on a database that it refused for knowing less than its marker, or for the log of another copy that
 * lies beside it: puts a copy of it in its own place, without log and marker. The next start takes it for a restored one.
 *
 * @param at milliseconds since the epoch
 * @returns what is there now, or one sentence that says why it was not accepted
 */
export function acceptOlder(path: string, at: number): Promise<Result<PutBack, string>> {
  const file = resolve(path);
  return alone(file, async () => {
    // Killed at its very end, a restore or an acceptance leaves nothing but what it was about to put there.
    if (!existsSync(file) && existsSync(preparedFor(file))) renameSync(preparedFor(file), file);
    const isEmpty = !existsSync(file) || statSync(file).size === 0;
    const refusal =
      refusalUnopened(file) ?? (isEmpty ? undefined : refusalOf(reading(file, standingOf), file));
    if (refusal === undefined)
      return fail(existsSync(file) ? refusals.nothingToAccept(file) : refusals.notThere(file));
    if (!isEmpty) return exchange(file, file, at);
    // Herald begins anew.
    return ok({ ...{ sends: 0, optOuts: 0, takenOver: undefined }, aside: setAside(file, at) });
  });
}

/** Does work on a file that no other process has; what is thrown becomes a sentence about it. */
async function alone<Value>(
  file: string,
  work: () => Promise<Result<Value, string>>,
): Promise<Result<Value, string>> {
  const lock = lockDatabaseFile(file);
  if (!lock.ok) return lock;
  try {
    return await work();
  } catch (error) {
    return fail(sentenceFor(error, file));
  } finally {
    lock.value.release();
  }
}

function preparedFor(file: string): string {
  return join(dirname(file), `.${basename(file)}.restoring`);
}

/** Makes a checked copy, and puts it in the place of the database. */
async function exchange(file: string, copy: string, at: number): Promise<Result<PutBack, string>> {
  const prepared = preparedFor(file);
  discard(prepared);
  let takenOver: number | undefined;
  const held = await copied(copy, prepared, (database) => {
    const fit = checked(database, copy);
    if (fit.ok) takenOver = takeOver(database, [optOutsOf(file), journaledIn(dirname(copy))]);
    return fit;
  });
  if (!held.ok) return held;
  giveToOwnerOf(file, prepared);
  return ok({ ...held.value, takenOver, aside: setAside(file, at, prepared) });
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
    return fail(sentenceFor(error, from));
  }
}

/**
 * Read only; without a log of its own it is not even locked, so that a copy on a disk that takes no writes can be read,
 * and the log of another is not merged with it.
 */
export function opened(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  const hasLog = existsSync(logOf(file)) || existsSync(`${file}-journal`);
  if (!hasLog || !isOwnLog(file)) address.searchParams.set('immutable', '1');
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

/** The opt-outs of a database that is replaced; undefined when it cannot be read any more. */
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

/**
 * Moves what lies there aside, and puts what was prepared in its place; the log is the first to go, and never lies beside
 * the copy.
 *
 * @returns where the files that lay there are now
 */
function setAside(file: string, at: number, prepared?: string): string | undefined {
  const aside = existsSync(file) || existsSync(logOf(file)) ? `${file}.before-${stampOf(at)}` : undefined;
  const kept = aside ?? `${file}.before-${stampOf(at)}`;
  moveAside(logOf(file), logOf(kept));
  rmSync(`${file}-shm`, { force: true });
  moveAside(file, kept);
  if (prepared !== undefined) renameSync(prepared, file);
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
