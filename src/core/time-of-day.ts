export const MINUTES_A_DAY = 24 * 60;

/** Minutes after midnight, of a time written `HH:MM`. */
export function minutesIn(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** `HH:MM` on the clocks of an IANA time zone. */
export function timeOfDay(at: number, timeZone: string): string {
  const format = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(at);
}
