const DAY_MS = 86_400_000;
/** Days may have 23 or 25 hours where clocks change; noon is in the same day either way. */
const NOON_MS = DAY_MS / 2;

/** One day in some time zone. */
export interface Day {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** When the next day begins. */
  readonly to: number;
  /** `Sat 21 Nov` */
  readonly label: string;
}

/** The last `count` days up to today, oldest first, as they are in a time zone (IANA name). */
export function lastDays(count: number, now: number, timeZone: string): readonly Day[] {
  const days: Day[] = [];
  let to = startOfDay(now, timeZone) + DAY_MS;
  to = startOfDay(to + NOON_MS, timeZone);
  for (let n = 0; n < count; n += 1) {
    const from = startOfDay(to - 1, timeZone);
    days.unshift({ from, to, label: labelOf(from, timeZone) });
    to = from;
  }
  return days;
}

/** Midnight of the day in which a moment lies. */
function startOfDay(at: number, timeZone: string): number {
  const guess = at - timeInDay(at, timeZone);
  // Where clocks changed since midnight, the way back is an hour too short or too long.
  const off = timeInDay(guess, timeZone);
  return off === 0 ? guess : off > NOON_MS ? guess + (DAY_MS - off) : guess - off;
}

function timeInDay(at: number, timeZone: string): number {
  const format = {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  } as const;
  const [hours = 0, minutes = 0, seconds = 0] = new Intl.DateTimeFormat('en-GB', format)
    .format(at)
    .split(':')
    .map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + (at % 1_000);
}

function labelOf(at: number, timeZone: string): string {
  const format = { timeZone, weekday: 'short', day: 'numeric', month: 'short' } as const;
  const parts = new Intl.DateTimeFormat('en-GB', format).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('weekday')} ${of('day').padStart(2)} ${of('month')}`;
}
