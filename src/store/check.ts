import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { advice, type Finding, wrong } from '../core/finding.ts';
import { type BackupSettings, type Backups, createBackups, isOverdue } from './sqlite/backups.ts';
import {
  checkFile,
  checkWhole,
  freeOn,
  mayWrite,
  nearestFolder,
  unwritable,
  usersInFile,
} from './sqlite/check.ts';

/** What is wrong with the database that `DATABASE_URL` names, which is left as it is; of PostgreSQL nothing when `offline`. */
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

/** What the disk of the file has left, in bytes; undefined for a server, and where it cannot be seen. */
export function freeBytes(url: string): number | undefined {
  return url.startsWith('file:') ? freeOn(url.slice('file:'.length)) : undefined;
}

/** Which database `DATABASE_URL` names, without its password, and whether it is there yet. */
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
  try {
    const rows = url.startsWith('file:')
      ? usersInFile(url.slice('file:'.length))
      : await (await import('./postgres/check.ts')).usersOnServer(url);
    return new Set(rows.map((row) => String((row as { user_id: string }).user_id)));
  } catch {
    return undefined;
  }
}

/** The backups that Herald makes of the database that `DATABASE_URL` names; undefined when it makes none. */
export function backupsOf(url: string, settings: BackupSettings | undefined): Backups | undefined {
  if (settings === undefined || !url.startsWith('file:')) return undefined;
  return createBackups(url.slice('file:'.length), settings);
}

/** What is wrong with the backups that Herald is to make. */
export function checkBackups(
  url: string,
  settings: BackupSettings | undefined,
  now: number,
): readonly Finding[] {
  const backups = backupsOf(url, settings);
  if (settings === undefined)
    return url.startsWith('file:')
      ? [
          advice(
            'Herald makes no backups of its database.',
            'Set backup in herald.yml, to a folder on another disk.',
          ),
        ]
      : [];
  if (backups === undefined)
    return [
      advice('backup in herald.yml is for a database file.', 'Take it out, and use the tools of PostgreSQL.'),
    ];
  const folder = nearestFolder(resolve(settings.to));
  if (!mayWrite(`${folder}/.`))
    return [unwritable(`the folder of backups ${folder}`, 'name another one in backup.to')];
  if (folder === dirname(resolve(url.slice('file:'.length))))
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
