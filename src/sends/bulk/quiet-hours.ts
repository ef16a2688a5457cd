import type { Message } from '../../messages/message.ts';

/** A time of day, every day, in which messages of some types are held back. */
export interface QuietHours {
  readonly types: readonly string[];
  /** `HH:MM`; a window that ends before it begins goes over midnight. */
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timezone: string;
}

/**
 * The quiet hours that hold this message back at a moment, or undefined. Only SMS and flash SMS have a type. The
 * country of an entry is not looked at: a send that has one recipient there would have to wait for that one anyway.
 */
export function quietAt(hours: readonly QuietHours[], message: Message, at: number): QuietHours | undefined {
  if (message.kind !== 'sms' && message.kind !== 'flash') return undefined;
  return hours.find(
    (entry) => entry.types.includes(message.type) && within(entry, timeOfDay(at, entry.timezone)),
  );
}

function within({ from, to }: QuietHours, time: string): boolean {
  return from <= to ? from <= time && time < to : time >= from || time < to;
}

function timeOfDay(at: number, timeZone: string): string {
  const format = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(at);
}
