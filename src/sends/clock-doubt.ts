import type { Clock } from '../core/clock.ts';

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
