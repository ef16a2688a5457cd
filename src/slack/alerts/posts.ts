import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Alert } from '../../sends/alerts/alert.ts';
import { messagePlace } from '../../sends/alerts/signal.ts';
import { readReport } from '../../sends/ports.ts';
import type { Post } from '../../sends/posts.ts';
import { isTooOld } from '../../sends/refused-posts.ts';
import type { SendReport } from '../../sends/send.ts';
import { classifyApiError, remedyOf, retryAfterOf } from '../connection/api-error.ts';
import type { Renderer } from '../kit/posting/outbox.ts';
import { AFTER_ANOTHER, type ToShow } from '../kit/posting/place-post.ts';
import type { SlackServices } from '../kit/services.ts';
import { alertCard, digestCard, holdCard, signalCard } from './card.ts';

/** An alert and its sends change several times in its first second. */
const REST_MS = 1_000;
/** An alert is shown again when delivery reports and replies come; so long it is remembered which sends were measured. */
const MEASURED_MS = 24 * 60 * 60_000;
const MEASURED = 1_000;

interface AlertSources
  extends Pick<SlackServices, 'alertStore' | 'store' | 'alertSettings' | 'client' | 'clock' | 'logger'> {
  /** In seconds, from the arrival of an alert to the start of the first request for it. */
  readonly metrics: { alertRequested(seconds: number): void };
}

/**
 * Shows an alert in its thread and by a reaction to its message, and in the channel that a rule's alerts are held and, when
 * that is over, which. Of a signal it shows the message itself, which its alerts then wait for. There is nobody else to notify.
 */
export function renderAlerts(
  sources: AlertSources,
): Record<'alert' | 'hold' | 'digest' | 'signal', Renderer> {
  const { alertStore, alertSettings, metrics, clock } = sources;
  const react = createReactions(sources);
  const measured = createExpiringMap<true>(MEASURED_MS, MEASURED, clock);
  const ruleNamed = (name: string | undefined) => alertSettings.rules.find((rule) => rule.name === name);

  /** Once for each of the first sends. */
  function measure({ steps, receivedAt }: Alert, sends: ReadonlyMap<string, SendReport>): void {
    for (const { sendId = '' } of steps[0]?.people ?? []) {
      const attemptedAt = sends.get(sendId)?.recipient.attemptedAt;
      if (attemptedAt === undefined || measured.get(sendId)) continue;
      measured.set(sendId, true);
      metrics.alertRequested((attemptedAt - receivedAt) / 1_000);
    }
  }

  async function show({ subject, place }: Post, which: 'hold' | 'digest'): Promise<ToShow | 'nothing'> {
    const state = (await alertStore.rules()).find(({ holds = [] }) => holds.some(({ id }) => id === subject));
    const hold = state?.holds?.find(({ id }) => id === subject);
    const rule = ruleNamed(state?.rule);
    if (rule === undefined || hold === undefined) return 'nothing';
    // Once, and not when the digest says it.
    if (which === 'hold' && (place !== undefined || hold.until <= clock.now())) return 'nothing';
    return {
      markInMessage: `${subject}-${which}`,
      channelId: hold.channelId,
      render: () => (which === 'hold' ? holdCard(rule, hold) : digestCard(rule, hold)),
    };
  }

  return {
    alert: async ({ subject }) => {
      const alert = await alertStore.find(subject);
      if (alert === undefined) return 'nothing';
      const sends = await reportsOf(alert, sources.store);
      measure(alert, sends);
      const at = await messagePlace(alert, alertStore);
      if (at === 'waiting') return AFTER_ANOTHER;
      const againAfterMs = at === 'nowhere' ? 0 : await react({ ...alert, ...at });
      const mayBeAgain = againAfterMs > 0 && !isTooOld(alert.ended?.at ?? alert.receivedAt, clock.now());
      return {
        markInMessage: alert.id,
        channelId: alert.channelId,
        ...(at !== 'nowhere' && { channelId: at.channelId, threadTs: at.threadTs }),
        restMs: REST_MS,
        ...(mayBeAgain && { againAfterMs }),
        render: () => alertCard({ alert, rule: ruleNamed(alert.rule), sends }),
      };
    },
    signal: async ({ subject }) => {
      const [channelId = '', ts = ''] = subject.split(':');
      const { events } = await alertStore.message(channelId, ts);
      if (events.length === 0) return 'nothing';
      return { markInMessage: ts, channelId, render: () => signalCard(events) };
    },
    hold: (post) => show(post, 'hold'),
    digest: (post) => show(post, 'digest'),
  };
}

