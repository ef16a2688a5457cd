import { given } from '../../core/given.ts';
import type { Send } from '../../sends/send.ts';
import { UNENDED } from '../../sends/states.ts';
import { listedSends } from '../kit/cards/listed-sends.ts';
import type { SlackServices } from '../kit/services.ts';

/** Each part shows no more; `/sends` has the rest. */
export const SHOWN_SENDS = 8;
/** Questions older than this are left to those who remember them. */
const QUESTIONS_MS = 30 * 24 * 60 * 60_000;
/** More than anybody answers at a sitting. */
export const MOST_QUESTIONS = 200;
const SHOWN_QUESTIONS = 8;
const CHART_DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;
/** More than can wait or run at once and be shown. */
const OPEN_SENDS = 50;
/** Among them are enough that have ended. */
const LATELY = 50;
/** Among so many of the chart's days are those that failed today. */
const FAILED_SENDS = 200;

export type HomeFacts = Awaited<ReturnType<typeof gatherHome>>;

export async function gatherHome(
  { userId, teamId }: { readonly userId: string; readonly teamId: string },
  services: SlackServices,
) {
  const { store, directory, access, clock } = services;
  const days = lastDays(CHART_DAYS, clock.now(), await services.timeZoneOf(userId));
  const whyNotOthers = await access.whyNot({ to: 'sends' }, { userId, teamId });
  const whose = whyNotOthers === undefined ? undefined : userId;
  const [allOpen, failed, latest, counted, unseenRules] = await Promise.all([
    store.findByState(['awaiting_approval', 'approved', 'scheduled', 'sending', 'paused'], OPEN_SENDS),
    store.list({
      userId: whose,
      outcomes: ['rejected', 'not_sent', 'unknown'],
      since: days[0]?.from,
      limit: FAILED_SENDS,
    }),
    store.list({ userId: whose, limit: LATELY }),
    Promise.all(
      days.map(async ({ label, from, to }) => ({ label, counts: await store.outcomesSince(from, to) })),
    ),
    services.unseenRules(),
  ]);
  const isOwn = ({ origin }: Send) => origin.userId === userId;
  const bulk = allOpen.filter((send) => send.audience !== undefined && (whose === undefined || isOwn(send)));
  const asked = bulk.filter((send) => send.state === 'awaiting_approval' && !isOwn(send));
  const mayApprove = asked.length > 0 && (await directory.whyNot(userId, teamId)) === undefined;
  const today = days.at(-1)?.from ?? 0;
  const listed = async (sends: readonly Send[]) => {
    const shown = await listedSends(sends.slice(0, SHOWN_SENDS), services);
    // With a link to where its message stands: the progress message once it has begun, the approval card before.
    const linked = shown.map(async (one) => {
      const { announcement, approval } = one.send;
      return { ...one, link: await services.linkTo(announcement ?? approval?.card) };
    });
    const more = sends.slice(SHOWN_SENDS).map((send) => ({ send, link: undefined }));
    return [...(await Promise.all(linked)), ...more];
  };
  const isRunning = ({ state }: Send) => state === 'sending' || state === 'paused';
  const hasEnded = ({ state }: Send) => !UNENDED.includes(state);
  // A send of another day may have run today.
  const failedToday = failed.filter((send) => hasEnded(send) && (send.activeAt ?? send.createdAt) >= today);
  const failedIds = new Set(failedToday.map(({ id }) => id));
  return {
    /** Sends that this person may approve now. */
    toDecide: mayApprove ? await listed(asked) : [],
    /** This person's own that wait for an approval or for their time. */
    waiting: await listed(bulk.filter((send) => isOwn(send) && !isRunning(send))),
    /** Anybody's that are being sent or are paused. */
    running: await listed(bulk.filter(isRunning)),
    /** Anybody's that ended today with recipients who got nothing, or of whom nobody knows; newest first. */
    failed: await listed(failedToday),
    questions: await questionsFor(whose, services),
    /** Open ones, newest first. */
    alerts: whose === undefined ? await openAlerts(services) : [],
    /** Anybody's others that ended last. */
    latest: await listed(
      latest.filter((send) => hasEnded(send) && !failedIds.has(send.id)).slice(0, SHOWN_SENDS),
    ),
    /** Recipients of each day's sends, by how they ended; oldest first. */
    days: counted,
    /** Rules for alerts that see nothing: lines of mrkdwn. */
    unseenRules: whose === undefined ? unseenRules : [],
    at: clock.now(),
  };
}

/**
 * Counts the questions of customers that nobody has answered, and reads the newest, with links to where they stand.
 *
 * @param userId for somebody who may see the answers to their own sends only
 */
async function questionsFor(userId: string | undefined, { conversations, clock, linkTo }: SlackServices) {
  const since = clock.now() - QUESTIONS_MS;
  const asked = { since, limit: MOST_QUESTIONS, ...given({ userId }) };
  const open = await conversations.openQuestions(asked);
  const newest = open
    .slice(0, SHOWN_QUESTIONS)
    .map(async (question) => ({ question, link: await linkTo(question.place) }));
  return { count: open.length, newest: await Promise.all(newest) };
}

/** Reads alerts of the last day of which somebody was notified; whoever was may acknowledge them, and so may whoever sees them. */
async function openAlerts({ alertStore, clock, linkTo }: SlackServices) {
  const now = clock.now();
  const { alerts } = await alertStore.state({ recent: now, openSince: now - DAY_MS, ids: [] });
  const open = alerts.filter(
    ({ state, steps }) => state === 'open' && steps.some((one) => one.state === 'sent'),
  );
  const newest = open.toSorted((one, other) => other.receivedAt - one.receivedAt).slice(0, SHOWN_SENDS);
  return Promise.all(
    newest.map(async ({ title, receivedAt, channelId, threadTs: ts }) => ({
      ...{ title, receivedAt },
      link: await linkTo({ channelId, ts }),
    })),
  );
}

/** The last `count` days up to today, oldest first, as they are in a time zone (IANA name). */
export function lastDays(count: number, now: number, timeZone: string) {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return Array.from({ length: count }, (_none, index) => {
    const day = today.subtract({ days: count - 1 - index });
    // Such as `21 Nov`.
    const label = `${String(day.day).padStart(2)} ${day.toLocaleString('en-GB', { month: 'short' })}`;
    return { from: startOf(day), to: startOf(day.add({ days: 1 })), label };
  });
}
