import type { StoppableSurroundings } from '../core/surroundings.ts';
import type { AudienceStore } from './audience.ts';
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
  readonly audiences: Pick<AudienceStore, 'sweepOld'>;
}

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;
/** Between two steps, in which the database belongs to those who send. */
const REST_MS = 50;

/** Removes all that is older than these periods, as of now; returns how many there were of each. */
export async function removeOld(
  periods: RetentionPeriods,
  { store, audiences, clock, stopping }: Omit<Retaining, 'logger'>,
): Promise<Readonly<Record<string, number>>> {
  const removed: Record<string, number> = {};
  const steps: Record<keyof RetentionPeriods, (before: number) => Promise<number>> = {
    recipients: (before) => store.removeNumbers(before, clock.now()),
    texts: (before) => store.removeTexts(before, clock.now()),
    webhooks: store.removeBodies,
    answers: store.removeAnswers,
    lists: audiences.sweepOld,
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
  for (const what of Object.keys(steps) as (keyof RetentionPeriods)[]) {
    const days = periods[what];
    if (days === undefined) continue;
    const before = clock.now() - days * DAY_MS;
    const count = await repeat(() => steps[what](before));
    if (count > 0) removed[what] = count;
  }
  await repeat(() => store.giveBack());
  return removed;
}

/** Removes what is old at once and then hourly, until Herald stops. Of several replicas one does. */
export async function keepRemoving(
  periods: RetentionPeriods,
  { sharing, ...retaining }: Retaining & { readonly sharing: Pick<Sharing, 'isLeader'> },
): Promise<void> {
  const { clock, logger, stopping } = retaining;
  if (Object.values(periods).every((days) => days === undefined)) return;
  while (!stopping.aborted) {
    try {
      const removed = (await sharing.isLeader('remove_old')) ? await removeOld(periods, retaining) : {};
      if (Object.keys(removed).length > 0)
        logger.info(removed, 'what was older than retention says was removed');
    } catch (error) {
      logger.error(
        { error },
        'what is older than retention says could not be removed; trying again in an hour',
      );
    }
    await clock.sleep(LOOK_EVERY_MS, stopping);
  }
}
