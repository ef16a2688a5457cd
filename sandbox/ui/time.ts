/** Times as people read them, always in a named time zone. Pure: the zone and the present are arguments. */

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(tz: string, options: Intl.DateTimeFormatOptions, date: Date): string {
  const key = `${tz} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: tz });
  formatters.set(key, formatter);
  return formatter.format(date);
}

/** A Slack time stamp (`1700000000.000100`) as a date. */
export function dateOfTs(ts: string): Date {
  return new Date(Number.parseFloat(ts) * 1000);
}

/** `14:05` */
export function clockTime(date: Date, tz: string): string {
  return format(tz, { hour: '2-digit', minute: '2-digit' }, date);
}

/** `14:05:09` */
export function clockTimeWithSeconds(date: Date, tz: string): string {
  return format(tz, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, date);
}

/** `Friday, 21 November 2026 at 14:05:09`, for a tooltip. */
export function fullTime(date: Date, tz: string): string {
  return `${longDate(date, tz)} at ${clockTimeWithSeconds(date, tz)}`;
}

function longDate(date: Date, tz: string): string {
  return format(tz, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, date);
}

/** `2026-11-21` in the zone: a key for one calendar day. */
export function dayKey(date: Date, tz: string): string {
  const part = (options: Intl.DateTimeFormatOptions) => format(tz, options, date).padStart(2, '0');
  return `${part({ year: 'numeric' })}-${part({ month: '2-digit' })}-${part({ day: '2-digit' })}`;
}

/** `Today`, `Yesterday`, `Monday, 3 March`, with the year when it is another one. */
export function dayLabel(date: Date, tz: string, now: Date): string {
  return relativeDay(date, tz, now) ?? dayOfYear(date, tz, now);
}

function relativeDay(date: Date, tz: string, now: Date): string | undefined {
  const days = Math.round((Date.parse(dayKey(date, tz)) - Date.parse(dayKey(now, tz))) / 86_400_000);
  return { '-1': 'Yesterday', '0': 'Today', '1': 'Tomorrow' }[String(days)];
}

function dayOfYear(date: Date, tz: string, now: Date): string {
  const sameYear = dayKey(date, tz).slice(0, 4) === dayKey(now, tz).slice(0, 4);
  if (sameYear) return format(tz, { weekday: 'long', day: 'numeric', month: 'long' }, date);
  return longDate(date, tz);
}

/** Fills the tokens of Slack's `<!date^…^format>`; an unknown token stays as it is. */
export function slackDate(epochSeconds: number, pattern: string, tz: string, now: Date): string {
  const date = new Date(epochSeconds * 1000);
  const short = () => format(tz, { day: 'numeric', month: 'short', year: 'numeric' }, date);
  const medium = () => format(tz, { day: 'numeric', month: 'long', year: 'numeric' }, date);
  const pretty = (otherwise: () => string) => relativeDay(date, tz, now)?.toLowerCase() ?? otherwise();
  const tokens: Record<string, () => string> = {
    date_num: () => dayKey(date, tz),
    date_slash: () => format(tz, { day: '2-digit', month: '2-digit', year: 'numeric' }, date),
    date: medium,
    date_short: short,
    date_long: () => longDate(date, tz),
    date_pretty: () => pretty(medium),
    date_short_pretty: () => pretty(short),
    date_long_pretty: () => pretty(() => longDate(date, tz)),
    time: () => clockTime(date, tz),
    time_secs: () => clockTimeWithSeconds(date, tz),
    ago: () => agoLabel(date, now),
  };
  return pattern.replace(/\{([a-z_]+)\}/g, (whole, token: string) => tokens[token]?.() ?? whole);
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `3 minutes ago`, `in 2 hours`, `now`. */
export function agoLabel(date: Date, now: Date): string {
  const difference = date.getTime() - now.getTime();
  for (const [unit, length] of UNITS) {
    if (Math.abs(difference) >= length) return RELATIVE.format(Math.trunc(difference / length), unit);
  }
  return 'just now';
}

/** What the clock in the zone shows at that moment, as `datetime-local` inputs write it: `2026-11-21T14:05`. */
export function localDateTime(epochSeconds: number, tz: string): string {
  const date = new Date(epochSeconds * 1000);
  return `${dayKey(date, tz)}T${clockTime(date, tz)}`;
}

/**
 * The moment at which the zone's clock shows `local` (`2026-11-21T14:05`), in epoch seconds; null when it is no
 * date. Of an hour that a clock change repeats the first is meant; one that it skips moves on by the gap.
 */
export function epochSecondsAt(local: string, tz: string): number | null {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return null;
  const shownAt = (moment: number) => Date.parse(`${localDateTime(moment / 1000, tz)}Z`);
  const offsets = [wanted - 86_400_000, wanted + 86_400_000].map((moment) => shownAt(moment) - moment);
  const candidates = offsets.map((offset) => wanted - offset);
  const exact = candidates.filter((moment) => shownAt(moment) === wanted);
  return Math.min(...(exact.length > 0 ? exact : [candidates[0] ?? wanted])) / 1000;
}
