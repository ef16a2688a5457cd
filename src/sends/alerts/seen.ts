import { type Alert, type AlertEvent, type AlertStep, alertIdOf, type OpenEvent } from './alert.ts';
import { newAlert } from './changes.ts';
import { isLate, MINUTE_MS, plan, type Situation } from './plan.ts';
import type { AlertRule } from './rules.ts';
import { fingerprintOf, saysResolved, titleOf, withoutCount } from './text.ts';

/* An event as one rule sees it: the facts that the table of decide.ts asks for. */

export type Seen = ReturnType<typeof see>;

/** Looks at an event by a rule. Each fact is found when it is first asked for, and once; nothing is changed. */
export function see(event: OpenEvent, rule: AlertRule, situation: Situation) {
  const fingerprint = once(() => fingerprintOf(event.text, rule, event.key));
  const ofMessage = once(() =>
    alertsOf(rule, situation).filter(({ channelId, ts }) => channelId === event.channelId && ts === event.ts),
  );
  const alert = once(() => newAlert(event, alertIdFor(event, rule), rule, fingerprint()));
  return {
    ...{ event, rule, situation },
    /** The open alerts of the message. */
    open: once(() => ofMessage().filter(({ state }) => state === 'open')),
    /** It is a sign of life, or none, and no alert: that is counted elsewhere. */
    isExpected: () => rule.expect !== undefined && event.rule === undefined,
    isFrom: () => isFrom(event, rule),
    /** A signal says so by its status alone. */
    saysResolved: once(() =>
      event.key === undefined ? saysResolved(event.text, rule) : event.kind === 'resolved',
    ),
    /** The alerts that it says are over. */
    over: once(() =>
      ofMessage().length > 0
        ? ofMessage().filter(isUnderWay)
        : resolvedElsewhere(event, fingerprint(), rule, situation),
    ),
    fits: () => event.rule !== undefined || fits(event.text, rule),
    /** The id of the alert that these words have made before. */
    known: once(() => knownAlert(event, fingerprint, rule, situation)),
    /** The newest alert with the same fingerprint that is recent enough for this one to be a repetition. */
    alike: once(() => likeIt(fingerprint(), rule, situation)),
    /** The alert that it makes, without any step yet. */
    alert,
    /** The first step of that alert: who gets what, or why nobody does. */
    step: once(() => firstStep(alert(), rule, situation)),
  };
}

/** One that comes too late goes to nobody. */
function firstStep(alert: Alert, rule: AlertRule, situation: Situation): AlertStep {
  const { now } = situation;
  const step = { kind: 'alert', groups: rule.notify, dueAt: now, people: [] } as const;
  if (isLate(alert.postedAt, situation)) return { ...step, state: 'late', at: now };
  return plan(alert, { ...step, state: 'waiting' }, rule, situation);
}

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
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

/** The id of the alert that an event makes. */
export function alertIdFor({ channelId, ts, kind, eventTs }: AlertEvent, { name }: AlertRule): string {
  return alertIdOf(channelId, ts, name, kind === 'changed' ? eventTs : undefined);
}

function alertsOf({ name }: AlertRule, { alerts }: Situation): readonly Alert[] {
  return [...alerts.values()].filter(({ rule }) => rule === name);
}

/** True when the rule’s patterns let the text through. */
export function fits(text: string, { match, except }: AlertRule): boolean {
  return (match === undefined || match.find(text) !== undefined) && except?.find(text) === undefined;
}

/** Decisions after which whoever is concerned has been notified of these words. */
const NOTIFIED: ReadonlySet<string> = new Set(['sent', 'repeated', 'acknowledged_before', 'known']);

/** By the same event, or by what the message said before, where an edit says nothing new. */
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

function likeIt(fingerprint: string, rule: AlertRule, situation: Situation): Alert | undefined {
  const { settings, now } = situation;
  const quietMs = {
    open: rule.coolDownMinutes * MINUTE_MS,
    acknowledged: Math.max(rule.coolDownMinutes, settings.acknowledgedMinutes) * MINUTE_MS,
    // An alert that fires again after it was resolved is a new one.
    resolved: 0,
    deleted: rule.coolDownMinutes * MINUTE_MS,
  } as const;
  return newest(
    alertsOf(rule, situation).filter(
      (alert) =>
        alert.fingerprint === fingerprint &&
        // A clock that was set back does not make of every new one a repetition.
        Math.abs(now - (alert.ended?.at ?? alert.receivedAt)) < quietMs[alert.state],
    ),
  );
}

/**
 * The alert of another message that this one resolves: that with the same fingerprint whatever the count, else that with the
 * same title if only one alert that is under way has it. A wrong guess would suppress an escalation.
 */
function resolvedElsewhere(
  event: AlertEvent,
  itsFingerprint: string,
  rule: AlertRule,
  situation: Situation,
): readonly Alert[] {
  const underWay = alertsOf(rule, situation).filter(isUnderWay);
  const fingerprint = withoutCount(itsFingerprint);
  const same = newest(underWay.filter((alert) => withoutCount(alert.fingerprint) === fingerprint));
  if (same !== undefined) return [same];
  const title = titleOf(event.text);
  const alike = fingerprint.startsWith('key:') ? [] : underWay.filter((alert) => alert.title === title);
  return alike.length === 1 ? alike : [];
}

function isUnderWay({ state }: Alert): boolean {
  return state === 'open' || state === 'acknowledged';
}

function newest(alerts: readonly Alert[]): Alert | undefined {
  return alerts.toSorted((one, other) => other.receivedAt - one.receivedAt)[0];
}
