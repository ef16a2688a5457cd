import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { clocksAt, timeOfDay } from '../time-of-day.ts';
import { type AlertPerson, type AlertSettings, type OnCallHours, WEEKDAYS } from './rules.ts';

/** A person with a number. */
export interface Reachable {
  readonly name: string;
  readonly number: Msisdn;
}

/** Numbers on file, by Slack user id. */
export type NumbersOnFile = ReadonlyMap<string, Msisdn>;

interface OnCall {
  readonly people: readonly Reachable[];
  /** Groups without anybody on call: all of their members are notified. */
  readonly uncovered: readonly string[];
  /** Slack users without a number on file. */
  readonly withoutNumber: readonly string[];
}

/**
 * Whom these groups reach at a moment, each number once. If nobody of a group is on call, all of its members are notified:
 * a gap in a roster must not swallow an alert.
 */
export function onCallAt(
  groups: readonly string[],
  settings: Pick<AlertSettings, 'groups' | 'timezone'>,
  numbers: NumbersOnFile,
  at: number,
): OnCall {
  const people = new Map<Msisdn, Reachable>();
  const uncovered: string[] = [];
  const withoutNumber = new Set<string>();
  for (const group of groups) {
    const members = settings.groups[group] ?? [];
    const onCall = members.filter((person) => isOnCall(person, settings.timezone, at));
    const reached = onCall.flatMap((person) => reach(person, numbers) ?? []);
    const isGap = reached.length === 0 && onCall.length < members.length;
    if (isGap) uncovered.push(group);
    for (const person of isGap ? members : onCall) {
      const found = reach(person, numbers);
      if (found !== undefined) people.set(found.number, people.get(found.number) ?? found);
      else if (person.user !== undefined) withoutNumber.add(person.user);
    }
  }
  return { people: [...people.values()], uncovered, withoutNumber: [...withoutNumber] };
}

function reach({ name, number, user }: AlertPerson, numbers: NumbersOnFile): Reachable | undefined {
  const found = number ?? numbers.get(user ?? '');
  return found && { name: name ?? (user === undefined ? 'Somebody' : `<@${user}>`), number: found };
}

function isOnCall({ onCall }: AlertPerson, timezone: string, at: number): boolean {
  return onCall === undefined || onCall.some((hours) => isWithin(hours, timezone, at));
}

function isWithin(
  { days = WEEKDAYS, from, to, timezone }: OnCallHours,
  otherwise: string,
  at: number,
): boolean {
  const zone = timezone ?? otherwise;
  const now = timeOfDay(zone, at);
  const begin = from ?? '00:00';
  // '24:00' sorts after every time of the day.
  const end = to === undefined || to === '00:00' ? '24:00' : to;
  const isOnDuty = (daysBefore: number) => {
    const { dayOfWeek } = clocksAt(zone, at).toPlainDate().subtract({ days: daysBefore });
    return days.some((day) => day === WEEKDAYS[dayOfWeek - 1]);
  };
  if (begin < end) return isOnDuty(0) && begin <= now && now < end;
  return (isOnDuty(0) && now >= begin) || (isOnDuty(1) && now < end);
}
