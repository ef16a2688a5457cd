import { personOf } from '../../messages/numbers/person.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { createBackgroundWork } from '../background-work.ts';
import { type SetAsideDependencies, workOnInputs } from '../set-aside.ts';
import { type Alert, type AlertEvent, alertIdFor, ended, withoutSteps } from './alert.ts';
import { decideEvent } from './decide.ts';
import { createSteps, type PagingDependencies } from './paging.ts';
import { createDeciding, type DecideOn } from './plan.ts';
import type { AlertStore, StoredAlertEvent } from './ports.ts';
import { type AlertSettings, userGroupsOf } from './rules.ts';
import { type AlertSource, eventsOfSignal, type Signal, threadOfKey } from './signal.ts';
import { createSilence } from './silence.ts';

/** Events decided on together. */
const BATCH = 100;
const DUE_BATCH = 50;
const EVERYTHING = 1_000_000;
/** What another process left is found so soon. */
const IDLE_MS = 5_000;
const AGAIN_MS = 2_000;

/** The whole text must match: “ok, what?” does not acknowledge. */
const ACKNOWLEDGING = /^[^\p{L}\p{N}]*(?:ack|acknowledged?|ok|okay|yes|on it)[^\p{L}\p{N}]*$/iu;
const UNSENDABLE =
  'Herald failed three times to send this and has given up. /sends lists who was sent to before that; Herald’s log says more.';
const RESTORED =
  'The database is an older copy, in which this was not sent yet; it may have been sent since. It was not sent again.';
const UNSENT = ['planned', 'waiting'] as const;

export interface AlertsDependencies extends PagingDependencies, SetAsideDependencies {
  readonly store: AlertStore;
  readonly userGroups: AskUserGroups;
  readonly metrics: SetAsideDependencies['metrics'] & { alertEvent(result: string): void };
  readonly stopping: AbortSignal;
}

export type Alerts = ReturnType<typeof createAlerts>;

/**
 * Alerts, from a message in a channel to phones: stored, decided once, sent, announced in the thread. Each step continues
 * from the store after a crash, and none is done twice.
 */
export function createAlerts(dependencies: AlertsDependencies) {
  const { store, metrics, clock } = dependencies;
  const decideOn = createDeciding(dependencies);
  const { createLoop, deciding, sending, drained } = createLoops(dependencies, decideOn);

  const silence = createSilence({ ...dependencies, keep: put, decideOn });
  const watching = createLoop('looking for silence', silence.look);

  const askUserGroups = createUserGroups(dependencies.settings, dependencies.userGroups, decideOn);

  async function keep(events: readonly AlertEvent[]): Promise<void> {
    await put(events);
    await silence.heard(events);
  }

  async function put(events: readonly AlertEvent[]): Promise<void> {
    for (const { repeated } of await store.keep(events))
      metrics.alertEvent(repeated ? 'delivered_again' : 'kept');
    deciding.wake();
  }

  /** `ended`: somebody else acknowledged it, or it was resolved. */
  async function acknowledge(alertId: string, by: string) {
    return decideOn([alertId], ({ alerts, now }) => {
      const alert = alerts.get(alertId);
      if (alert === undefined) return { state: 'not_found' } as const;
      if (alert.state !== 'open') return { state: 'ended', alert } as const;
      alerts.set(alertId, ended(alert, { state: 'acknowledged', at: now, by }));
      return { state: 'acknowledged' } as const;
    });
  }

  return {
    /** Stores an event, which is then processed in the background. Rejects when it could not be stored. */
    receive: (event: AlertEvent) => keep([event]),
    /** Stores what a source reports, all or nothing, as `receive` does. */
    report: async (source: AlertSource, signals: readonly Signal[]) => {
      const now = clock.now();
      const events: AlertEvent[] = [];
      for (const signal of signals) {
        const isKnown = signal.status === 'firing' && signal.start !== undefined;
        const lasts = isKnown ? [] : await store.lastOfEach(source.channel, threadOfKey(source, signal.key));
        events.push(...eventsOfSignal(signal, source, lasts, now));
      }
      await keep(events);
    },
    acknowledge,
    /** Somebody who was notified has replied by phone; the reply may acknowledge the alert. */
    answered: async (alertId: string, number: Msisdn | undefined, text: string) => {
      if (number === undefined || !ACKNOWLEDGING.test(text)) return;
      const alert = await store.find(alertId);
      const people = alert?.steps.flatMap((step) => step.people);
      const person = people?.find((one) => personOf(one.number) === personOf(number));
      // Only people who were notified can acknowledge.
      if (person !== undefined) await acknowledge(alertId, person.name);
    },
    /** No alert of the rule is sent until then; 0 ends it. */
    mute: (name: string, until: number, by: string): Promise<void> =>
      decideOn([], ({ rules, now }) => {
        const { muted, ...rest } = rules.get(name) ?? { rule: name };
        rules.set(name, until > now ? { ...rest, muted: { until, by } } : rest);
      }),
    ruleStates: store.rules,
    /** Called before `start` on a restored copy of the database: nothing that is unsent in it is sent. */
    stopRestored: async () => {
      const events = await store.waiting(EVERYTHING);
      await decideOn([], ({ alerts, decided }) => {
        for (const alert of alerts.values()) alerts.set(alert.id, withoutSteps(alert, UNSENT, RESTORED));
        decided.push(...events.map(({ id }) => ({ id })));
      });
    },
    /** Starts the processing, with what an earlier process left. */
    start: () => {
      deciding.start();
      sending.start();
      if (!silence.isIdle) watching.start();
      if (askUserGroups !== undefined) createLoop('asking who is in user groups', askUserGroups).start();
    },
    drained,
  };
}

