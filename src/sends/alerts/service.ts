import { personOf } from '../../messages/numbers/person.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { createBackgroundWork } from '../background-work.ts';
import { type SetAsideDependencies, workOnInputs } from '../set-aside.ts';
import type { Alert, AlertEvent, RuleState } from './alert.ts';
import { alertIdFor, decideEvent, ended, withoutSteps } from './decide.ts';
import { type PagingDependencies, sendStep } from './paging.ts';
import { plan } from './plan.ts';
import type { AlertStore, StoredAlertEvent } from './ports.ts';
import type { AlertRule } from './rules.ts';
import { createDeciding } from './situation.ts';

/** Events decided on together. */
const BATCH = 100;
const DUE_BATCH = 50;
const EVERYTHING = 1_000_000;
const IDLE_MS = 30_000;
const MINUTE_MS = 60_000;
const AGAIN_MS = 2_000;

const DOWN = 'Herald was not running when this was due, and it is too late now. It was not sent.';
const BROKEN_OFF =
  'Herald was stopped while this was being sent, and it is too late for the rest. /sends lists who was sent to before that.';

/** The whole text must match: “ok, what?” does not acknowledge. */
const ACKNOWLEDGING = /^[^\p{L}\p{N}]*(?:ack|acknowledged?|ok|okay|yes|on it)[^\p{L}\p{N}]*$/iu;
const UNSENDABLE =
  'Herald failed three times to send this and has given up. /sends lists who was sent to before that; Herald’s log says more.';
const RESTORED =
  'The database is an older copy, in which this was not sent yet; it may have been sent since. It was not sent again.';
const UNSENT = ['planned', 'waiting'] as const;
const RULE_GONE = 'The rule is no longer in herald.yml. It was not sent.';

export interface AlertsDependencies extends PagingDependencies, SetAsideDependencies {
  readonly store: AlertStore;
  readonly metrics: SetAsideDependencies['metrics'] & { alertEvent(result: string): void };
  readonly stopping: AbortSignal;
}

export type AcknowledgeResult =
  | { readonly state: 'acknowledged' }
  /** Somebody else acknowledged it, or it was resolved. */
  | { readonly state: 'ended'; readonly alert: Alert }
  | { readonly state: 'not_found' };

export interface Alerts {
  /** Stores an event, which is then processed in the background. Rejects when it could not be stored. */
  receive(event: AlertEvent): Promise<void>;
  acknowledge(alertId: string, by: string): Promise<AcknowledgeResult>;
  /** Somebody who was notified has replied by phone; the reply may acknowledge the alert. */
  answered(alertId: string, number: Msisdn | undefined, text: string): Promise<void>;
  /** No alert of the rule is sent until then; 0 ends it. */
  mute(rule: string, until: number, by: string): Promise<void>;
  ruleStates(): Promise<readonly RuleState[]>;
  /** Called before `start` on a restored copy of the database: nothing that is unsent in it is sent. */
  stopRestored(): Promise<void>;
  /** Starts the processing, with what an earlier process left. */
  start(): void;
  /** After `stopping` has aborted: waits for work in progress. */
  drained(): Promise<void>;
}

/**
 * Alerts, from a message in a channel to phones: stored, decided once, sent, announced in the thread. Each step continues
 * from the store after a crash, and none is done twice.
 */
