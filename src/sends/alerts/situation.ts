import { asOutage } from '../../core/outage.ts';
import type { Alert, RuleState } from './alert.ts';
import { HOUR_MS, type Situation } from './plan.ts';
import type { AlertChanges, AlertState, AlertStore } from './ports.ts';
import type { AlertSettings } from './rules.ts';

const MINUTE_MS = 60_000;
/** An alert that is open for longer can no longer be resolved by a message. */
const OPEN_FOR_MS = 48 * HOUR_MS;
/** Tries when other processes commit first; each decides anew. */
const TRIES = 50;

interface SituationDependencies {
  readonly store: Pick<AlertStore, 'state' | 'commit' | 'numbers'>;
  readonly settings: AlertSettings;
  readonly clock: { now(): number };
}

/** A decision: it changes the situation's alerts and rules, and returns what else changes. */
type Decide<Value> = (
  situation: Situation,
  now: number,
) => { readonly value: Value; readonly events?: AlertChanges['events'] };

/**
 * Reads the state, decides, and writes the result in one transaction; if another process has written meanwhile, it starts
 * again. So caps, cool-downs and acknowledgements are exact with any number of processes.
 */
export function createDeciding({ store, settings, clock }: SituationDependencies) {
  return async <Value>(ids: readonly string[], decide: Decide<Value>): Promise<Value> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const now = clock.now();
      const numbers = new Map((await store.numbers()).map(({ userId, number }) => [userId, number]));
      const state = await store.state({ ...since(settings, now), ids });
      const situation = situationOf(state, numbers);
      const { value, events = [] } = decide(situation, now);
      const changes = { events, ...changed(state, situation) };
      const nothing = events.length + changes.alerts.length + changes.rules.length === 0;
      if (nothing || (await store.commit(state.version, changes, now))) return value;
    }
    throw asOutage(new Error('Others kept writing alerts; this one is tried again later.'));
  };
}

/** From when on alerts may matter. */
function since({ rules, acknowledgedMinutes }: AlertSettings, now: number) {
  const minutes = Math.max(60, acknowledgedMinutes, ...rules.map(({ coolDownMinutes }) => coolDownMinutes));
  return { recent: now - minutes * MINUTE_MS, openSince: now - OPEN_FOR_MS };
}

function situationOf(state: AlertState, numbers: Situation['numbers']): Situation {
  return {
    alerts: new Map(state.alerts.map((alert) => [alert.id, alert])),
    rules: new Map(state.rules.map((rule) => [rule.rule, rule])),
    numbers,
  };
}

/** Alerts and rules that were replaced; they are immutable, so comparing references is enough. */
function changed(state: AlertState, situation: Situation) {
  const alerts = new Map<string, Alert>(state.alerts.map((alert) => [alert.id, alert]));
  const rules = new Map<string, RuleState>(state.rules.map((rule) => [rule.rule, rule]));
  return {
    alerts: [...situation.alerts.values()].filter((alert) => alerts.get(alert.id) !== alert),
    rules: [...situation.rules.values()].filter((rule) => rules.get(rule.rule) !== rule),
  };
}
