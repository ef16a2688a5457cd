import { accessSync, constants, existsSync, lstatSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { advice, type Finding, wrong } from '../core/finding.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Failure } from '../sends/outcome.ts';
import type { BackupSettings } from '../sends/settings.ts';
import { departureOf, sentenceOfDeparture } from './moving/departure.ts';
import { type Backups, createBackups, isOverdue } from './sqlite/backups.ts';
import { unfitnessOf } from './sqlite/migrations.ts';
import { reading } from './sqlite/newest-copy.ts';
import { inASentence, leadsNowhere, refusalOfKind, refusals, refusalUnopened } from './sqlite/open.ts';

/** Says what is wrong with the database that `DATABASE_URL` names, which is left as it is; of PostgreSQL nothing when `offline`. */
export async function checkDatabase(url: string, offline: boolean): Promise<readonly Finding[]> {
  if (url.startsWith('file:')) return checkFile(url.slice('file:'.length));
  return offline ? [] : (await import('./postgres/check.ts')).checkServer(url);
}

/** As `checkDatabase`, and whether a file is whole, which takes long for a large one: for doctor only. */
export async function examineDatabase(url: string, offline: boolean): Promise<readonly Finding[]> {
  const found = await checkDatabase(url, offline);
  const isSound = found.every(({ weight }) => weight !== 'wrong');
  return url.startsWith('file:') && isSound ? [...found, ...checkWhole(url.slice('file:'.length))] : found;
}

/** Says what the disk of the file has left, in bytes; undefined for a server, and where it cannot be seen. */
export function freeBytes(url: string): number | undefined {
  return url.startsWith('file:') ? freeOn(url.slice('file:'.length)) : undefined;
}

/** Says which database `DATABASE_URL` names, without its password, and whether it is there yet. */
export function nameOf(url: string): string {
  if (!url.startsWith('file:')) {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  }
  const file = resolve(url.slice('file:'.length));
  return existsSync(file) ? file : `${file}, which the start will make`;
}

/** Slack users whose number is on file in the database that `DATABASE_URL` names; undefined where it cannot be read. */
export async function usersOnFile(url: string): Promise<ReadonlySet<string> | undefined> {
  const rows = await rowsOf(url, 'SELECT user_id FROM alert_numbers');
  return rows && new Set(rows.map((row) => String(row.user_id)));
}

/**
 * The latest webhooks that are kept whole and are short, answers that were not understood, and whether anything was ever sent;
 * undefined where it cannot be read.
 */
export async function latestReceived(url: string) {
  const rows = await rowsOf(url, LATEST_WEBHOOKS);
  const answers = (await rowsOf(url, LATEST_ANSWERS))?.map(({ failure, times, at }) => {
    const shape = JSON.parse((JSON.parse(String(failure)) as Failure).shape ?? '{}') as object;
    return { last: new Date(Number(at)), times: Number(times), ...shape };
  });
  const sends = await rowsOf(url, 'SELECT 1 FROM sends LIMIT 1');
  const webhooks = rows?.map(({ received_at: at, content_type: type, body }) => ({
    at: Number(at),
    body: { ...(typeof type === 'string' && { contentType: type }), bytes: body as Uint8Array },
  }));
  return webhooks && answers && sends && { webhooks, answers, isTried: sends.length > 0 };
}

/** Few and short ones: a Herald that works reads them for whoever asks for its status. */
const LATEST_WEBHOOKS = `SELECT received_at, content_type, body FROM webhooks
  WHERE removed = 0 AND length(body) <= 8192 ORDER BY received_at DESC LIMIT 200`;

/** Reads answers that were not understood, of the latest sends with an unknown recipient. */
const LATEST_ANSWERS = `SELECT failure, count(*) AS times, max(settled_at) AS at FROM recipients
  WHERE state = 'unknown' AND failure LIKE '%"shape":%' AND send_id IN (SELECT id FROM sends WHERE id IN
    (SELECT send_id FROM send_failures WHERE state = 'unknown') ORDER BY created_at DESC LIMIT 20)
  GROUP BY failure ORDER BY at DESC LIMIT 20`;

/** Asks the database beside a Herald that may be running on it; undefined where it does not answer. */
async function rowsOf(url: string, statement: string) {
  try {
    const rows = url.startsWith('file:')
      ? reading(resolve(url.slice('file:'.length)), (file) => file.prepare(statement).all())
      : await (await import('./postgres/check.ts')).rowsOnServer(url, statement);
    return rows as readonly Readonly<Record<string, unknown>>[];
  } catch {
    return undefined;
  }
}

/** The backups that Herald makes of the database that `DATABASE_URL` names; undefined when it makes none. */
export function backupsOf(url: string, settings: BackupSettings | undefined): Backups | undefined {
  if (settings === undefined || !url.startsWith('file:')) return undefined;
  return createBackups(url.slice('file:'.length), settings);
}

export function checkBackups(
  url: string,
  settings: BackupSettings | undefined,
  now: number,
): readonly Finding[] {
  const backups = backupsOf(url, settings);
  const noBackups = 'Herald makes no backups of its database.';
  if (settings === undefined)
    return url.startsWith('file:')
      ? [advice(noBackups, 'Set backup in herald.yml, to a folder on another disk.')]
      : [];
  if (backups === undefined)
    return [
      advice('backup in herald.yml is for a database file.', 'Take it out, and use the tools of PostgreSQL.'),
    ];
  const folder = nearestFolder(resolve(settings.to));
  if (!mayWrite(`${folder}/.`))
    return [unwritable(folder, `the folder of backups ${resolve(settings.to)}`, 'another one in backup.to')];
  if (realOf(resolve(settings.to)) === realOf(dirname(resolve(url.slice('file:'.length)))))
    return [
      advice(
        `Backups lie in the folder of the database itself, ${folder}: what destroys the one destroys the other.`,
        'Name a folder on another disk in backup.to.',
      ),
    ];
  const latest = backups.latest(now);
  if (latest === undefined || !isOverdue(backups, now, now)) return [];
  return [
    wrong(
      `The newest backup in ${folder} is of ${new Date(latest).toISOString()}.`,
      'Look in Herald’s log for why there is no newer one, or run node dist/main.js backup PATH.',
    ),
  ];
}

/** A send to a million takes several hundred megabytes; with less than the second Herald soon stops sending. */
const ROOM_BYTES = 2 * 1024 ** 3;
const LEAST_BYTES = 200 * 1024 ** 2;

/** Says what is wrong with the place of a database file. Opens and changes nothing, so a Herald may be running on it. */
function checkFile(path: string): readonly Finding[] {
  const file = resolve(path);
  const folder = nearestFolder(dirname(file));
  if (!mayWrite(`${folder}/.`)) return [unwritable(folder, `the folder ${folder}`)];
  if (existsSync(file) && !mayWrite(file)) return [unwritable(file)];
  const refusal = refusalOfKind(file) ?? refusalUnopened(file);
  return [...(refusal === undefined ? [] : [wrong(refusal, SEE_ABOVE)]), ...roomOn(file)];
}

/**
 * Whether a database file is one that this version starts on, and whole. Reads all of it, at a second or two for each GB: not for a Herald that works.
 * Another one may be running on it.
 */
function checkWhole(path: string): readonly Finding[] {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile() || statSync(file).size === 0) return [];
  const looked = inASentence(file, () => reading(file, isSound));
  return looked.ok ? [] : [wrong(looked.error, SEE_ABOVE)];
}