export function createAlerts(dependencies: AlertsDependencies): Alerts {
  const { store, settings, metrics, clock } = dependencies;
  const { createLoop, drained } = createBackgroundWork('a part of the alerts', dependencies);
  const decideOn = createDeciding(dependencies);
  const ruleNamed = (name: string) => settings.rules.find((rule) => rule.name === name);

  const deciding = createLoop('deciding on alerts', async () => {
    const events = await store.waiting(BATCH);
    if (events.length === 0) return IDLE_MS;
    const giveUp = ({ id }: StoredAlertEvent) => decideOn([], () => ({ value: undefined, events: [{ id }] }));
    const restMs = await workOnInputs(
      { source: 'alert_event', items: events, idOf: ({ id }) => String(id), work: decideAll, giveUp },
      dependencies,
    );
    sending.wake();
    return restMs;
  });

  async function decideAll(events: readonly StoredAlertEvent[]): Promise<void> {
    const ids = events.flatMap((event) => [
      ...settings.rules.map((rule) => alertIdFor(event, rule)),
      ...(event.before?.decisions.flatMap(({ alertId }) => alertId ?? []) ?? []),
    ]);
    const decided = await decideOn(ids, (situation, now) => {
      const made = events.map((event) => ({
        id: event.id,
        decisions: decideEvent(event, settings, situation, now),
      }));
      return { value: made, events: made };
    });
    for (const { what } of decided.flatMap(({ decisions = [] }) => decisions)) metrics.alertEvent(what);
  }

  const sending = createLoop('sending alerts', async () => {
    const now = clock.now();
    let again = false;
    const alerts = await store.due(now, DUE_BATCH);
    if (alerts.length > 0) {
      const work = async (some: readonly Alert[]) => {
        for (const alert of some) again = !(await act(alert)) || again;
      };
      const giveUp = ({ id }: Alert) => change(id, (alert) => withoutSteps(alert, UNSENT, UNSENDABLE));
      const restMs = await workOnInputs(
        { source: 'alert', items: alerts, idOf: ({ id }) => id, work, giveUp },
        dependencies,
      );
      if (again || restMs > 0) return Math.max(AGAIN_MS, restMs);
    }
    const due = await store.nextDue();
    if (due === undefined) return IDLE_MS;
    return Math.min(IDLE_MS, Math.max(0, due - clock.now()));
  });

  /** Does the due steps of an alert. False when one must be tried again. */
  async function act(alert: Alert): Promise<boolean> {
    const rule = ruleNamed(alert.rule);
    if (rule === undefined) {
      await change(alert.id, (one) =>
        ended(withoutSteps(one, ['planned'], RULE_GONE), { state: 'deleted', at: clock.now() }),
      );
      return true;
    }
    let complete = true;
    for (const [place, { state, dueAt }] of alert.steps.entries()) {
      if (dueAt > clock.now()) continue;
      if (state === 'waiting') await planStep(alert.id, place, rule);
      if (state === 'planned') complete = (await send(alert, place, rule)) && complete;
    }
    return complete;
  }

  /** Plans a due escalation, unless it is too late. */
  function planStep(alertId: string, place: number, rule: AlertRule): Promise<void> {
    return decideOn([alertId], (situation, now) => {
      const alert = situation.alerts.get(alertId);
      const step = alert?.steps[place];
      if (alert === undefined || step?.state !== 'waiting') return { value: undefined };
      const settled = isLate(step.dueAt, now)
        ? ({ ...step, state: 'late', at: now, note: DOWN } as const)
        : plan(alert, step, rule, settings, situation, now);
      situation.alerts.set(alertId, { ...alert, steps: alert.steps.with(place, settled) });
      return { value: undefined };
    });
  }

  async function send(alert: Alert, place: number, rule: AlertRule): Promise<boolean> {
    const step = alert.steps[place];
    if (step === undefined) return true;
    const paged = isLate(step.at ?? step.dueAt, clock.now())
      ? ({ state: 'late', people: step.people, note: BROKEN_OFF } as const)
      : await sendStep(alert, place, rule, dependencies);
    if (paged === undefined) return false;
    await change(alert.id, (one) => {
      const before = one.steps[place];
      return before?.state === 'planned'
        ? { ...one, steps: one.steps.with(place, { ...before, ...paged }) }
        : one;
    });
    return true;
  }

  function isLate(due: number, now: number): boolean {
    return now - due > settings.lateAfterMinutes * MINUTE_MS;
  }

  function change(alertId: string, next: (alert: Alert) => Alert): Promise<void> {
    return decideOn([alertId], (situation) => {
      const alert = situation.alerts.get(alertId);
      if (alert !== undefined) situation.alerts.set(alertId, next(alert));
      return { value: undefined };
    });
  }

  function acknowledge(alertId: string, by: string): Promise<AcknowledgeResult> {
    return decideOn<AcknowledgeResult>([alertId], (situation, now) => {
      const alert = situation.alerts.get(alertId);
      if (alert === undefined) return { value: { state: 'not_found' } };
      if (alert.state !== 'open') return { value: { state: 'ended', alert } };
      situation.alerts.set(alertId, ended(alert, { state: 'acknowledged', at: now, by }));
      return { value: { state: 'acknowledged' } };
    });
  }

  return {
    receive: async (event) => {
      const [kept] = await store.keep([event]);
      metrics.alertEvent(kept?.repeated === true ? 'delivered_again' : 'kept');
      deciding.wake();
    },
    acknowledge,
    answered: async (alertId, number, text) => {
      if (number === undefined || !ACKNOWLEDGING.test(text)) return;
      const alert = await store.find(alertId);
      const people = alert?.steps.flatMap((step) => step.people);
      const person = people?.find((one) => personOf(one.number) === personOf(number));
      // Only people who were notified can acknowledge.
      if (person !== undefined) await acknowledge(alertId, person.name);
    },
    mute: (name, until, by) =>
      decideOn([], (situation, now) => {
        const { muted, ...rest } = situation.rules.get(name) ?? { rule: name };
        situation.rules.set(name, until > now ? { ...rest, muted: { until, by } } : rest);
        return { value: undefined };
      }),
    ruleStates: async () => {
      const now = clock.now();
      return (await store.state({ recent: now, openSince: now, ids: [] })).rules;
    },
    stopRestored: async () => {
      const events = await store.waiting(EVERYTHING);
      await decideOn([], (situation) => {
        for (const alert of situation.alerts.values())
          situation.alerts.set(alert.id, withoutSteps(alert, UNSENT, RESTORED));
        return { value: undefined, events: events.map(({ id }) => ({ id })) };
      });
    },
    start: () => {
      deciding.start();
      sending.start();
    },
    drained,
  };
}
