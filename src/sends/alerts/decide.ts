import {
  type Alert,
  type AlertDecision,
  type AlertEvent,
  type AlertStep,
  alertIdFor,
  ended,
  type OpenEvent,
} from './alert.ts';
import {
  alertsWithinHour,
  HOUR_MS,
  isCounted,
  isLate,
  isMuted,
  MINUTE_MS,
  plan,
  type Situation,
} from './plan.ts';
import type { AlertRule } from './rules.ts';
import { fingerprintOf, keptText, saysResolved, titleOf, withoutCount } from './text.ts';

/*
 * The first row of the table whose fact holds says what a rule makes of an event. Alerts and states of rules are immutable: each
 * change makes another one.
 */

type Row = readonly [
  fact: string,
  holds: (seen: Seen) => boolean,
  /** Absent: the rule has nothing to do with the event, and that is not recorded. */
  what?: AlertDecision['what'],
  /** Changes the situation; returns the id of the alert that the decision is about, where there is one. */
  change?: (seen: Seen) => string | undefined,
];

const isDeleted = ({ event }: Seen) => event.kind === 'deleted';

/** Drawn in docs/alerts.md (`npm run documents`). */
export const DECISIONS: readonly Row[] = [
  [
    'the message was deleted, and its alert is open',
    (seen) => isDeleted(seen) && seen.open().length > 0,
    'withdrawn',
    (seen) =>
      replace(seen, seen.open(), (alert, { situation: { now: at } }) =>
        ended(alert, { state: 'deleted', at }),
      ),
  ],
  ['the message was deleted', isDeleted],
  ['the rule expects signs of life, and this is one or none', (seen) => seen.isExpected()],
  ['it is from none of the rule’s sources', ({ event, rule }) => !isFrom(event, rule)],
  [
    'it says that an alert is over, and one is under way',
    (seen) => seen.saysResolved() && seen.over().length > 0,
    'resolved',
    (seen) => replace(seen, seen.over(), resolve),
  ],
  ['it says that something is over', (seen) => seen.saysResolved()],
  [
    'its words do not fit `match` and `except`',
    ({ event, rule }) => event.rule === undefined && !fits(event.text, rule),
  ],
  [
    'the same words of the same message made an alert before',
    (seen) => seen.known() !== undefined,
    'known',
    (seen) => seen.known(),
  ],
  ['the rule is muted', ({ rule, situation }) => isMuted(rule, situation), 'muted'],
  [
    'it repeats an alert that was acknowledged',
    (seen) => seen.alike()[0]?.state === 'acknowledged',
    'acknowledged_before',
    countRepeat,
  ],
  ['it repeats an alert', (seen) => seen.alike().length > 0, 'repeated', countRepeat],
  ['it was said too long ago', (seen) => seen.step().state === 'late', 'late', keep],
  ['the rule has reached its cap', (seen) => seen.step().state === 'held', 'held', hold],
  ['nobody can be reached', (seen) => seen.step().state === 'nobody', 'nobody', keep],
  ['it is a new alert', () => true, 'sent', keep],
];

/** The decisions of all rules that match an event, in their order; undefined where a later event has overtaken it. */
export function decideEvent(event: OpenEvent, situation: Situation): readonly AlertDecision[] | undefined {
  if (event.superseded && event.kind !== 'deleted') return undefined;
  return situation.settings.rules
    .filter(({ channel, name }) => channel === event.channelId && (event.rule ?? name) === name)
    .flatMap((rule) => {
      const seen = see(event, rule, situation);
      const [, , what, change] = DECISIONS.find(([, holds]) => holds(seen)) ?? [];
      if (what === undefined) return [];
      const alertId = change?.(seen);
      return [{ rule: rule.name, what, ...(alertId !== undefined && { alertId }) }];
    });
}

/** Changes these alerts; the decision names the first of them. */
function replace(
  seen: Seen,
  alerts: readonly Alert[],
  change: (alert: Alert, seen: Seen) => Alert,
): string | undefined {
  for (const one of alerts) seen.situation.alerts.set(one.id, change(one, seen));
  return alerts[0]?.id;
}

function countRepeat(seen: Seen): string | undefined {
  return replace(seen, seen.alike(), (one, { event: { key, ts } }) => ({
    ...{ ...one, repeats: one.repeats + 1 },
    ...(key !== undefined && { signals: [...new Set([...(one.signals ?? [one.ts]), ts])] }),
  }));
}

