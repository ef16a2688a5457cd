/** What the clocks of a time zone (an IANA name) show at a moment, in milliseconds since the epoch. */
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
export function nextTimeOfDay(time: string, timeZone: string, at: number): number {
  for (let day = clocksAt(timeZone, at).toPlainDate(); ; day = day.add({ days: 1 })) {
    const shown = day.toPlainDateTime(time);
    // On the day on which clocks are put back, they may show the time twice.
    for (const disambiguation of ['compatible', 'later'] as const) {
      const { epochMilliseconds } = shown.toZonedDateTime(timeZone, { disambiguation });
      if (epochMilliseconds > at) return epochMilliseconds;
    }
  }
}
