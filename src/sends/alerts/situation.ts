import { asOutage } from '../../core/outage.ts';
import type { Alert, RuleState } from './alert.ts';
import { HOUR_MS, MINUTE_MS, numbersOnFile, type Situation } from './plan.ts';
import type { AlertChanges, AlertState, AlertStore } from './ports.ts';
import type { AlertSettings } from './rules.ts';

/** An alert that is open for longer can no longer be resolved by a message. */
const OPEN_FOR_MS = 48 * HOUR_MS;
/** Tries when other processes commit first; each decides anew. */
const TRIES = 50;

interface SituationDependencies {
  readonly store: Pick<AlertStore, 'state' | 'commit' | 'numbers'>;
  readonly settings: AlertSettings;
  readonly clock: { now(): number };
}

/** What a decision changes: the situation's alerts and rules, and the events that it adds to those decided on. */
interface Deciding extends Situation {
  readonly decided: NonNullable<AlertChanges['events']>[number][];
}

/**
 * Reads the state, decides, and writes the result in one transaction; if another process has written meanwhile, it starts
 * again. So caps, cool-downs and acknowledgements are exact with any number of processes.
 */
export function createDeciding({ store, settings, clock }: SituationDependencies) {
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
      const changes = { events: situation.decided, ...changed(state, situation) };
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

/** Alerts and rules that were replaced; they are immutable, so comparing references is enough. */
function changed(state: AlertState, situation: Situation) {
  const alerts = new Map<string, Alert>(state.alerts.map((alert) => [alert.id, alert]));
  const rules = new Map<string, RuleState>(state.rules.map((rule) => [rule.rule, rule]));
  return {
    alerts: [...situation.alerts.values()].filter((alert) => alerts.get(alert.id) !== alert),
    rules: [...situation.rules.values()].filter((rule) => rules.get(rule.rule) !== rule),
  };
}