/** Ends an alert, unless others of its signals fire still; whoever was notified hears that, where the rule wants it. */
function resolve(alert: Alert, { event, rule, situation, situation: { now } }: Seen): Alert {
  const signals = (alert.signals ?? [alert.ts]).filter((ts) => ts !== event.ts);
  if (event.key !== undefined && signals.length > 0) return { ...alert, signals };
  const over = ended(alert, { state: 'resolved', at: now });
  const notified = alert.steps.filter(({ state }) => isCounted(state));
  if (!rule.resolved.notify || notified.length === 0) return over;
  const groups = [...new Set(notified.flatMap((step) => step.groups))];
  const step: AlertStep = { kind: 'resolved', state: 'waiting', groups, dueAt: now, people: [] };
  return { ...over, steps: [...over.steps, plan(over, step, rule, situation)] };
}

/** Keeps the new alert, with the escalations that follow when nobody acknowledges it. */
function keep({ rule, situation, ...seen }: Seen): string {
  const step = seen.step();
  const later = rule.escalate.map(({ afterMinutes, notify: groups }): AlertStep => {
    const dueAt = situation.now + afterMinutes * MINUTE_MS;
    return { kind: 'escalation', state: 'waiting', groups, dueAt, people: [] };
  });
  const alert = { ...seen.alert(), steps: [step, ...(step.state === 'late' ? [] : later)] };
  situation.alerts.set(alert.id, alert);
  return alert.id;
}

/** A digest has at most so many titles. */
const TITLES_KEPT = 20;
/** Slack is not asked for longer to take a digest. */
const HOLDS_KEPT_MS = 24 * HOUR_MS;

/** Counts the alert among those that its rule holds for the digest. */
function hold({ rule, situation, alert }: Seen): undefined {
  const { now, rules } = situation;
  const { id, title } = alert();
  const state = rules.get(rule.name);
  const until = Math.min(now, ...alertsWithinHour(rule, 0, situation)) + HOUR_MS;
  const kept = (state?.holds ?? []).filter((one) => one.until > now - HOLDS_KEPT_MS);
  const before = kept.filter((one) => one.until <= now);
  const begun = { id, channelId: rule.channel, since: now, until, count: 0, titles: {} };
  const current = kept.find((one) => one.until > now) ?? begun;
  const titles = new Map(Object.entries(current.titles));
  if (titles.has(title) || titles.size < TITLES_KEPT) titles.set(title, (titles.get(title) ?? 0) + 1);
  const counted = { ...current, count: current.count + 1, titles: Object.fromEntries(titles) };
  rules.set(rule.name, { ...state, rule: rule.name, holds: [...before, counted] });
}

type Seen = ReturnType<typeof see>;

/** Looks at an event by a rule, for the table. Each fact is found when it is first asked for, and once; nothing is changed. */
function see(event: OpenEvent, rule: AlertRule, situation: Situation) {
  const ofRule = [...situation.alerts.values()].filter((alert) => alert.rule === rule.name);
  const ofMessage = ofRule.filter(({ channelId, ts }) => channelId === event.channelId && ts === event.ts);
  const fingerprint = once(() => fingerprintOf(event.text, rule, event.key));
  const alert = once(() => newAlert(event, rule, fingerprint()));
  return {
    ...{ event, rule, situation },
    /** The open alerts of the message. */
    open: () => ofMessage.filter(({ state }) => state === 'open'),
    /** It is a sign of life, or none, and no alert: that is counted elsewhere. */
    isExpected: () => rule.expect !== undefined && event.rule === undefined,
    /** A signal says so by its status alone. */
    saysResolved: once(() =>
      event.key === undefined ? saysResolved(event.text, rule) : event.kind === 'resolved',
    ),
    /** The alerts that it says are over. */
    over: once(() => {
      const underWay = ofRule.filter(({ state }) => state === 'open' || state === 'acknowledged');
      if (event.key !== undefined)
        return underWay.filter(({ ts, signals = [ts] }) => signals.includes(event.ts));
      if (ofMessage.length === 0) return resolvedIn(underWay, event, fingerprint());
      return underWay.filter((one) => ofMessage.includes(one));
    }),
    /** The id of the alert that these words have made before. */
    known: once(() => knownAlert(event, fingerprint, rule, situation)),
    /** The newest alert with the same fingerprint that is recent enough for this one to be a repetition; none or one. */
    alike: once(() => newest(ofRule.filter((one) => isRepeatedBy(fingerprint(), one, rule, situation)))),
    /** The alert that it makes, without any step yet. */
    alert,
    /** The first step of that alert: who gets what, or why nobody does. */
    step: once(() => firstStep(alert(), rule, situation)),
  };
}

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function newAlert(event: AlertEvent, rule: AlertRule, fingerprint: string): Alert {
  const { channelId, ts, threadTs = ts, text, receivedAt } = event;
  return {
    ...{ id: alertIdFor(event, rule), rule: rule.name, channelId, ts, threadTs, fingerprint },
    title: titleOf(text),
    text: keptText(text),
    ...(event.kind === 'changed' && { edited: true }),
    postedAt: event.saidAt ?? Number(event.eventTs) * 1_000,
    receivedAt,
    state: 'open',
    repeats: 0,
    steps: [],
  };
}

