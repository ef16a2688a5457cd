import type { StoppableSurroundings } from '../core/surroundings.ts';
import { createBackgroundWork } from './background-work.ts';
import type { Lease } from './sharing.ts';
import type { StoreTrouble } from './store-trouble.ts';

const LOOK_EVERY_MS = 10_000;
/** A problem that comes and goes is one: it is over when it was not seen so many times in a row. */
const FINE_AFTER = 3;
/** Operators are not notified of trouble of the database that is over sooner. */
const TROUBLE_AFTER_MS = 30_000;

/** Something that needs a person, of which whoever runs Herald is notified, as well as of its end. */
export interface Notice {
  readonly name: string;
  /** It says what is wrong, and what to do, in Slack's mrkdwn. */
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly overAt?: number;
}

/** Durable memory of notices; the same rules as `SendStore`. At most one of a name is not over. */
export interface NoticeStore {
  /** Notes that something is wrong, and wants its post, unless that is known. What was over, and not shown to be, is not over. */
  begin(notice: Notice): Promise<void>;
  /** Notes that it is over, if it began before `at`, and wants the post that says so. */
  end(name: string, at: number): Promise<void>;
  /** @param id the subject of its posts */
  find(id: string): Promise<Notice | undefined>;
}

/** How something was found: `fine` since then at least, or wrong, in mrkdwn. Undefined when nobody knows. */
export type Look = { readonly problem: string } | { readonly fine: number } | undefined;

/** One thing that may need a person. */
export interface Watch {
  readonly name: string;
  look(now: number): Look | Promise<Look>;
}

/**
 * Looks at what may need a person, and notes that it does and that it is over; the outbox posts each once. Of a database
 * that is gone only memory knows: then the first of the replicas posts it.
 */
export function keepNotifying(
  watches: readonly Watch[],
  dependencies: StoppableSurroundings & {
    readonly notices: NoticeStore;
    readonly lease: Pick<Lease, 'rank'>;
    readonly storeTrouble: Pick<StoreTrouble, 'since'>;
    /** Posts what the outbox, which is kept in the database, cannot; false when that has to be tried again. Never rejects. */
    readonly post: (notice: Notice) => Promise<boolean>;
  },
): void {
  const { notices, lease, storeTrouble, post, clock, logger } = dependencies;
  /** How often each thing that was wrong at the latest look has been fine since, by its name. */
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
    // A problem that an earlier process found is over when this one sees it so.
    if (wrong.has(name) && times < FINE_AFTER) wrong.set(name, times);
    else {
      await notices.end(name, found.fine);
      wrong.delete(name);
    }
  }

  /** True while the database cannot be asked. */
  async function notifyOfDatabase(): Promise<boolean> {
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
      if (await notifyOfDatabase()) return LOOK_EVERY_MS;
      for (const watch of watches)
        await lookAt(watch).catch((error: unknown) =>
          logger.error({ error, watch: watch.name }, 'a look at what may need a person failed'),
        );
      return LOOK_EVERY_MS;
    })
    .start();
}

const DATABASE_GONE =
  'Herald’s database does not answer, or takes no writes: nothing is sent. Look at it and at its disk; Herald goes on by itself then.';
