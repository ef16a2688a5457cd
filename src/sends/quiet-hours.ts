import { kindOf, type Message } from '../messages/kinds.ts';
import { countryName, countryOf, type Msisdn } from '../messages/numbers/phone-number.ts';
import type { QuietHours } from '../messages/sms/quiet-hours.ts';
import type { Recipient } from '../messages/submission.ts';
import type { Failure } from './outcome.ts';
import type { Send } from './send.ts';

/** A recipient must wait: why, and until when, in milliseconds since the epoch. */
interface Deferral {
  readonly until: number;
  readonly reason: Failure;
}

/** It says who must wait at a moment; undefined when nobody must, so that recipients need not be checked one by one. */
export type QuietHoursAt = (
  message: Message,
  at: number,
) => ((number: Msisdn) => Deferral | undefined) | undefined;

/** As `QuietHoursAt`, for whole countries as well. */
export type QuietHoursByCountry = ReturnType<typeof createQuietHours>;

/**
 * Quiet hours, fast enough to be checked before every message: they are computed anew only when a window begins or ends.
 * The message's kind says which type of them applies.
 */
export function createQuietHours(hours: readonly QuietHours[]) {
  const periods = new Map<string, ReturnType<typeof periodAt>>();
  return (message: Message, at: number) => {
    const type = kindOf(message).quietHoursType(message);
    if (type === undefined) return undefined;
    const known = periods.get(type);
    if (known !== undefined && known.since <= at && at < known.before) return known.deferralFor;
    const entries = hours.filter(({ types }) => types.includes(type));
    const period = periodAt(entries, at);
    periods.set(type, period);
    return period.deferralFor;
  };
}

/**
 * Why a message to one person must not go at `at`. It is refused, not deferred as on a list: hours later its author may no
 * longer expect it to go out.
 */
export function whyNotNow(
  { message, origin, audience }: Pick<Send, 'message' | 'origin' | 'audience'>,
  to: Msisdn,
  at: number,
  quietHours: QuietHoursAt,
): Failure | undefined {
  if (audience !== undefined || origin.alert?.urgent === true) return undefined;
  const what = quietHours(message, at)?.(to)?.reason.what;
  return what === undefined ? undefined : { what, next: 'Send it after that.', scope: 'recipient' };
}

/** Finds who must wait from `since` until `before`, when the next window may begin or end. */
function periodAt(entries: readonly QuietHours[], at: number) {
  const edges = entries.map((entry) => {
    const within = isWithin(entry, at);
    return { entry, within, at: nextTimeOfDay(within ? entry.to : entry.from, entry.timezone, at) };
  });
  // Where clocks are put forward or back, they may leap over an edge, or show it again.
  const changes = entries.flatMap(
    ({ timezone }) => clocksAt(timezone, at).getTimeZoneTransition('next') ?? [],
  );
  const moments = [...edges.map((edge) => edge.at), ...changes.map((change) => change.epochMilliseconds)];
  const before = Math.min(Number.POSITIVE_INFINITY, ...moments);
  const deferrals = edges.filter(({ within }) => within).map(({ entry, at: until }) => ({ entry, until }));
  return { since: at, before, deferralFor: deferrals.length === 0 ? undefined : deferralFor(deferrals) };
}

function deferralFor(deferrals: readonly { readonly entry: QuietHours; readonly until: number }[]) {
  const byCountry = new Map<string, ReturnType<typeof deferral>>();
  for (const { entry, until } of deferrals) {
    const other = byCountry.get(entry.country);
    if (other === undefined || other.until < until)
      byCountry.set(entry.country, deferral(entry, until, countryName(entry.country)));
  }
  const last = deferrals.reduce((latest, deferral) => (deferral.until > latest.until ? deferral : latest));
  // A number of no country (+870, +800) may be anywhere, so it waits for the window that ends last: waiting costs some
  // hours, and a message in the night cannot be taken back.
  const anywhere = deferral(last.entry, last.until, 'numbers of no country');
  const within = (country: string | undefined) => (country === undefined ? anywhere : byCountry.get(country));
  // `in` says it of a whole country; undefined stands for numbers of none.
  return Object.assign((number: Msisdn) => within(countryOf(number)), { in: within });
}

/** `ends` is the end as the clocks there show it: `10:00 (Asia/Kolkata)`. */
function deferral({ from, to, timezone }: QuietHours, until: number, whom: string) {
  const reason: Failure = {
    what: `Messages of this type to ${whom} are held back from ${from} to ${to} (${timezone}).`,
    next: `What is left goes on by itself at ${to}.`,
    scope: 'send',
  };
  return { until, ends: `${to} (${timezone})`, reason };
}

function isWithin({ from, to, timezone }: QuietHours, at: number): boolean {
  const now = timeOfDay(timezone, at);
  return from <= to ? from <= now && now < to : now >= from || now < to;
}

/**
 * Finds who must wait in one run because of quiet hours, anew each time, because they may begin at any moment.
 *
 * @param quietHours absent for a send to one person, which does not wait: see `whyNotNow`
 */
export function createQuietHoursGate(
  message: Message,
  quietHours: QuietHoursAt | undefined,
  clock: { now(): number },
) {
  let first: Deferral | undefined;

  function waiting<Row extends Recipient>(rows: readonly Row[]): readonly Row[] {
    const deferralFor = quietHours?.(message, clock.now());
    if (deferralFor === undefined) return [];
    return rows.filter(({ number }) => {
      const deferral = deferralFor(number);
      if (deferral !== undefined && (first === undefined || deferral.until < first.until)) first = deferral;
      return deferral !== undefined;
    });
  }

  return {
    /** Asked right before a request is written. */
    mayStart: (rows: readonly Recipient[]): boolean => {
      const deferralFor = quietHours?.(message, clock.now());
      return deferralFor === undefined || rows.every(({ number }) => deferralFor(number) === undefined);
    },
    /** Those of `rows` that must wait now; remembers why and until when. */
    waiting,
    /** The remembered deferral that ends first; undefined while nobody had to wait. */
    firstEnd: () => first,
  };
}

/** Reads the clocks of a time zone (an IANA name) at a moment, in milliseconds since the epoch. */
export function clocksAt(timeZone: string, at: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}

/** The time of day as `HH:MM`. */
export function timeOfDay(timeZone: string, at: number): string {
  return clocksAt(timeZone, at).toPlainTime().toString({ smallestUnit: 'minute' });
}

/**
 * The first moment after `at` at which the clocks of a time zone show `time` (`HH:MM`), in milliseconds since the epoch.
 * Where the clocks are put forward past that time, it is as long after the change as the time was skipped by.
 */
function nextTimeOfDay(time: string, timeZone: string, at: number): number {
  for (let day = clocksAt(timeZone, at).toPlainDate(); ; day = day.add({ days: 1 })) {
    const shown = day.toPlainDateTime(time);
    // On the day on which clocks are put back, they may show the time twice.
    for (const disambiguation of ['compatible', 'later'] as const) {
      const { epochMilliseconds } = shown.toZonedDateTime(timeZone, { disambiguation });
      if (epochMilliseconds > at) return epochMilliseconds;
    }
  }
}
