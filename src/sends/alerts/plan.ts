import { asOutage } from '../../core/outage.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { clocksAt, timeOfDay } from '../quiet-hours.ts';
import type { Alert, AlertStep, Members, PagedPerson, RuleState } from './alert.ts';
import type { AlertChanges, AlertStore } from './ports.ts';
import { type AlertPerson, type AlertRule, type AlertSettings, type OnCallHours, WEEKDAYS } from './rules.ts';
import { pageText } from './text.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** All that decisions depend on, at one moment. Each decision changes it, so that the next one sees its result. */
export interface Situation {
  readonly settings: AlertSettings;
  readonly now: number;
  readonly alerts: Map<string, Alert>;
  readonly rules: Map<string, RuleState>;
  readonly numbers: NumbersOnFile;
}

const MUTED = 'The rule was muted then. Nobody was sent this.';

export function isMuted(
  { name }: AlertRule,
  { rules, now }: { readonly rules: ReadonlyMap<string, RuleState>; readonly now: number },
): boolean {
  return (rules.get(name)?.muted?.until ?? now) > now;
}

/** True when it is too late for what was due then. */
export function isLate(due: number, { settings, now }: Pick<Situation, 'settings' | 'now'>): boolean {
  return now - due > settings.lateAfterMinutes * MINUTE_MS;
}

/** Decides who gets what in a step: everybody on call now, except those who reached their cap; nobody of a muted rule. */
export function plan(alert: Alert, step: AlertStep, rule: AlertRule, situation: Situation): AlertStep {
  const { settings, numbers, now } = situation;
  if (isMuted(rule, situation)) return { ...step, state: 'cancelled', at: now, note: MUTED };
  const members = situation.rules.get(rule.name)?.members;
  const { people, uncovered, withoutNumber } =
    step.kind === 'resolved'
      ? { people: notifiedOf(alert), uncovered: [], withoutNumber: [] }
      : onCallAt(step.groups, settings, numbers, now, members);
  const settled = {
    ...{ ...step, at: now },
    ...(uncovered.length > 0 && { uncovered }),
    ...(withoutNumber.length > 0 && { withoutNumber }),
  };
  if (people.length === 0) return { ...settled, state: 'nobody' };
  // The index of a step names the rule's own groups (0) or one of its escalations.
  const before = alertsWithinHour(rule, Math.max(0, alert.steps.indexOf(step)), situation);
  if (step.kind !== 'resolved' && before.length >= rule.capPerHour) return { ...settled, state: 'held' };
  const isLast = step.kind !== 'resolved' && before.length + 1 === rule.capPerHour;
  const until = isLast ? Math.min(now, ...before) + HOUR_MS : undefined;
  const planned = people.map((person) => page(person, until, { alert, step, rule }, situation));
  const anybody = planned.some(({ refusal }) => refusal === undefined);
  return { ...settled, state: anybody ? 'planned' : 'held', people: planned };
}

/** Everybody who was notified of an alert, once. */
function notifiedOf({ steps }: Alert): readonly Reachable[] {
  const notified = steps.flatMap(({ state, people }) =>
    isCounted(state) ? people.filter(({ refusal }) => refusal === undefined) : [],
  );
  return [...new Map(notified.map(({ name, number }) => [number, { name, number }])).values()];
}

/** @param until when the rule may send again, where this is the last it may send for now */
function page(
  { name, number }: Reachable,
  until: number | undefined,
  { alert, step, rule }: { readonly alert: Alert; readonly step: AlertStep; readonly rule: AlertRule },
  situation: Situation,
): PagedPerson {
  const { settings, now } = situation;
  const cap = settings.capPerPersonPerHour;
  const had = messagesWithinHour(number, situation);
  const mayAgainAt = Math.min(now, ...had) + HOUR_MS;
  const last = had.length + 1 === cap ? Math.max(mayAgainAt, until ?? 0) : until;
  const time = (at: number) => timeOfDay(settings.timezone, at);
  const before =
    (step.kind === 'escalation' ? 'Nobody has acknowledged: ' : '') +
    (step.kind === 'resolved' ? 'Over: ' : '') +
    (last === undefined ? '' : `(Last until ${time(last)}, more are held) `);
  const text = pageText(rule, alert, before);
  if (had.length < cap) return { name, number, text };
  const refusal = `Had ${cap} alerts within the hour, which is the most; again from ${time(mayAgainAt)}.`;
  return { name, number, text, refusal };
}

const COUNTED: ReadonlySet<AlertStep['state']> = new Set(['planned', 'sent', 'approval']);

/** True for steps in which somebody was notified or will be. */
export function isCounted(state: AlertStep['state']): boolean {
  return COUNTED.has(state);
}

