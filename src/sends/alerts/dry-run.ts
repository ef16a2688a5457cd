import type { AlertEvent, Members } from './alert.ts';
import { decideEvent, isFrom } from './decide.ts';
import type { Situation } from './plan.ts';
import type { AlertRule, AlertSettings } from './rules.ts';

/** A message with what a rule would have done with it: the texts that would have been sent, and to how many people. */
export type TriedMessage = ReturnType<typeof tryRule>[number];

/**
 * Tries a rule on past messages and signals, each decided at the time it came, with cool-downs and caps. Nothing
 * is stored or sent. Escalations are left out, because acknowledgements cannot be predicted.
 *
 * @param events in the order they came
 * @param members who is in the user groups of Slack that it notifies
 */
export function tryRule(
  ruleName: string,
  events: readonly AlertEvent[],
  settings: AlertSettings,
  numbers: Situation['numbers'],
  members: Members = {},
) {
  const only = { ...settings, rules: settings.rules.filter(({ name }) => name === ruleName) };
  const rules = new Map([[ruleName, { rule: ruleName, members }]]);
  const atFirst: Situation = { settings: only, now: 0, alerts: new Map(), rules, numbers };
  return events.flatMap((event) => {
    // Slack counts in microseconds, of which a time of day cannot be made.
    const now = Math.floor(event.receivedAt);
    const open = { ...event, receivedAt: now, superseded: false };
    const decisions = decideEvent(open, { ...atFirst, now }) ?? [];
    return decisions.map(({ what, alertId }) => {
      const step = what === 'sent' ? atFirst.alerts.get(alertId ?? '')?.steps[0] : undefined;
      const people = (step?.people ?? []).filter(({ refusal }) => refusal === undefined);
      return { event, what, texts: [...new Set(people.map(({ text }) => text))], people: people.length };
    });
  });
}

/** Somebody who posted what came to nothing; `isSource` where that lies in the rule's patterns only. */
export type Misfit = ReturnType<typeof misfits>[number];

/** Finds who posted messages that a rule did nothing with, most first. */
export function misfits(rule: AlertRule, events: readonly AlertEvent[], tried: readonly TriedMessage[]) {
  const fitted = new Set(tried.map(({ event }) => event));
  const authors = Map.groupBy(
    events.filter((event) => !fitted.has(event)),
    ({ author: { source, appId, botId, userId, name } }) =>
      JSON.stringify([source, appId, botId, userId, name]),
  );
  return [...authors.values()]
    .flatMap((posted) => {
      const [first] = posted;
      return first ? [{ author: first.author, isSource: isFrom(first, rule), count: posted.length }] : [];
    })
    .toSorted((one, other) => other.count - one.count);
}
