import type { Clock } from '../core/clock.ts';
import type { StoppableSurroundings } from '../core/surroundings.ts';
import type { AudienceStore } from './audience.ts';
import { createBackgroundWork } from './background-work.ts';
import type { Look } from './notices.ts';
import type { Sharing } from './sharing.ts';

/** `retention` of herald.yml, in days; what is absent is kept for ever. */
export interface RetentionPeriods {
  /** Numbers of recipients, which become pseudonyms, with their values and message ids. */
  readonly recipients?: number | undefined;
  readonly texts?: number | undefined;
  readonly webhooks?: number | undefined;
  readonly answers?: number | undefined;
  readonly lists?: number | undefined;
}

/**
 * Removes what is old in small steps, each one transaction. `before` is in milliseconds since the epoch. Each method
 * returns how many it has looked after; 0 when nothing is left to do.
 */
export interface RetentionStore {
  /**
   * Of the oldest send whose last event is older: the numbers of some recipients, with values and message ids. Of a send
   * that has not ended, of whose end people were not told, or that is tried again at the moment, nothing is removed.
   */
  removeNumbers(before: number, at: number): Promise<number>;
  /** The texts and links of such sends. */
  removeTexts(before: number, at: number): Promise<number>;
  /** The bodies of webhooks that were dealt with. */
  removeBodies(before: number): Promise<number>;
  /** Such webhooks with the answers in them, of which people were told. Which button somebody chose stays, under a pseudonym. */
  removeAnswers(before: number): Promise<number>;
  /** Gives some of the file's free pages back to the disk; PostgreSQL sees to that by itself. */
  giveBack(): Promise<number>;
}

interface Retaining extends StoppableSurroundings {
  readonly store: RetentionStore;
  readonly audiences: Pick<AudienceStore, 'sweepOld' | 'sweepUnused'>;
}

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;
const LOOK_AGAIN_MS = 10 * 60_000;
/** Of lists that were given in a form and not sent to. A form that is still open then says that its list is gone. */
const UNUSED_DAYS = 1;
/** Between two steps, in which the database belongs to those who send. */
const REST_MS = 50;

/** Removes all that is older than these periods, as of now, however long it takes; returns how many there were of each. */
export async function removeOld(
  periods: RetentionPeriods,
  { store, audiences, clock, stopping }: Omit<Retaining, 'logger'>,
): Promise<Readonly<Record<string, number>>> {
  const removed: Record<string, number> = {};
  const now = clock.now();
  const all = { ...periods, unusedLists: UNUSED_DAYS };
  const steps: Record<keyof typeof all, (before: number) => Promise<number>> = {
    recipients: (before) => store.removeNumbers(before, now),
    texts: (before) => store.removeTexts(before, now),
    webhooks: store.removeBodies,
    answers: store.removeAnswers,
    lists: audiences.sweepOld,
    unusedLists: audiences.sweepUnused,
  };
  async function repeat(step: () => Promise<number>): Promise<number> {
    let sum = 0;
    while (!stopping.aborted) {
      const count = await step();
      if (count === 0) break;
      sum += count;
      await clock.sleep(REST_MS, stopping);
    }
    return sum;
  }
  for (const what of Object.keys(steps) as (keyof typeof all)[]) {
    const days = all[what];
    if (days === undefined) continue;
    const count = await repeat(() => steps[what](now - days * DAY_MS));
    if (count > 0) removed[what] = count;
  }
  await repeat(() => store.giveBack());
  return removed;
}

interface Keeping extends Retaining {
  readonly sharing: Pick<Sharing, 'isLeader'>;
  /** What is wrong with the clock, as a sentence; see `createClockDoubt`. */
  readonly doubt: () => Promise<string | undefined>;
}

/**
 * Removes what is old at once and then hourly, until Herald stops, but nothing by a clock that is in doubt. Of several
 * replicas one does.
 *
 * @returns how it went last, for whoever runs Herald
 */
export function keepRemoving(
  periods: RetentionPeriods,
  { sharing, doubt, ...retaining }: Keeping,
): () => Look {
  const { clock, logger } = retaining;
  let doubts = 0;
  let latest: Look;

  async function remove(): Promise<number> {
    const leads = await sharing.isLeader('remove_old');
    const why = leads ? await doubt() : undefined;
    doubts = why === undefined ? 0 : doubts + 1;
    latest = leads && why === undefined ? { fine: clock.now() } : undefined;
    if (why !== undefined) {
      logger.warn({ why }, 'nothing is removed by its age');
      // Slack may be away for a moment: whoever runs Herald hears of what lasts.
      if (doubts > 1) latest = { problem: `What is too old is not removed. ${why}` };
      return LOOK_AGAIN_MS;
    }
    const removed = leads ? await removeOld(periods, retaining) : {};
    if (Object.keys(removed).length > 0) logger.info(removed, 'what was too old was removed');
    return LOOK_EVERY_MS;
  }

  createBackgroundWork('removal', retaining).createLoop('removing what is too old', remove).start();
  return () => latest;
}

/** How far this machine's clock is ahead of another one, in milliseconds; undefined while that one does not say. */
type Comparison = () => Promise<number | undefined>;

const MINUTE_MS = 60_000;
const MOST_APART_MS = 5 * MINUTE_MS;
const MOST_LEAP_MS = 24 * 60 * MINUTE_MS;

const NOBODY =
  'Nobody confirms the clock of this machine: Slack does not say what time it is. Herald goes on when it does.';
const LEAPT =
  'The clock of this machine was set by more than a day, or the machine stood still. If the clock is right now, restart Herald.';

/**
 * Asks what is wrong with this machine's clock, before something is done by it that nobody can undo.
 *
 * @param others clocks that it is compared with, by whose they are
 * @returns a sentence with what to do; undefined for a clock that at least one of the others confirms
 */
export function createClockDoubt(clock: Clock, others: Readonly<Record<string, Comparison>>) {
  /** By how much the two clocks here were apart when there was no doubt. */
  let confirmed: number | undefined;
  return async (): Promise<string | undefined> => {
    let isConfirmed = false;
    for (const [whose, compare] of Object.entries(others)) {
      const ms = await compare().catch(() => undefined);
      if (ms === undefined) continue;
      isConfirmed = true;
      if (Math.abs(ms) > MOST_APART_MS)
        return `The clock of this machine is ${Math.round(Math.abs(ms) / MINUTE_MS)} min ${ms > 0 ? 'ahead of' : 'behind'} ${whose}. Let the machine set its clock by NTP.`;
    }
    if (!isConfirmed) return NOBODY;
    const apart = clock.now() - clock.monotonic();
    if (Math.abs(apart - (confirmed ?? apart)) > MOST_LEAP_MS) return LEAPT;
    confirmed = apart;
    return undefined;
  };
}