/** When a step notified people, where that was within the last hour. */
function withinHour({ state, at }: AlertStep, now: number): readonly number[] {
  return isCounted(state) && at !== undefined && Math.abs(now - at) < HOUR_MS ? [at] : [];
}

/** When a rule's step at this index notified people within the last hour. */
export function alertsWithinHour({ name }: AlertRule, place: number, { alerts, now }: Situation) {
  return [...alerts.values()].flatMap(({ rule, steps }) => {
    const step = rule === name ? steps[place] : undefined;
    return step === undefined || step.kind === 'resolved' ? [] : withinHour(step, now);
  });
}

/** When this number was notified within the last hour, by any rule. */
function messagesWithinHour(number: string, { alerts, now }: Situation): readonly number[] {
  return [...alerts.values()]
    .flatMap(({ steps }) => steps)
    .filter(({ people }) => people.some((one) => one.number === number && one.refusal === undefined))
    .flatMap((step) => withinHour(step, now));
}

/** A person with a number. */
type Reachable = Pick<PagedPerson, 'name' | 'number'>;

/** Numbers on file, by Slack user id. */
export type NumbersOnFile = ReadonlyMap<string, Msisdn>;

export async function numbersOnFile(store: Pick<AlertStore, 'numbers'>): Promise<NumbersOnFile> {
  return new Map((await store.numbers()).map(({ userId, number }) => [userId, number]));
}

/**
 * Whom these groups reach at a moment, each number once. If nobody of a group is on call, all of its members are notified:
 * a gap in a roster must not swallow an alert. `uncovered` are such groups, `withoutNumber` Slack users without a number on file.
 *
 * @param userGroups who is in the user groups of Slack among them
 */
export function onCallAt(
  groups: readonly string[],
  settings: Pick<AlertSettings, 'groups' | 'timezone'>,
  numbers: NumbersOnFile,
  at: number,
  userGroups: Members = {},
) {
  const people = new Map<Msisdn, Reachable>();
  const uncovered: string[] = [];
  const withoutNumber = new Set<string>();
  for (const group of groups) {
    const members: readonly AlertPerson[] =
      settings.groups[group] ?? userGroups[group]?.map((user) => ({ user })) ?? [];
    const onCall = members.filter((person) =>
      (person.onCall ?? [{}]).some((hours) => isWithin(hours, settings.timezone, at)),
    );
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

/** An alert that is open for longer can no longer be resolved by a message. */
const OPEN_FOR_MS = 48 * HOUR_MS;
/** Tries when other processes commit first; each decides anew. */
const TRIES = 50;

/** A decision changes the situation's alerts and rules, and adds to the events that are decided on. */
interface Deciding extends Situation {
  readonly decided: NonNullable<AlertChanges['events']>[number][];
}

/**
 * Reads the state, decides, and writes the result in one transaction; if another process has written meanwhile, it starts
 * again. So caps, cool-downs and acknowledgements are exact with any number of processes.
 */
export function createDeciding({
  store,
  settings,
  clock,
}: Pick<Situation, 'settings'> & { readonly store: AlertStore; readonly clock: { now(): number } }) {
  return async <Value>(ids: readonly string[], decide: (situation: Deciding) => Value): Promise<Value> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const now = clock.now();
      const numbers = await numbersOnFile(store);
      const state = await store.state({ ...since(settings, now), ids });
      const situation: Deciding = {
        ...{ settings, now, numbers, decided: [] },
        alerts: new Map(state.alerts.map((alert) => [alert.id, alert])),
        rules: new Map(state.rules.map((rule) => [rule.rule, rule])),
      };
      const value = decide(situation);
      // They are immutable, so another object means a change.
      const before = new Set<Alert | RuleState>([...state.alerts, ...state.rules]);
      const changes = {
        events: situation.decided,
        alerts: [...situation.alerts.values()].filter((alert) => !before.has(alert)),
        rules: [...situation.rules.values()].filter((rule) => !before.has(rule)),
      };
      const nothing = changes.events.length + changes.alerts.length + changes.rules.length === 0;
      if (nothing || (await store.commit(state.version, changes, now))) return value;
    }
    throw asOutage(new Error('Others kept writing alerts; this one is tried again later.'));
  };
}

export type DecideOn = ReturnType<typeof createDeciding>;

/** From when on alerts may matter. */
function since({ rules, acknowledgedMinutes }: AlertSettings, now: number) {
  const minutes = Math.max(60, acknowledgedMinutes, ...rules.map(({ coolDownMinutes }) => coolDownMinutes));
  return { recent: now - minutes * MINUTE_MS, openSince: now - OPEN_FOR_MS };
}
