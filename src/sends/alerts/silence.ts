import type { Clock } from '../../core/clock.ts';
import { timeOfDay } from '../quiet-hours.ts';
import type { AlertEvent, RuleState } from './alert.ts';
import { fits, isFrom } from './decide.ts';
import type { DecideOn } from './plan.ts';
import { isMuted } from './plan.ts';
import type { AlertStore } from './ports.ts';
import type { AlertRule, AlertSettings } from './rules.ts';
import { eventOfSignal, type Signal } from './signal.ts';

/*
 * Rules that expect something: when nothing that matches came for so long, that is an alert, a signal of Herald's own. Signs of
 * life are counted in the store, for all replicas. How long none came each process measures by a clock that never jumps, from
 * when it first saw the count: so it fires neither because a clock was set nor because Herald did not run.
 */

/** Looked at as often as this, in milliseconds, or ten times in the shortest period. */
const LOOK_MS = 30_000;
/** A process that did not look for so many looks stood still, and may have missed what came. */
const LOOKS_MISSED = 3;

interface SilenceDependencies {
  readonly store: Pick<AlertStore, 'rules'>;
  readonly settings: AlertSettings;
  readonly clock: Clock;
  /** Stores events, each once. */
  readonly keep: (events: readonly AlertEvent[]) => Promise<void>;
  readonly decideOn: DecideOn;
}

type Expecting = AlertRule & { readonly expect: { readonly everyMs: number } };
type Expected = NonNullable<RuleState['expected']>;

export function createSilence({ store, settings, clock, keep, decideOn }: SilenceDependencies) {
  const rules = settings.rules.filter((rule): rule is Expecting => rule.expect !== undefined);
  const lookMs = Math.min(LOOK_MS, ...rules.map(({ expect }) => expect.everyMs / 10));
  /** The count that was last seen for each rule, and since when, by the clock that never jumps. */
  const seen = new Map<string, { readonly count: number; readonly since: number }>();
  let lookedAt = clock.monotonic();

  const say = (rule: AlertRule, { count: start }: Expected, words: Pick<Signal, 'status' | 'text'>) =>
    keep([eventOfSilence(rule, { start, ...words }, clock.now())]);
  const cameAgain = (rule: AlertRule, before: Expected) =>
    say(rule, before, { status: 'resolved', text: `“${rule.name}” came again` });

  const statesNow = async () => new Map((await store.rules()).map((state) => [state.rule, state]));

  async function count(rule: AlertRule): Promise<void> {
    const before = expectedIn(await statesNow(), rule);
    // In a flood not each of them is written: the last may be later than what is counted by one look.
    if (!before.isSilent && Math.abs(clock.now() - (before.at ?? 0)) < lookMs) return;
    if (before.isSilent) await cameAgain(rule, before);
    const counted = await change(decideOn, rule, before, { count: before.count + 1, at: clock.now() });
    // Another one was counted meanwhile, or the silence noticed, which this ends.
    if (counted === undefined) await count(rule);
  }

  return {
    /** Nothing is expected: there is nothing to look for. */
    isIdle: rules.length === 0,
    /** Counts the signs of life among events; to be called before they are confirmed to whoever delivered them. */
    heard: async (events: readonly AlertEvent[]): Promise<void> => {
      for (const rule of rules) if (events.some((event) => isSignOfLife(event, rule))) await count(rule);
    },
    /** Notices what did not come; returns after how long to look again, in milliseconds. */
    look: async (): Promise<number> => {
      const now = clock.monotonic();
      const stoodStill = now - lookedAt > lookMs * LOOKS_MISSED;
      const states = await statesNow();
      // Only then: while the store does not answer, nothing that comes can be counted.
      lookedAt = now;
      for (const rule of rules) {
        const before = expectedIn(states, rule);
        const last = seen.get(rule.name);
        const isPaused = stoodStill || isMuted(rule, { rules: states, now: clock.now() });
        if (isPaused || last?.count !== before.count)
          seen.set(rule.name, { count: before.count, since: now });
        else if (!before.isSilent && now - last.since >= rule.expect.everyMs + lookMs) {
          const since = before.at === undefined ? 'yet' : `since ${timeOfDay(settings.timezone, before.at)}`;
          const text = `Nothing from “${rule.name}” ${since}`;
          await say(rule, before, { status: 'firing', text });
          const noticed = await change(decideOn, rule, before, { ...before, isSilent: true });
          const after = noticed ?? expectedIn(await statesNow(), rule);
          if (after.count !== before.count) await cameAgain(rule, before);
        }
      }
      return lookMs;
    },
  };
}

/** Undefined where it was not changed, because a sign of life came or the silence was noticed meanwhile. */
function change(
  decideOn: DecideOn,
  rule: AlertRule,
  before: Expected,
  after: Expected,
): Promise<Expected | undefined> {
  return decideOn([], ({ rules: states }) => {
    const state = states.get(rule.name) ?? { rule: rule.name };
    const { count, isSilent } = expectedIn(states, rule);
    if (count !== before.count || isSilent !== before.isSilent) return undefined;
    states.set(rule.name, { ...state, expected: after });
    return after;
  });
}

/** One silence is one signal, whichever replicas notice it: its start is how many signs of life came before it. */
function eventOfSilence({ name, channel }: AlertRule, words: Omit<Signal, 'key'>, now: number): AlertEvent {
  const signal = { key: `silence of ${name}`, ...words };
  return { ...eventOfSignal(signal, { name: 'Herald', channel }, undefined, now), rule: name };
}

function expectedIn(states: ReadonlyMap<string, RuleState>, { name }: AlertRule): Expected {
  return states.get(name)?.expected ?? { count: 0 };
}

/** Such a rule does not count an alert of its own. */
function isSignOfLife(event: AlertEvent, rule: AlertRule): boolean {
  const isSaid = event.kind === 'posted' || event.kind === 'changed';
  if (!isSaid || event.rule !== undefined || event.channelId !== rule.channel) return false;
  return isFrom(event, rule) && fits(event.text, rule);
}