/** Decides on stored events and does the steps that are due, in the background. */
function createLoops(dependencies: AlertsDependencies, decideOn: DecideOn) {
  const { store, settings, metrics, clock } = dependencies;
  const { createLoop, drained } = createBackgroundWork('a part of the alerts', dependencies);
  const steps = createSteps(dependencies, decideOn);

  async function decideAll(events: readonly StoredAlertEvent[]): Promise<void> {
    const ids = events.flatMap((event) => [
      ...settings.rules.map((rule) => alertIdFor(event, rule)),
      ...(event.before?.decisions.flatMap(({ alertId }) => alertId ?? []) ?? []),
    ]);
    const decided = await decideOn(ids, (situation) => {
      for (const event of events)
        situation.decided.push({ id: event.id, decisions: decideEvent(event, situation) });
      return situation.decided;
    });
    for (const { what } of decided.flatMap(({ decisions = [] }) => decisions)) metrics.alertEvent(what);
  }

  const deciding = createLoop('deciding on alerts', async () => {
    const items = await store.waiting(BATCH);
    if (items.length === 0) return IDLE_MS;
    const idOf = ({ id }: StoredAlertEvent) => String(id);
    const giveUp = ({ id }: StoredAlertEvent) => decideOn([], ({ decided }) => void decided.push({ id }));
    const restMs = await workOnInputs(
      { source: 'alert_event', items, idOf, work: decideAll, giveUp },
      dependencies,
    );
    sending.wake();
    return restMs;
  });

  const sending = createLoop('sending alerts', async () => {
    const items = await store.due(clock.now(), DUE_BATCH);
    if (items.length > 0) {
      let again = false;
      const work = async (alerts: readonly Alert[]) => {
        for (const alert of alerts) again = !(await steps.act(alert)) || again;
      };
      const giveUp = ({ id }: Alert) => steps.change(id, (alert) => withoutSteps(alert, UNSENT, UNSENDABLE));
      const restMs = await workOnInputs(
        { source: 'alert', items, idOf: ({ id }) => id, work, giveUp },
        dependencies,
      );
      if (again || restMs > 0) return Math.max(AGAIN_MS, restMs);
    }
    const due = await store.nextDue();
    return due === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(0, due - clock.now()));
  });

  return { createLoop, deciding, sending, drained };
}

/*
 * Rules may notify user groups of Slack. Who is in them is kept with the state of each rule, as Slack said it last: an alert asks
 * nobody, and reaches them while Slack is down and after a restart.
 */

/** How often Slack is asked, in milliseconds: while it answers, and while it does not. */
const ASK_MS = 5 * 60_000;
const ASK_AGAIN_MS = 15_000;

/** Slack's user ids by the group's id and by its handle with `@`; undefined while Slack does not say. */
export type AskUserGroups = () => Promise<ReadonlyMap<string, readonly string[]> | undefined>;

/** Keeps who is in the user groups of rules; returns after how long to ask again, or undefined where no rule names one. */
function createUserGroups(
  settings: AlertSettings,
  ask: AskUserGroups,
  decideOn: DecideOn,
): (() => Promise<number>) | undefined {
  const wanted = settings.rules.flatMap((rule) => {
    const groups = userGroupsOf(rule, settings);
    return groups.length === 0 ? [] : [{ rule: rule.name, groups }];
  });
  if (wanted.length === 0) return undefined;
  return async () => {
    const known = await ask();
    if (known === undefined) return ASK_AGAIN_MS;
    await decideOn([], ({ rules }) => {
      for (const { rule, groups } of wanted) {
        const state = rules.get(rule) ?? { rule };
        // Where a group is not there any more, whoever was in it last is better than nobody.
        const members = Object.fromEntries(
          groups.map((group) => [group, known.get(group) ?? state.members?.[group] ?? []]),
        );
        if (JSON.stringify(members) !== JSON.stringify(state.members)) rules.set(rule, { ...state, members });
      }
    });
    return ASK_MS;
  };
}
