import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Result } from '../../core/result.ts';
import { type Held, stampOf } from './copies.ts';

const HOUR_MS = 3_600_000;
const OWNER_ONLY_DIRECTORY = 0o700;
const NAME = /^herald-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;

/** Backups of a database file in one folder, each named by when it was begun. Times are milliseconds since the epoch. */
export interface Backups {
  readonly folder: string;
  /** The time between two. */
  readonly everyMs: number;
  /** When the newest one up to `now` was made, whole and checked; undefined when there is none. */
  latest(now: number): number | undefined;
  /** Makes one in a thread of its own, also while the file is used, and deletes those that are too many then. */
  take(now: number): Promise<Result<Held, string>>;
}

/** `backup` of herald.yml. */
export interface BackupSettings {
  /** Hours between two. */
  readonly every: number;
  /** How many stay, the newest included. */
  readonly keep: number;
  /** The folder. */
  readonly to: string;
}

/** @param file the database */
export function createBackups(file: string, { every, keep, to: folder }: BackupSettings): Backups {
  return {
    folder,
    everyMs: every * HOUR_MS,
    latest: (now) => finishedIn(folder, now).at(-1)?.at,
    take: async (now) => {
      mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
      const held = await backUpInThread(file, join(folder, `herald-${stampOf(now)}.db`));
      if (held.ok) for (const { name } of finishedIn(folder, now).slice(0, -keep)) rmSync(join(folder, name));
      return held;
    },
  };
}

/**
 * True when twice the time between two has passed: one that fails is tried again long before.
 *
 * @param since when Herald began to make them, for when there is none
 */
export function isOverdue(backups: Pick<Backups, 'latest' | 'everyMs'>, now: number, since: number): boolean {
  return now - (backups.latest(now) ?? since) > 2 * backups.everyMs;
}

async function backUpInThread(file: string, copy: string): Promise<Result<Held, string>> {
  const thread = new Worker(new URL('./backup-thread.ts', import.meta.url), { workerData: { file, copy } });
  // Herald does not wait for it when it stops: the next backup takes away what is unfinished.
  thread.unref();
  const [held] = (await once(thread, 'message')) as [Result<Held, string>];
  return held;
}

/** Oldest first. What a clock that was ahead has named comes when its time does: it is not newer than what is made now. */
function finishedIn(folder: string, now: number) {
  return entriesOf(folder)
    .toSorted()
    .flatMap((name) => {
      const [, day, ...time] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, at: Date.parse(`${day}T${time.join(':')}Z`) }];
    })
    .filter(({ at }) => at <= now);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
