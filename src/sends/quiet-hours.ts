import { kindOf, type Message } from '../messages/kinds.ts';
import { countryOf, type Msisdn } from '../messages/numbers/phone-number.ts';
import type { Failure } from './outcome.ts';
import { nextTimeOfDay, timeOfDay } from './time-of-day.ts';

/** A time of day, every day, in which SMS and flash SMS of some types to one country are held back. */
export interface QuietHours {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly types: readonly string[];
  /** `HH:MM`; a window that ends before it begins goes over midnight. */
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timezone: string;
}

/** A recipient must wait: why, and until when, in milliseconds since the epoch. */
export interface Hold {
  readonly until: number;
  readonly reason: Failure;
}

/** Says of one number whether it must wait. */
type HoldFor = (number: Msisdn) => Hold | undefined;

/**
 * What is held back at a moment: undefined when no quiet hours touch this message then, and nothing need be asked of
 * its recipients one by one.
 */
export type HoldsAt = (message: Message, at: number) => HoldFor | undefined;

/** What is held back from `since` on, and until when that is all there is to say. */
interface Look {
  readonly since: number;
  readonly before: number;
  readonly holdFor: HoldFor | undefined;
}

/**
 * Quiet hours as a question that may be asked before every single message: the answer is worked out once for each edge.
 * Which messages they touch is for their kind to say.
 */
export function createQuietHours(hours: readonly QuietHours[]): HoldsAt {
  const looks = new Map<string, Look>();
  return (message, at) => {
    const type = kindOf(message).quietHoursType(message);
    if (type === undefined) return undefined;
    const known = looks.get(type);
    if (known !== undefined && known.since <= at && at < known.before) return known.holdFor;
    const entries = hours.filter(({ types }) => types.includes(type));
    const look = lookAt(entries, at);
    looks.set(type, look);
    return look.holdFor;
  };
}

function lookAt(entries: readonly QuietHours[], at: number): Look {
  const edges = entries.map((entry) => {
    const within = isWithin(entry, at);
    return { entry, within, at: nextTimeOfDay(within ? entry.to : entry.from, entry.timezone, at) };
  });
  const before = Math.min(Number.POSITIVE_INFINITY, ...edges.map((edge) => edge.at));
  const holds = edges.filter(({ within }) => within).map(({ entry, at: until }) => ({ entry, until }));
  return { since: at, before, holdFor: holds.length === 0 ? undefined : holdFor(holds) };
}

function holdFor(holds: readonly { readonly entry: QuietHours; readonly until: number }[]): HoldFor {
  const byCountry = new Map<string, Hold>();
  for (const { entry, until } of holds) {
    const other = byCountry.get(entry.country);
    if (other === undefined || other.until < until)
      byCountry.set(entry.country, { until, reason: reasonOf(entry, nameOf(entry.country)) });
  }
  const last = holds.reduce((latest, hold) => (hold.until > latest.until ? hold : latest));
  // A satellite phone or an international number (+870, +800) may be with anybody anywhere: a wait costs some hours, and
  // a message in the night cannot be taken back. So it waits for whoever waits longest.
  const anywhere: Hold = { until: last.until, reason: reasonOf(last.entry, 'numbers of no country') };
  return (number) => {
    const country = countryOf(number);
    return country === undefined ? anywhere : byCountry.get(country);
  };
}

function isWithin({ from, to, timezone }: QuietHours, at: number): boolean {
  const now = timeOfDay(timezone, at);
  return from <= to ? from <= now && now < to : now >= from || now < to;
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

function nameOf(country: string): string {
  return COUNTRY_NAMES.of(country) ?? country;
}

function reasonOf({ from, to, timezone }: QuietHours, whom: string): Failure {
  return {
    what: `Messages of this type to ${whom} are held back from ${from} to ${to} (${timezone}).`,
    next: `What is left goes on by itself at ${to}.`,
    scope: 'send',
  };
}
