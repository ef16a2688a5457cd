/* Times of day, `HH:MM`, in a time zone, on days on which clocks change, too. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `HH:MM` on the clocks of a time zone (an IANA name) at a moment. */
export function timeOfDay(timeZone: string, at: number): string {
  return new Date(onTheClocks(timeZone, at)).toISOString().slice(11, 16);
}

/**
 * The first moment after `at` at which the clocks of a time zone come to `time`, in milliseconds since the epoch. Where
 * they skip it, on the day on which they are put forward, the same distance after the skip.
 */
export function nextTimeOfDay(time: string, timeZone: string, at: number): number {
  const today = Math.floor(onTheClocks(timeZone, at) / DAY_MS) * DAY_MS;
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  for (let day = today; ; day += DAY_MS) {
    const found = momentsOf(day + minutes * MINUTE_MS, timeZone).find((moment) => moment > at);
    if (found !== undefined) return found;
  }
}

/** When the clocks show `shown`: once, twice when they are put back, and for a time that they skip, one moment after. */
function momentsOf(shown: number, timeZone: string): readonly number[] {
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((near) => onTheClocks(timeZone, near) - near);
  const candidates = [...new Set(offsets)].map((offset) => shown - offset).toSorted((a, b) => a - b);
  const real = candidates.filter((moment) => onTheClocks(timeZone, moment) === shown);
  return real.length > 0 ? real : candidates.slice(-1);
}

/** What the clocks show at a moment, to the minute, as if it were UTC. */
function onTheClocks(timeZone: string, at: number): number {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value ?? Number.NaN);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}
