/** One day in some time zone. */
export interface Day {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** When the next day begins. */
  readonly to: number;
  /** `21 Nov` */
  readonly label: string;
}

/** The last `count` days up to today, oldest first, as they are in a time zone (IANA name). */
export function lastDays(count: number, now: number, timeZone: string): readonly Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return Array.from({ length: count }, (_none, index) => {
    const day = today.subtract({ days: count - 1 - index });
    return { from: startOf(day), to: startOf(day.add({ days: 1 })), label: labelOf(day) };
  });
}

function labelOf(day: Temporal.PlainDate): string {
  return `${String(day.day).padStart(2)} ${day.toLocaleString('en-GB', { month: 'short' })}`;
}
