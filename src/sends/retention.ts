import type { Clock } from '../core/clock.ts';
import type { StoppableSurroundings } from '../core/surroundings.ts';
import type { AudienceStore } from './audience.ts';
import { createBackgroundWork } from './background-work.ts';
import type { Look } from './notices.ts';
import type { RetentionPeriods } from './settings.ts';
import type { Sharing } from './sharing.ts';

/**
 * Removes what is old in small steps, each one transaction. `before` is in milliseconds since the epoch. Each method
 * returns how many it has looked after; 0 when nothing is left to do.
 */
export interface RetentionStore {
  /**
   * Removes the numbers of some recipients, with values and message ids, of the oldest send whose last event is older. A send
   * loses nothing while it has not ended, while its end is not announced, and while it is tried again.
   */
  removeNumbers(before: number, at: number): Promise<number>;
  /** Removes the texts and links of such sends. */
  removeTexts(before: number, at: number): Promise<number>;
  /** Removes the bodies of webhooks that were dealt with. */
  removeBodies(before: number): Promise<number>;
  /** Removes such webhooks with the answers in them, once these are announced. The button that somebody chose stays, under a pseudonym. */
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
/** A list that was given in a form and not sent to is kept so long. A form that is still open then says that it is gone. */
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
  const steps: Record<string, [days: number | undefined, step: RetentionStore['removeBodies']]> = {
    recipients: [periods.recipients, (before) => store.removeNumbers(before, now)],
    texts: [periods.texts, (before) => store.removeTexts(before, now)],
    webhooks: [periods.webhooks, store.removeBodies],
    answers: [periods.answers, store.removeAnswers],
    lists: [periods.lists, audiences.sweepOld],
    unusedLists: [UNUSED_DAYS, audiences.sweepUnused],
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
  for (const [what, [days, step]] of Object.entries(steps)) {
    if (days === undefined) continue;
    const count = await repeat(() => step(now - days * DAY_MS));
    if (count > 0) removed[what] = count;
  }
  await repeat(() => store.giveBack());
  return removed;
}

/**
 * Removes what is old at once and then hourly, until Herald stops, but nothing by a clock that is in doubt. Of several
 * replicas one does.
 *
 * @returns how it went last, for whoever runs Herald
 */
export function keepRemoving(
  periods: RetentionPeriods,
  keeping: Retaining & {
    readonly sharing: Pick<Sharing, 'isLeader'>;
    readonly doubt: ReturnType<typeof createClockDoubt>;
  },
): () => Look {
  const { sharing, doubt, clock, logger } = keeping;
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
    const removed = leads ? await removeOld(periods, keeping) : {};
    if (Object.keys(removed).length > 0) logger.info(removed, 'what was too old was removed');
    return LOOK_EVERY_MS;
  }

  createBackgroundWork('removal', keeping).createLoop('removing what is too old', remove).start();
  return () => latest;
}

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
 * @param others by whose clock it is: how many milliseconds this machine's is ahead of it; undefined while nobody says
 * @returns a sentence with what to do; undefined for a clock that at least one of the others confirms
 */
export function createClockDoubt(
  clock: Clock,
  others: Readonly<Record<string, () => Promise<number | undefined>>>,
) {
  /** How far the two clocks here were apart when there was no doubt. */
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
