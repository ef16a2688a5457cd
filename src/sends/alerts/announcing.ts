import type { AnnounceResult, Announcer } from '../announcer.ts';
import { createBackgroundWork, type Loop } from '../background-work.ts';
import type { SendReader } from '../ports.ts';
import { isTooOld } from '../refused-posts.ts';
import { readReport } from '../report.ts';
import type { SendReport } from '../send.ts';
import { type SetAsideDependencies, workOnInputs } from '../set-aside.ts';
import type { Alert, AlertHold, RuleState } from './alert.ts';
import { createMeasuring, type MeasuringDependencies } from './measuring.ts';
import type { AlertAnnouncer, AlertStore, UnannouncedAlert } from './ports.ts';
import type { AlertSettings } from './rules.ts';
import { createChangingRules, createDeciding } from './situation.ts';

/** Slack accepts about one message a second per channel. */
const ANNOUNCE_EVERY_MS = 1_000;
/** For so long one process may announce something alone. */
const RESERVED_MS = 15_000;
/** How often to look for announcements, e.g. of a process that died. */
const IDLE_MS = 5_000;

export interface AlertTellingDependencies extends SetAsideDependencies {
  readonly store: AlertStore;
  readonly sendStore: Pick<SendReader, 'find' | 'recipients'>;
  readonly settings: AlertSettings;
  readonly announcer: AlertAnnouncer;
  readonly metrics: SetAsideDependencies['metrics'] & MeasuringDependencies['metrics'];
  readonly stopping: AbortSignal;
}

/** Updates the cards of alerts, and posts what is held. */
export interface AlertTelling extends Loop {
  /** Announces the sends of alerts, in the card of their alert. */
  readonly announcer: Announcer;
  /** After `stopping` has aborted: waits for what is under way. */
  drained(): Promise<void>;
}

export function createAlertTelling(dependencies: AlertTellingDependencies): AlertTelling {
  const { store, sendStore, settings, announcer, clock, logger, stopping } = dependencies;
  const { createLoop, drained } = createBackgroundWork('the telling of alerts', dependencies);
  const changeRule = createChangingRules(createDeciding(dependencies));
  const measure = createMeasuring(dependencies);
  const ruleNamed = (name: string) => settings.rules.find((rule) => rule.name === name);

  /** A card that was not posted comes up again. Returns how long Slack wants a pause. */
  async function announce({ alert, revision, card }: UnannouncedAlert): Promise<number> {
    const result = await announcer.announce(
      { alert, rule: ruleNamed(alert.rule), sends: await reportsOf(alert) },
      card,
    );
    if (result.state === 'later' && !isGivenUp(result, alert.receivedAt)) {
      await store.markAnnounced(alert.id, revision - 1, undefined);
      return result.retryAfterMs;
    }
    if (result.state === 'refused' || result.state === 'later') {
      const reason = result.state === 'refused' ? result.reason : result.refusal;
      logger.warn({ alertId: alert.id, reason }, 'Slack refuses the card of an alert');
    }
    const at = result.state === 'posted' ? { channelId: result.channelId, ts: result.ts } : undefined;
    const now = clock.now();
    const { againAfterMs = 0 } = result;
    const isDone = againAfterMs === 0 || isTooOld(alert.ended?.at ?? alert.receivedAt, now);
    await store.markAnnounced(
      alert.id,
      isDone ? revision : revision - 1,
      at,
      isDone ? 0 : now + againAfterMs,
    );
    return 0;
  }

  /** True when Slack has refused for a day. */
  function isGivenUp(result: AnnounceResult, since: number): boolean {
    return result.state === 'later' && result.refusal !== undefined && isTooOld(since, clock.now());
  }

  async function reportsOf({ steps }: Alert): Promise<ReadonlyMap<string, SendReport>> {
    const reports = new Map<string, SendReport>();
    const ids = steps.flatMap(({ people }) =>
      people.flatMap(({ sendId, followUpId }) => [sendId, followUpId]),
    );
    for (const id of ids) {
      const report = id === undefined ? undefined : await readReport(sendStore, id);
      if (report !== undefined) reports.set(report.send.id, report);
    }
    return reports;
  }

  /** Announces once that a rule's alerts are held, and the digest at the end. Returns how long to rest. */
  async function announceHolds(): Promise<number> {
    const now = clock.now();
    const { rules } = await store.state({ recent: now, openSince: now, ids: [] });
    let restMs = IDLE_MS;
    for (const { rule: name, hold } of rules) {
      if (hold === undefined) continue;
      const rule = ruleNamed(name);
      const over = hold.until <= now;
      if (!over) restMs = Math.min(restMs, hold.until - now);
      if ((hold.told && !over) || (hold.tellingUntil ?? 0) > now) continue;
      const mine = await changeRule(name, (state) =>
        state.hold?.id === hold.id && state.hold.tellingUntil === hold.tellingUntil
          ? { ...state, hold: { ...state.hold, tellingUntil: now + RESERVED_MS } }
          : state,
      );
      if (!mine) continue;
      const result = rule === undefined ? undefined : await announcer.announceHold(rule, hold, over);
      const told = result?.state !== 'later' || isGivenUp(result, hold.until);
      if (result?.state === 'later' && !told) restMs = Math.min(restMs, result.retryAfterMs);
      await changeRule(name, (state) => afterAnnouncing(state, hold, { over, told }));
    }
    return restMs;
  }

  const loop = createLoop('telling of alerts', async () => {
    const waitMs = await announceHolds();
    const now = clock.now();
    const [unannounced] = await store.unannounced(now, now + RESERVED_MS, 1);
    if (unannounced === undefined) return waitMs;
    let restMs = ANNOUNCE_EVERY_MS;
    const work = async () => {
      restMs = Math.max(restMs, await announce(unannounced));
    };
    const giveUp = () => store.markAnnounced(unannounced.alert.id, unannounced.revision, undefined);
    const idOf = () => `${unannounced.alert.id}:${unannounced.revision}`;
    await workOnInputs({ source: 'alert_card', items: [unannounced], idOf, work, giveUp }, dependencies);
    await clock.sleep(restMs, stopping);
    return 0;
  });

  return {
    ...loop,
    announcer: {
      announce: async (report) => {
        const alertId = report.send.origin.alert?.id ?? '';
        await store.touch(alertId);
        const alert = await store.find(alertId);
        if (alert !== undefined) measure(report, alert);
        loop.wake();
        return { state: 'elsewhere' };
      },
    },
    drained,
  };
}

/** The rule's state after an announcement; alerts held since the digest was written go into the next one. */
function afterAnnouncing(
  state: RuleState,
  told: AlertHold,
  how: { readonly over: boolean; readonly told: boolean },
): RuleState {
  if (state.hold?.id !== told.id) return state;
  const { hold, ...rest } = state;
  if (how.told && how.over && hold.count === told.count) return rest;
  const { tellingUntil, ...free } = hold;
  return { ...rest, hold: { ...free, told: hold.told || how.told } };
}