function isSound(database: DatabaseSync, file: string): Result<undefined, string> {
  const unfit = unfitnessOf(database);
  if (unfit !== undefined) return fail(refusals[unfit](file));
  const departure = departureOf(database);
  if (departure !== undefined) return fail(sentenceOfDeparture(file, departure));
  const found = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  return found === 'ok' ? ok(undefined) : fail(refusals.damaged(file, String(found)));
}

const SEE_ABOVE = 'Do what this sentence says; until then Herald does not start.';

function unwritable(path: string, name = path, other = 'another file in DATABASE_URL'): Finding {
  const what = existsSync(path) ? `The user who runs this may not write to ${name}` : leadsNowhere(path);
  return wrong(`${what}.`, `Put that right, or name ${other}.`);
}

/** Folders that are not there yet are made at the start; a link to none is there. */
function nearestFolder(folder: string): string {
  const above = dirname(folder);
  const isThere = existsSync(`${above}/.`) && lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || folder === above ? folder : nearestFolder(above);
}

/** Whatever links lead there, and also of one that is not there yet. */
function realOf(folder: string): string {
  const nearest = nearestFolder(folder);
  return join(realpathSync(nearest), relative(nearest, folder));
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    // Of the types of /proc and /sys: root has the right to write there, and cannot.
    return ![0x9fa0, 0x62656572].includes(statfsSync(path).type);
  } catch {
    return false;
  }
}

function freeOn(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearestFolder(dirname(resolve(file))));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function roomOn(file: string): readonly Finding[] {
  const free = freeOn(file) ?? ROOM_BYTES;
  if (free >= ROOM_BYTES) return [];
  const weigh = free < LEAST_BYTES ? wrong : advice;
  return [
    weigh(
      `The disk of the database has ${Math.floor(free / 1024 ** 2)} MB left.`,
      `Make room on the disk of ${dirname(file)}.`,
    ),
  ];
}
