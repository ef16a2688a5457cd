import {
  type Alert,
  type AlertDecision,
  type AlertEvent,
  type AlertHold,
  type AlertStep,
  alertIdOf,
  type RuleState,
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

/** Most titles in a digest. */
const TITLES_KEPT = 20;
/** Slack is not asked for longer to take a digest. */
const HOLDS_KEPT_MS = 24 * HOUR_MS;

/** An event, with whether there is a later one of the same message. */
export interface OpenEvent extends AlertEvent {
  readonly superseded: boolean;
  /** What the message said when it was last looked at, and what came of it. */
  readonly before?: { readonly text: string; readonly decisions: readonly AlertDecision[] };
}

/** Decisions that say that whoever was to be told of these words was. */
const TOLD: ReadonlySet<string> = new Set(['sent', 'repeated', 'acknowledged_before', 'known']);

/** What one rule decides. */
type Verdict = Omit<AlertDecision, 'rule'>;

/** The decisions of all rules that match an event, in their order; undefined of what a later event has overtaken. */
export function decideEvent(event: OpenEvent, situation: Situation): readonly AlertDecision[] | undefined {
  if (event.superseded && event.kind !== 'deleted') return undefined;
  return situation.settings.rules
    .filter(({ channel }) => channel === event.channelId)
    .flatMap((rule) => {
      const verdict = decide(event, rule, situation);
      return verdict === undefined ? [] : [{ rule: rule.name, ...verdict }];
    });
}

function decide(event: OpenEvent, rule: AlertRule, situation: Situation): Verdict | undefined {
  const { alerts, now } = situation;
  const id = alertIdFor(event, rule);
  const ofMessage = [...alerts.values()].filter(
    (alert) => alert.rule === rule.name && alert.channelId === event.channelId && alert.ts === event.ts,
  );
  if (event.kind === 'deleted') {
    const open = ofMessage.filter(({ state }) => state === 'open');
    for (const one of open) alerts.set(one.id, ended(one, { state: 'deleted', at: now }));
    return open[0] && { what: 'withdrawn', alertId: open[0].id };
  }
  if (!isFrom(event, rule)) return undefined;
  if (saysResolved(event.text, rule)) {
    const over = resolvedAlerts(event, rule, ofMessage, situation);
    for (const one of over) alerts.set(one.id, resolve(one, rule, situation));
    return over[0] && { what: 'resolved', alertId: over[0].id };
  }
  if (!fits(event.text, rule)) return undefined;
  const known = alerts.has(id) ? id : toldBefore(event, rule)?.alertId;
  return known === undefined ? decideNew(event, id, rule, situation) : { what: 'known', alertId: known };
}

/** True when the author is one of the rule's sources; without sources, always. */
export function isFrom({ author }: Pick<AlertEvent, 'author'>, { from }: Pick<AlertRule, 'from'>): boolean {
  const { apps = [], bots = [], users = [], names = [] } = from;
  if ([apps, bots, users, names].every(({ length }) => length === 0)) return true;
  const { appId = '', botId = '', userId = '', name = '' } = author;
  if (apps.includes(appId) || bots.includes(botId) || users.includes(userId)) return true;
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** The id of the alert that an event makes. */
export function alertIdFor({ channelId, ts, kind, eventTs }: AlertEvent, { name }: AlertRule): string {
  return alertIdOf(channelId, ts, name, kind === 'changed' ? eventTs : undefined);
}

/** What was decided on these words before, where an edit says nothing new and those whom it concerns were told. */
function toldBefore({ before, text }: OpenEvent, rule: AlertRule): AlertDecision | undefined {
  const last = before?.decisions.find((decision) => decision.rule === rule.name && TOLD.has(decision.what));
  return before && fingerprintOf(before.text, rule) === fingerprintOf(text, rule) ? last : undefined;
}

function fits(text: string, { match, except }: AlertRule): boolean {
  return (match === undefined || match.find(text) !== undefined) && except?.find(text) === undefined;
}

function decideNew(event: AlertEvent, id: string, rule: AlertRule, situation: Situation): Verdict {
  const { alerts, rules, now } = situation;
  if (isMuted(rule, situation)) return { what: 'muted' };
  const fingerprint = fingerprintOf(event.text, rule);
  const alike = likeIt(fingerprint, rule, situation);
  if (alike !== undefined) {
    alerts.set(alike.id, { ...alike, repeats: alike.repeats + 1 });
    return { what: alike.state === 'acknowledged' ? 'acknowledged_before' : 'repeated', alertId: alike.id };
  }
  const alert = newAlert(event, id, rule, fingerprint);
  const step = { kind: 'alert', groups: rule.notify, dueAt: now } as const;
  if (isLate(alert.postedAt, situation)) {
    alerts.set(id, { ...alert, steps: [{ ...step, state: 'late', at: now, people: [] }] });
    return { what: 'late', alertId: id };
  }
  const planned = plan(alert, { ...step, state: 'waiting', people: [] }, rule, situation);
  if (planned.state === 'held') {
    rules.set(rule.name, withHeld(rules.get(rule.name), alert, rule, situation));
    return { what: 'held' };
  }
  alerts.set(id, { ...alert, steps: [planned, ...escalations(rule, now)] });
  return { what: planned.state === 'nobody' ? 'nobody' : 'sent', alertId: id };
}

/** The newest alert with this fingerprint that is recent enough for this one to be a repetition. */
function likeIt(
  fingerprint: string,
  rule: AlertRule,
  { settings, alerts, now }: Situation,
): Alert | undefined {
  const quietMs = {
    open: rule.coolDownMinutes * MINUTE_MS,
    acknowledged: Math.max(rule.coolDownMinutes, settings.acknowledgedMinutes) * MINUTE_MS,
    // An alert that fires again after it was resolved is a new one.
    resolved: 0,
    deleted: rule.coolDownMinutes * MINUTE_MS,
  } as const;
  return newest(
    [...alerts.values()].filter(
      (alert) =>
        alert.rule === rule.name &&
        alert.fingerprint === fingerprint &&
        now - (alert.ended?.at ?? alert.receivedAt) < quietMs[alert.state],
    ),
  );
}

function newest(alerts: readonly Alert[]): Alert | undefined {
  return alerts.toSorted((one, other) => other.receivedAt - one.receivedAt)[0];
}

function newAlert(event: AlertEvent, id: string, rule: AlertRule, fingerprint: string): Alert {
  const { channelId, ts, threadTs = ts, text, receivedAt } = event;
  return {
    id,
    rule: rule.name,
    channelId,
    ts,
    threadTs,
    fingerprint,
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

function escalations(rule: AlertRule, now: number): readonly AlertStep[] {
  return rule.escalate.map(({ afterMinutes, notify }) => ({
    kind: 'escalation',
    state: 'waiting',
    groups: notify,
    dueAt: now + afterMinutes * MINUTE_MS,
    people: [],
  }));
}

function withHeld(
  state: RuleState | undefined,
  { id, title }: Alert,
  rule: AlertRule,
  situation: Situation,
): RuleState {
  const { now } = situation;
  const until = Math.min(now, ...alertsWithinHour(rule, 0, situation)) + HOUR_MS;
  const kept = (state?.holds ?? []).filter((one) => one.until > now - HOLDS_KEPT_MS);
  const before = kept.filter((one) => one.until <= now);
  const begun: AlertHold = { id, channelId: rule.channel, since: now, until, count: 0, titles: {} };
  const hold = kept.find((one) => one.until > now) ?? begun;
  const titles = new Map(Object.entries(hold.titles));
  if (titles.has(title) || titles.size < TITLES_KEPT) titles.set(title, (titles.get(title) ?? 0) + 1);
  const counted = { count: hold.count + 1, titles: Object.fromEntries(titles) };
  return { ...state, rule: rule.name, holds: [...before, { ...hold, ...counted }] };
}

/**
 * The open alerts that a message resolves: those of the same message, else the one with the same fingerprint whatever the
 * count, else that with the same title if only one open alert has it. A wrong guess would suppress an escalation.
 */
function resolvedAlerts(
  event: AlertEvent,
  rule: AlertRule,
  ofMessage: readonly Alert[],
  { alerts }: Situation,
): readonly Alert[] {
  const isOpen = ({ state }: Alert) => state === 'open' || state === 'acknowledged';
  if (ofMessage.length > 0) return ofMessage.filter(isOpen);
  const open = [...alerts.values()].filter((alert) => alert.rule === rule.name && isOpen(alert));
  const fingerprint = withoutCount(fingerprintOf(event.text, rule));
  const same = newest(open.filter((alert) => withoutCount(alert.fingerprint) === fingerprint));
  if (same !== undefined) return [same];
  const title = titleOf(event.text);
  const alike = fingerprint.startsWith('key:') ? [] : open.filter((alert) => alert.title === title);
  return alike.length === 1 ? alike : [];
}

function resolve(alert: Alert, rule: AlertRule, situation: Situation): Alert {
  const { now } = situation;
  const over = ended(alert, { state: 'resolved', at: now });
  const told = alert.steps.filter(({ state }) => isCounted(state));
  if (!rule.resolved.notify || told.length === 0) return over;
  const groups = [...new Set(told.flatMap((step) => step.groups))];
  const step: AlertStep = { kind: 'resolved', state: 'waiting', groups, dueAt: now, people: [] };
  return { ...over, steps: [...over.steps, plan(over, step, rule, situation)] };
}

/** The alert once it is no longer open: waiting steps are cancelled. */
export function ended(
  alert: Alert,
  { state, ...how }: { readonly state: Exclude<Alert['state'], 'open'> } & NonNullable<Alert['ended']>,
): Alert {
  return {
    ...alert,
    state,
    ended: how,
    steps: alert.steps.map((step) => (step.state === 'waiting' ? { ...step, state: 'cancelled' } : step)),
  };
}

/** The alert without its steps in `states`, which become `late`; the same object when there are none. */
export function withoutSteps(alert: Alert, states: readonly AlertStep['state'][], note: string): Alert {
  if (!alert.steps.some(({ state }) => states.includes(state))) return alert;
  const steps = alert.steps.map((step) =>
    states.includes(step.state) ? ({ ...step, state: 'late', note } as const) : step,
  );
  return { ...alert, steps };
}