async function reportsOf(
  { steps }: Alert,
  sends: AlertSources['store'],
): Promise<ReadonlyMap<string, SendReport>> {
  const people = steps.flatMap((step) => step.people);
  const reports = new Map<string, SendReport>();
  for (const id of people.flatMap(({ sendId = [], followUpId = [] }) => [sendId, followUpId].flat())) {
    const report = await readReport(sends, id);
    if (report !== undefined) reports.set(id, report);
  }
  return reports;
}

/** Also the order: where several rules made alerts of one message, it shows what most needs somebody. */
const EMOJI = [
  ['open', 'rotating_light'],
  ['acknowledged', 'eyes'],
  ['resolved', 'white_check_mark'],
] as const;

const KEPT_MS = 24 * 60 * 60_000;
const KEPT = 5_000;
const AGAIN_MS = 15_000;
/** News of the alert waits as long. */
const LONGEST_MS = 60_000;
/** They say that a message has, or lacks, what was asked for already. */
const AS_WANTED: ReadonlySet<string> = new Set(['already_reacted', 'no_reaction']);
/** They say of a message that it can have no other reaction. */
const FULL: ReadonlySet<string> = new Set(['not_reactable', 'too_many_emoji', 'too_many_reactions']);

interface Shown {
  readonly states: ReadonlyMap<string, Alert['state']>;
  /** Undefined while that is not known. */
  readonly emoji?: string | undefined;
  /** Times in a row that Slack did not take what was asked for. */
  readonly tries: number;
}

/**
 * Shows an alert's state on its own message, for whoever passes by: how long to wait before it is to be shown again, 0 when
 * it stands there. Never rejects: its card says the same.
 */
export function createReactions({
  client,
  clock,
  logger,
}: Pick<AlertSources, 'client' | 'clock' | 'logger'>) {
  const messages = createExpiringMap<Shown>(KEPT_MS, KEPT, clock);
  let isAllowed = true;

  /** How long to wait where Slack may do it another time; otherwise 0. */
  async function react(how: 'add' | 'remove', name: string, { channelId, ts }: Alert): Promise<number> {
    if (!isAllowed) return 0;
    try {
      await client.reactions[how]({ channel: channelId, timestamp: ts, name });
      return 0;
    } catch (error) {
      const failure = classifyApiError(error);
      if (failure.kind !== 'refused') return retryAfterOf(failure, AGAIN_MS);
      if (failure.code === 'missing_scope') {
        isAllowed = false;
        logger.warn(
          {},
          'the app lacks the scope reactions:write: the state of alerts is not shown on their messages, only in their threads',
        );
      } else if (!AS_WANTED.has(failure.code)) {
        logger.info({ code: failure.code, channelId }, 'Slack refused a reaction to an alert');
        if (remedyOf(failure.code) === 'later' && !FULL.has(failure.code)) return AGAIN_MS;
      }
      return 0;
    }
  }

  return async (alert: Alert): Promise<number> => {
    const key = `${alert.channelId}/${alert.ts}`;
    const before = messages.get(key);
    const states = new Map(before?.states).set(alert.id, alert.state);
    const shown = new Set(states.values());
    const [state, emoji] = EMOJI.find(([one]) => shown.has(one)) ?? [];
    if (before?.emoji !== undefined && before.emoji === emoji) {
      messages.set(key, { states, emoji, tries: 0 });
      return 0;
    }
    // A message of which nothing is known is new, if its alert is open and was not made by an edit.
    const unknown = state === 'open' && !alert.edited ? [] : EMOJI.map(([, name]) => name);
    const old = before?.emoji === undefined ? unknown : [before.emoji];
    let waitMs = emoji === undefined ? 0 : await react('add', emoji, alert);
    // The old sign stands until the new one does.
    for (const one of waitMs > 0 ? [] : old.filter((name) => name !== emoji))
      waitMs = Math.max(waitMs, await react('remove', one, alert));
    const tries = waitMs > 0 ? (before?.tries ?? 0) + 1 : 0;
    messages.set(key, { states, emoji: waitMs > 0 ? undefined : emoji, tries });
    return waitMs > 0 ? Math.max(waitMs, Math.min(AGAIN_MS * 2 ** (tries - 1), LONGEST_MS)) : 0;
  };
}
