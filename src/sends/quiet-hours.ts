import { MINUTES_A_DAY, minutesIn, timeOfDay } from '../core/time-of-day.ts';
import type { Message } from '../messages/message.ts';
import { countryOf, type Msisdn } from '../messages/phone-number.ts';
import type { Failure } from './outcome.ts';

const MINUTE_MS = 60_000;

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
export type HoldFor = (number: Msisdn) => Hold | undefined;

/**
 * What is held back at a moment: undefined when no quiet hours touch this message now, and then nothing need be asked of
 * its recipients one by one. Only SMS and flash SMS have a type; template messages are answers that people expect.
 */
export function holdsAt(hours: readonly QuietHours[], message: Message, at: number): HoldFor | undefined {
  if (message.kind !== 'sms' && message.kind !== 'flash') return undefined;
  const holds = new Map<string, Hold>();
  for (const entry of hours) {
    if (!entry.types.includes(message.type) || !isWithin(entry, at)) continue;
    const hold = { until: endOf(entry, at), reason: reasonOf(entry) };
    const other = holds.get(entry.country);
    if (other === undefined || other.until < hold.until) holds.set(entry.country, hold);
  }
  if (holds.size === 0) return undefined;
  return (number) => {
    const country = countryOf(number);
    return country && holds.get(country);
  };
}

function isWithin({ from, to, timezone }: QuietHours, at: number): boolean {
  const now = minuteOfDay(at, timezone);
  const [begin, end] = [minutesIn(from), minutesIn(to)];
  return begin <= end ? begin <= now && now < end : now >= begin || now < end;
}

/** On a day on which clocks change this may be an hour off; whoever waits until then asks again. */
function endOf({ to, timezone }: QuietHours, at: number): number {
  const minutes = (minutesIn(to) - minuteOfDay(at, timezone) + MINUTES_A_DAY) % MINUTES_A_DAY;
  return Math.floor(at / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS;
}

function minuteOfDay(at: number, timeZone: string): number {
  return minutesIn(timeOfDay(at, timeZone));
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

function reasonOf({ country, from, to, timezone }: QuietHours): Failure {
  return {
    what: `Messages of this type to ${COUNTRY_NAMES.of(country)} are held back from ${from} to ${to} (${timezone}).`,
    next: `What is left goes on by itself at ${to}.`,
    scope: 'send',
  };
}
