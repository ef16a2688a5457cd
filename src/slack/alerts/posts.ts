import type { webApi } from '@slack/bolt';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { Alert } from '../../sends/alerts/alert.ts';
import type { AlertStore } from '../../sends/alerts/ports.ts';
import type { AlertSettings } from '../../sends/alerts/rules.ts';
import type { SendReader } from '../../sends/ports.ts';
import type { Post } from '../../sends/posts.ts';
import { isTooOld } from '../../sends/refused-posts.ts';
import { readReport } from '../../sends/report.ts';
import type { SendReport } from '../../sends/send.ts';
import type { Identity } from '../connection/identity.ts';
import type { Renderer } from '../kit/posting/outbox.ts';
import type { ToGive, ToShow } from '../kit/posting/place-post.ts';
import { alertCard, digestCard, holdCard } from './card.ts';
import { createReactions } from './reactions.ts';
import { MESSAGE_AWAITED_MS, messagePlace, signalCard } from './signal-message.ts';

/** An alert and its sends change several times in its first second. */
const REST_MS = 1_000;
/** An alert is shown again when delivery reports and replies come; so long it is remembered which sends were measured. */
const MEASURED_MS = 24 * 60 * 60_000;
const MEASURED = 1_000;

const AFTER_ITS_MESSAGE: ToGive = {
  give: async () => ({ state: 'later', retryAfterMs: MESSAGE_AWAITED_MS }),
};

interface AlertSources extends Surroundings {
  readonly store: Pick<AlertStore, 'find' | 'rules' | 'message'>;
  readonly sendStore: Pick<SendReader, 'find' | 'recipients'>;
  readonly settings: Pick<AlertSettings, 'rules'>;
  readonly identity: () => Identity | undefined;
  readonly client: Pick<webApi.WebClient, 'reactions'>;
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
  const { store, settings, identity, metrics, clock } = sources;
  const react = createReactions(sources);
  const measured = createExpiringMap<true>(MEASURED_MS, MEASURED, clock);
  const ruleNamed = (name: string | undefined) => settings.rules.find((rule) => rule.name === name);
  const herald = () => identity()?.botUserId ?? '';

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
    const state = (await store.rules()).find(({ holds = [] }) => holds.some(({ id }) => id === subject));
    const hold = state?.holds?.find(({ id }) => id === subject);
    const rule = ruleNamed(state?.rule);
    if (rule === undefined || hold === undefined) return 'nothing';
    // Once, and not when the digest says it.
    if (which === 'hold' && (place !== undefined || hold.until <= clock.now())) return 'nothing';
    return {
      markInMessage: `${subject}-${which}`,
      channelId: hold.channelId,
      userId: herald(),
      render: () => (which === 'hold' ? holdCard(rule, hold) : digestCard(rule, hold)),
    };
  }

  return {
    alert: async ({ subject }) => {
      const alert = await store.find(subject);
      if (alert === undefined) return 'nothing';
      const sends = await reportsOf(alert, sources.sendStore);
      measure(alert, sends);
      const at = await messagePlace(alert, store);
      if (at === 'waiting') return AFTER_ITS_MESSAGE;
      const againAfterMs = at === 'nowhere' ? 0 : await react({ ...alert, ...at });
      const mayBeAgain = againAfterMs > 0 && !isTooOld(alert.ended?.at ?? alert.receivedAt, clock.now());
      return {
        markInMessage: alert.id,
        channelId: alert.channelId,
        ...(at !== 'nowhere' && { channelId: at.channelId, threadTs: at.threadTs }),
        userId: herald(),
        restMs: REST_MS,
        ...(mayBeAgain && { againAfterMs }),
        render: () => alertCard({ alert, rule: ruleNamed(alert.rule), sends }),
      };
    },
    signal: async ({ subject }) => {
      const [channelId = '', ts = ''] = subject.split(':');
      const { events } = await store.message(channelId, ts);
      if (events.length === 0) return 'nothing';
      return { markInMessage: ts, channelId, userId: herald(), render: () => signalCard(events) };
    },
    hold: (post) => show(post, 'hold'),
    digest: (post) => show(post, 'digest'),
  };
}

/** By the id of the send. */
async function reportsOf(
  { steps }: Alert,
  sends: AlertSources['sendStore'],
): Promise<ReadonlyMap<string, SendReport>> {
  const people = steps.flatMap((step) => step.people);
  const reports = new Map<string, SendReport>();
  for (const id of people.flatMap(({ sendId = [], followUpId = [] }) => [sendId, followUpId].flat())) {
    const report = await readReport(sends, id);
    if (report !== undefined) reports.set(id, report);
  }
  return reports;
}
