import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../core/result.ts';
import type { OptOut } from '../../sends/audience.ts';
import { OPT_OUTS, optOutMethods } from '../audience-store.ts';
import { journaledIn } from '../opt-out-journal.ts';
import { copied, discard, type Held, stampOf, unfinishedIn } from './backups.ts';
import { sqliteDatabase } from './database.ts';
import { isBehind, keepOnDisk } from './migrations.ts';
import { isOwnLog, logOf, markerOf, reading, standingOf } from './newest-copy.ts';
import { giveToOwnerOf, locked, refusals, refusalUnopened } from './open.ts';

export interface PutBack extends Held {
  /**
   * Opt-outs that the copy did not know, taken over from the database it replaced and from the journal beside the copy;
   * undefined when there was none of the two to read.
   */
  readonly takenOver: number | undefined;
  /** The files that lay there before have this name now. */
  readonly aside: string | undefined;
}

/**
 * Puts a copy in the place of the database, where no Herald may be running. What lay there is moved aside. Until the copy is
 * whole and checked nothing is changed; killed in between, Herald does not start before this is done again. Done by root, it
 * keeps the owner of the database.
 *
 * @param at milliseconds since the epoch; absent for a rehearsal, which needs the room and gives it back, may be done while a
 *   Herald is running, and puts nothing there
 * @returns what is there now, or one sentence that says why nothing was changed
 */
export async function putBack(path: string, from: string, at?: number): Promise<Result<PutBack, string>> {
  const [file, copy] = [resolve(path), resolve(from)];
  if (!existsSync(copy)) return fail(refusals.notThere(copy));
  if (!statSync(copy).isFile()) return fail(refusals.notAFile(copy));
  if (existsSync(file) && realpathSync(file) === realpathSync(copy)) return fail(refusals.isItself(copy));
  if (!isOwnLog(copy)) return fail(refusals.logOfAnother(copy));
  if (at === undefined) return unfinishedIn(dirname(file), (unfinished) => prepare(file, copy, unfinished));
  return locked(file, () => exchange(file, copy, at));
}

/** Whether a copy is of a version before this one, to which it is brought when it is put back. */
export function isOfEarlier(copy: string): boolean {
  try {
    return reading(resolve(copy), isBehind);
  } catch {
    // What is wrong with it is said when it is put back.
    return false;
  }
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
  return locked(file, async () => {
    // Killed at its very end, a restore or an acceptance leaves nothing but what it was about to put there.
    if (!existsSync(file) && existsSync(preparedFor(file))) renameSync(preparedFor(file), file);
    const isEmpty = !existsSync(file) || statSync(file).size === 0;
    const isRefused = refusalUnopened(file) ?? (!isEmpty && reading(file, standingOf) === 'older');
    if (!isRefused) return fail(existsSync(file) ? refusals.nothingToAccept(file) : refusals.notThere(file));
    if (!isEmpty) return exchange(file, file, at);
    // Herald begins anew.
    return ok({ sends: 0, optOuts: 0, takenOver: undefined, aside: setAside(file, at) });
  });
}

function preparedFor(file: string): string {
  return join(dirname(file), `.${basename(file)}.restoring`);
}

/** Makes a checked copy, and puts it in the place of the database. */
async function exchange(file: string, copy: string, at: number): Promise<Result<PutBack, string>> {
  const prepared = preparedFor(file);
  discard(prepared);
  const held = await prepare(file, copy, prepared);
  if (!held.ok) return held;
  giveToOwnerOf(file, prepared);
  return ok({ ...held.value, aside: setAside(file, at, prepared) });
}

/** Nobody who has asked to be left alone since the copy was made is forgotten. */
async function prepare(file: string, copy: string, to: string): Promise<Result<PutBack, string>> {
  let takenOver: number | undefined;
  const held = await copied(copy, to, async (database) => {
    const known = [optOutsOf(file), journaledIn(dirname(copy))].filter((optOuts) => optOuts !== undefined);
    if (known.length > 0) takenOver = await optOutMethods(sqliteDatabase(database)).optOut(known.flat());
  });
  return held.ok ? ok({ ...held.value, takenOver, aside: undefined }) : held;
}

/** The opt-outs of a database that is replaced; undefined when it is not there, or cannot be read any more. */
function optOutsOf(replaced: string): readonly OptOut[] | undefined {
  if (!existsSync(replaced) || !isOwnLog(replaced)) return undefined;
  try {
    return reading(replaced, (file) => file.prepare(OPT_OUTS).all()) as unknown as readonly OptOut[];
  } catch {
    return undefined;
  }
}

/**
 * Moves what lies there aside, and puts what was prepared in its place; the log is the first to go, and never lies beside
 * the copy.
 *
 * @returns where the files that lay there are now
 */
function setAside(file: string, at: number, prepared?: string): string | undefined {
  const aside = asideOf(file, at);
  const isThere = existsSync(file) || existsSync(logOf(file));
  moveAside(logOf(file), logOf(aside));
  rmSync(`${file}-shm`, { force: true });
  moveAside(file, aside);
  if (prepared !== undefined) renameSync(prepared, file);
  // Last: beside the marker of a fuller database Herald would not start, and from here on it may.
  moveAside(markerOf(file), markerOf(aside));
  keepOnDisk(dirname(file));
  return isThere ? aside : undefined;
}

/** A name under which nothing lies: of two restores in one second each keeps what it replaced. */
function asideOf(file: string, at: number): string {
  const first = `${file}.before-${stampOf(at)}`;
  let aside = first;
  for (let next = 2; [aside, logOf(aside), markerOf(aside)].some((one) => existsSync(one)); next += 1)
    aside = `${first}-${next}`;
  return aside;
}

function moveAside(file: string, to: string): void {
  if (existsSync(file)) renameSync(file, to);
}