/** One that comes too late goes to nobody. */
function firstStep(alert: Alert, rule: AlertRule, situation: Situation): AlertStep {
  const { now } = situation;
  const step = { kind: 'alert', groups: rule.notify, dueAt: now, people: [] } as const;
  if (isLate(alert.postedAt, situation)) return { ...step, state: 'late', at: now };
  return plan(alert, { ...step, state: 'waiting' }, rule, situation);
}

/** True when the author is one of the rule's sources; without sources, always. */
export function isFrom(
  { author, rule }: Pick<AlertEvent, 'author' | 'rule'>,
  { from }: Pick<AlertRule, 'from'>,
): boolean {
  // Herald's own about this rule.
  if (rule !== undefined) return true;
  const { apps = [], bots = [], users = [], names = [], sources = [] } = from;
  if ([apps, bots, users, names, sources].every(({ length }) => length === 0)) return true;
  const { appId = '', botId = '', userId = '', name = '', source = '' } = author;
  if (sources.includes(source)) return true;
  if (apps.includes(appId) || bots.includes(botId) || users.includes(userId)) return true;
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** True when the rule’s patterns let the text through. */
export function fits(text: string, { match, except }: AlertRule): boolean {
  return (match === undefined || match.find(text) !== undefined) && except?.find(text) === undefined;
}

/** Decisions after which whoever is concerned has been notified of these words. */
const NOTIFIED: ReadonlySet<string> = new Set(['sent', 'repeated', 'acknowledged_before', 'known']);

/** Finds the alert of the same event, or of what the message said before, where an edit says nothing new. */
function knownAlert(
  event: OpenEvent,
  fingerprint: () => string,
  rule: AlertRule,
  { alerts }: Situation,
): string | undefined {
  const id = alertIdFor(event, rule);
  if (alerts.has(id)) return id;
  const { before } = event;
  if (before === undefined || fingerprintOf(before.text, rule) !== fingerprint()) return undefined;
  return before.decisions.find((one) => one.rule === rule.name && NOTIFIED.has(one.what))?.alertId;
}

function isRepeatedBy(
  fingerprint: string,
  alert: Alert,
  { coolDownMinutes }: AlertRule,
  { settings, now }: Situation,
): boolean {
  const quietMinutes = {
    open: coolDownMinutes,
    acknowledged: Math.max(coolDownMinutes, settings.acknowledgedMinutes),
    // An alert that fires again after it was resolved is a new one.
    resolved: 0,
    deleted: coolDownMinutes,
  } as const;
  // A clock that was set back does not make of every new one a repetition.
  const sinceMs = Math.abs(now - (alert.ended?.at ?? alert.receivedAt));
  return alert.fingerprint === fingerprint && sinceMs < quietMinutes[alert.state] * MINUTE_MS;
}

/**
 * The alert of another message that this one resolves: that with the same fingerprint whatever the count, else that with the
 * same title if only one alert that is under way has it. A wrong guess would suppress an escalation.
 */
function resolvedIn(underWay: readonly Alert[], event: AlertEvent, counted: string): readonly Alert[] {
  const fingerprint = withoutCount(counted);
  const same = newest(underWay.filter((alert) => withoutCount(alert.fingerprint) === fingerprint));
  if (same.length > 0 || fingerprint.startsWith('key:')) return same;
  const title = titleOf(event.text);
  const alike = underWay.filter((alert) => alert.title === title);
  return alike.length === 1 ? alike : [];
}

function newest(alerts: readonly Alert[]): readonly Alert[] {
  return alerts.toSorted((one, other) => other.receivedAt - one.receivedAt).slice(0, 1);
}
