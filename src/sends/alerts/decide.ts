import type { Alert, AlertDecision, OpenEvent } from './alert.ts';
import { ended, escalations, resolve, withHeld } from './changes.ts';
import { isMuted, type Situation } from './plan.ts';
import { type Seen, see } from './seen.ts';

/* What a rule makes of an event: the first row of the table whose fact holds. */

interface Row {
  readonly fact: string;
  readonly holds: (seen: Seen) => boolean;
  /** Absent: the rule has nothing to do with the event, and that is not recorded. */
  readonly what?: AlertDecision['what'];
  /** Changes the situation; returns the alert that the decision is about, where there is one. */
  readonly change?: (seen: Seen) => Pick<Alert, 'id'> | undefined;
}

function row(
  fact: string,
  holds: Row['holds'],
  what?: AlertDecision['what'],
  change?: NonNullable<Row['change']>,
): Row {
  return { fact, holds, ...(what && { what }), ...(change && { change }) };
}

const isDeleted = ({ event }: Seen) => event.kind === 'deleted';

/** Drawn in docs/alerts.md (`npm run documents`). */
export const DECISIONS: readonly Row[] = [
  row(
    'the message was deleted, and its alert is open',
    (seen) => isDeleted(seen) && seen.open().length > 0,
    'withdrawn',
    (seen) => replace(seen, seen.open(), withdraw),
  ),
  row('the message was deleted', isDeleted),
  row('the rule expects signs of life, and this is one or none', (seen) => seen.isExpected()),
  row('it is from none of the rule’s sources', (seen) => !seen.isFrom()),
  row(
    'it says that an alert is over, and one is under way',
    (seen) => seen.saysResolved() && seen.over().length > 0,
    'resolved',
    (seen) => replace(seen, seen.over(), resolve),
  ),
  row('it says that something is over', (seen) => seen.saysResolved()),
  row('its words do not fit `match` and `except`', (seen) => !seen.fits()),
  row(
    'the same words of the same message made an alert before',
    (seen) => seen.known() !== undefined,
    'known',
    (seen) => ({ id: seen.known() ?? '' }),
  ),
  row('the rule is muted', ({ rule, situation }) => isMuted(rule, situation), 'muted'),
  row(
    'it repeats an alert that was acknowledged',
    (seen) => seen.alike()?.state === 'acknowledged',
    'acknowledged_before',
    countRepeat,
  ),
  row('it repeats an alert', (seen) => seen.alike() !== undefined, 'repeated', countRepeat),
  row('it was said too long ago', (seen) => seen.step().state === 'late', 'late', keep),
  row('the rule has reached its cap', (seen) => seen.step().state === 'held', 'held', hold),
  row('nobody can be reached', (seen) => seen.step().state === 'nobody', 'nobody', keep),
  row('it is a new alert', () => true, 'sent', keep),
];

/** The decisions of all rules that match an event, in their order; undefined of what a later event has overtaken. */
export function decideEvent(event: OpenEvent, situation: Situation): readonly AlertDecision[] | undefined {
  if (event.superseded && event.kind !== 'deleted') return undefined;
  return situation.settings.rules
    .filter(({ channel, name }) => channel === event.channelId && (event.rule ?? name) === name)
    .flatMap((rule) => {
      const seen = see(event, rule, situation);
      const { what, change } = DECISIONS.find(({ holds }) => holds(seen)) ?? {};
      if (what === undefined) return [];
      const alertId = change?.(seen)?.id;
      return [{ rule: rule.name, what, ...(alertId !== undefined && { alertId }) }];
    });
}

type Change = (alert: Alert, rule: Seen['rule'], situation: Situation) => Alert;

/** Changes these alerts; the first of them is what the decision names. */
function replace({ rule, situation }: Seen, alerts: readonly Alert[], change: Change): Alert | undefined {
  for (const one of alerts) situation.alerts.set(one.id, change(one, rule, situation));
  return alerts[0];
}

function withdraw(alert: Alert, _rule: Seen['rule'], { now }: Situation): Alert {
  return ended(alert, { state: 'deleted', at: now });
}

function countRepeat(seen: Seen): Alert | undefined {
  const alike = seen.alike();
  return replace(seen, alike === undefined ? [] : [alike], (one) => ({ ...one, repeats: one.repeats + 1 }));
}

/** Keeps the new alert, with what follows when nobody acknowledges it. */
function keep({ rule, situation, ...seen }: Seen): Alert {
  const step = seen.step();
  const later = step.state === 'late' ? [] : escalations(rule, situation.now);
  const alert = { ...seen.alert(), steps: [step, ...later] };
  situation.alerts.set(alert.id, alert);
  return alert;
}

function hold({ rule, situation, alert }: Seen): undefined {
  situation.rules.set(rule.name, withHeld(situation.rules.get(rule.name), alert(), rule, situation));
}
