import type { Alert, AlertEvent, AlertHold, AlertStep, RuleState } from './alert.ts';
import { alertsWithinHour, HOUR_MS, isCounted, MINUTE_MS, plan, type Situation } from './plan.ts';
import type { AlertRule } from './rules.ts';
import { keptText, titleOf } from './text.ts';

/* What the decisions of decide.ts change. Alerts and rules are immutable: each change makes another one. */

/** Most titles in a digest. */
const TITLES_KEPT = 20;
/** Slack is not asked for longer to take a digest. */
const HOLDS_KEPT_MS = 24 * HOUR_MS;

/** The alert that an event makes by a rule, without any step yet. */
export function newAlert(event: AlertEvent, id: string, rule: AlertRule, fingerprint: string): Alert {
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

/** The escalations of a rule, as steps that wait. */
export function escalations(rule: AlertRule, now: number): readonly AlertStep[] {
  return rule.escalate.map(({ afterMinutes, notify }) => ({
    kind: 'escalation',
    state: 'waiting',
    groups: notify,
    dueAt: now + afterMinutes * MINUTE_MS,
    people: [],
  }));
}

/** The state of a rule once it holds one more alert for the digest. */
export function withHeld(
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

/** The alert once it is over; whoever was notified of it is notified of that, where the rule wants it. */
export function resolve(alert: Alert, rule: AlertRule, situation: Situation): Alert {
  const { now } = situation;
  const over = ended(alert, { state: 'resolved', at: now });
  const notified = alert.steps.filter(({ state }) => isCounted(state));
  if (!rule.resolved.notify || notified.length === 0) return over;
  const groups = [...new Set(notified.flatMap((step) => step.groups))];
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
