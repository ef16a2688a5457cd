import type { StoppableSurroundings } from '../core/surroundings.ts';
import { createBackgroundWork } from './background-work.ts';
import type { Notes } from './notes.ts';
import type { Lease } from './sharing.ts';
import type { StoreTrouble } from './store-trouble.ts';

const LOOK_EVERY_MS = 10_000;
/** A problem that comes and goes is one: it is over when it was not seen so many times in a row. */
const FINE_AFTER = 3;
/** Trouble of the database that is over sooner is told of by nobody. */
const TROUBLE_AFTER_MS = 30_000;
/** Whoever began to tell something and has not told it after this is not waited for. */
const TELLING_MS = 60_000;

/** What is told to whoever runs Herald: that something needs a person, and that it is over. */
export interface Notice {
  readonly name: string;
  /** What is wrong, and what to do. Slack's mrkdwn. */
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly overAt?: number;
}

/** Durable memory of notices; the same rules as `SendStore`. At most one of a name. */
export interface NoticeStore {
  /** Notes that something is wrong, unless that is known; what was over, and not told to be, is not over. */
  begin(notice: Notice): Promise<void>;
  /** Notes that it is over, if it began before `at`. */
  end(name: string, at: number): Promise<void>;
  /** What was not told yet, oldest first. */
  untold(): Promise<readonly Notice[]>;
  /** Notes that it was told; what is over is forgotten then. */
  told(notice: Notice): Promise<void>;
}

/** How something was found: `fine` since then at least, or wrong, in mrkdwn. Undefined when nobody knows. */
export type Look = { readonly problem: string } | { readonly fine: number } | undefined;

/** One thing that may need a person. */
export interface Watch {
  readonly name: string;
  look(now: number): Look | Promise<Look>;
}

interface NoticeDependencies extends StoppableSurroundings {
  readonly notices: NoticeStore;
  readonly notes: Pick<Notes, 'claim'>;
  readonly lease: Pick<Lease, 'rank'>;
  readonly storeTrouble: Pick<StoreTrouble, 'since'>;
  /** Tells one in Slack; false when that has to be tried again. Never rejects. */
  readonly post: (notice: Notice) => Promise<boolean>;
}

/**
 * Looks at what may need a person, and tells once that it does and once that it is over, whatever is restarted meanwhile
 * and however many replicas look. Of a database that is gone only memory knows: then the first of the replicas tells.
 */
export function keepNotifying(watches: readonly Watch[], dependencies: NoticeDependencies): void {
  const { notices, notes, lease, storeTrouble, post, clock, logger } = dependencies;
  /** What was wrong at the latest look, and how often it has been fine since. */
  const wrong = new Map<string, number>();
  let gone: Notice | undefined;

  async function lookAt({ name, look }: Watch): Promise<void> {
    const now = clock.now();
    const found = await look(now);
    if (found === undefined) return;
    if ('problem' in found) {
      if (!wrong.has(name)) await notices.begin({ name, what: found.problem, since: now });
      wrong.set(name, 0);
      return;
    }
    const times = (wrong.get(name) ?? 0) + 1;
    // What an earlier process found is over when this one sees it so.
    if (wrong.has(name) && times < FINE_AFTER) wrong.set(name, times);
    else {
      await notices.end(name, found.fine);
      wrong.delete(name);
    }
  }

  async function tellStored(): Promise<void> {
    for (const notice of await notices.untold()) {
      const { name, since, overAt = '' } = notice;
      if (!(await notes.claim(`notice:${name}:${since}:${overAt}`, TELLING_MS))) continue;
      if (await post(notice)) await notices.told(notice);
    }
  }

  /** True while the database cannot be asked. */
  async function tellOfDatabase(): Promise<boolean> {
    const since = storeTrouble.since();
    const now = clock.now();
    if (since === undefined) {
      if (gone !== undefined && (await post({ ...gone, overAt: now }))) gone = undefined;
      return false;
    }
    if (gone !== undefined || lease.rank() > 0 || now - since < TROUBLE_AFTER_MS) return true;
    const notice = { name: 'database', what: DATABASE_GONE, since };
    if (await post(notice)) gone = notice;
    return true;
  }

  createBackgroundWork('notices', dependencies)
    .createLoop('looking for what needs a person', async () => {
      if (await tellOfDatabase()) return LOOK_EVERY_MS;
      for (const watch of watches)
        await lookAt(watch).catch((error: unknown) =>
          logger.error({ error, watch: watch.name }, 'a look at what may need a person failed'),
        );
      await tellStored();
      return LOOK_EVERY_MS;
    })
    .start();
}

const DATABASE_GONE =
  'Herald’s database does not answer, or takes no writes: nothing is sent. Look at it and at its disk; Herald goes on by itself then.';
