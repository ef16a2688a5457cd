import { given } from '../../core/given.ts';
import type { Send } from '../../sends/send.ts';
import { UNENDED } from '../../sends/states.ts';
import { type ListedSend, listedSends } from '../kit/cards/listed-sends.ts';
import type { LinkTo } from '../kit/posting/links.ts';
import type { SlackServices } from '../kit/services.ts';
import {
  type DayCounts,
  type HomeFacts,
  type LinkedSend,
  MOST_QUESTIONS,
  QUESTIONS_MS,
  type Questions,
  SHOWN_QUESTIONS,
  SHOWN_SENDS,
} from './home-view.ts';

const CHART_DAYS = 14;
/** More than can wait or run at once and be shown. */
const OPEN_SENDS = 50;
/** Among them are enough that have ended. */
const LATELY = 50;
/** Of the chart's days, to find those that failed today among. */
const FAILED_SENDS = 200;

export type HomeDependencies = Pick<
  SlackServices,
  | 'client'
  | 'store'
  | 'answers'
  | 'conversations'
  | 'directory'
  | 'access'
  | 'unseenRules'
  | 'timeZoneOf'
  | 'clock'
  | 'logger'
>;

export async function gatherHome(
  { userId, teamId }: { readonly userId: string; readonly teamId: string },
  dependencies: HomeDependencies,
  linkTo: LinkTo,
): Promise<HomeFacts> {
  const { store, directory, access, clock } = dependencies;
  const days = lastDays(CHART_DAYS, clock.now(), await dependencies.timeZoneOf(userId));
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
    countDays(days, store),
    dependencies.unseenRules(),
  ]);
  const bulk = allOpen.filter(
    ({ audience, origin }) => audience !== undefined && (whose === undefined || origin.userId === whose),
  );
  const asked = bulk.filter(({ state, origin }) => state === 'awaiting_approval' && origin.userId !== userId);
  const mayApprove = asked.length > 0 && (await directory.whyNot(userId, teamId)) === undefined;
  const own = ['awaiting_approval', 'approved', 'scheduled'];
  const today = days.at(-1)?.from ?? 0;
  const listed = async (sends: readonly Send[]) => {
    const shown = await listedSends(sends.slice(0, SHOWN_SENDS), dependencies);
    const more = sends.slice(SHOWN_SENDS).map((send) => ({ send }));
    return [...(await Promise.all(shown.map((one) => linked(one, linkTo)))), ...more];
  };
  const hasEnded = ({ state }: Send) => !UNENDED.includes(state);
  // What was asked for on another day may have run today.
  const failedToday = failed.filter((send) => hasEnded(send) && (send.activeAt ?? send.createdAt) >= today);
  const told = new Set(failedToday.map(({ id }) => id));
  return {
    toDecide: mayApprove ? await listed(asked) : [],
    waiting: await listed(
      bulk.filter(({ state, origin }) => own.includes(state) && origin.userId === userId),
    ),
    running: await listed(bulk.filter(({ state }) => state === 'sending' || state === 'paused')),
    failed: await listed(failedToday),
    questions: await questionsFor(whyNotOthers === undefined ? undefined : userId, dependencies, linkTo),
    latest: await listed(latest.filter((send) => hasEnded(send) && !told.has(send.id)).slice(0, SHOWN_SENDS)),
    days: counted,
    unseenRules: whyNotOthers === undefined ? unseenRules : [],
    at: clock.now(),
  };
}

/** @param userId for somebody who may see the answers to their own sends only */
async function questionsFor(
  userId: string | undefined,
  { conversations, clock }: HomeDependencies,
  linkTo: LinkTo,
): Promise<Questions> {
  const since = clock.now() - QUESTIONS_MS;
  const asked = { since, limit: MOST_QUESTIONS, ...given({ userId }) };
  const open = await conversations.openQuestions(asked);
  const newest = open
    .slice(0, SHOWN_QUESTIONS)
    .map(async (question) => ({ question, link: await linkTo(question.place) }));
  return { count: open.length, newest: await Promise.all(newest) };
}

function countDays(
  days: readonly Day[],
  store: Pick<SlackServices['store'], 'outcomesSince'>,
): Promise<DayCounts[]> {
  return Promise.all(
    days.map(async ({ label, from, to }) => ({ label, counts: await store.outcomesSince(from, to) })),
  );
}

/** Where a send's message stands: the progress message once it has begun, the approval card before. */
async function linked(listed: ListedSend, linkTo: LinkTo): Promise<LinkedSend> {
  const { announcement, approval } = listed.send;
  const link = await linkTo(announcement ?? approval?.card);
  return link === undefined ? listed : { ...listed, link };
}

/** One day in some time zone. */
export interface Day {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** When the next day begins. */
  readonly to: number;
  /** `21 Nov` */
  readonly label: string;
}

/** The last `count` days up to today, oldest first, as they are in a time zone (IANA name). */
export function lastDays(count: number, now: number, timeZone: string): readonly Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return Array.from({ length: count }, (_none, index) => {
    const day = today.subtract({ days: count - 1 - index });
    return { from: startOf(day), to: startOf(day.add({ days: 1 })), label: labelOf(day) };
  });
}

function labelOf(day: Temporal.PlainDate): string {
  return `${String(day.day).padStart(2)} ${day.toLocaleString('en-GB', { month: 'short' })}`;
}
