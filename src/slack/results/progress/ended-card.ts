import type { types } from '@slack/bolt';
import { leftOut } from '../../../sends/bulk/warnings.ts';
import {
  type CourseBar,
  type OutcomeSpan,
  type RetryGroup,
  type Send,
  settledOf,
} from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { newBlock } from '../../connection/new-blocks.ts';
import {
  actions,
  button,
  context,
  mention,
  menu,
  moment,
  section,
  wholeSection,
} from '../../kit/blocks/blocks.ts';
import { likeThisChoices } from '../../kit/cards/again-buttons.ts';
import { answerBlocks } from '../../kit/cards/answers.ts';
import { becameOf } from '../../kit/cards/listed-sends.ts';
import { messageInShort } from '../../kit/cards/message-blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { templateButtons } from '../../kit/cards/template-of.ts';
import {
  actorOf,
  approversOf,
  duration,
  isPage,
  people,
  RETRY_GROUPS,
  shown,
  stateOf,
  whatSend,
  whyText,
} from '../../kit/cards/words.ts';
import { type EndedSend, timesOf } from '../standing.ts';
import { causeBlocks, progressMark, retryUnknownButton } from './card.ts';
import { REPORT_ACTION } from './report.ts';

export const RETRY_FAILED_ACTION = 'send_retry_failed';
export const SEND_TO_REST_ACTION = 'send_to_rest';

const SHOWN_WHY = 400;
const HALTS_SHOWN = 6;

/**
 * Says what became of a send, for whoever reads it the morning after: how many have it, whom it did not reach and why, and the ways
 * on; then when, by whom, and how it went over time.
 */
export function endedCard(ended: EndedSend): Card {
  const { send, template, answers, failures, retries, audience } = ended;
  const { mark, words: became } = becameOf(send, answers);
  const words = send.state === 'done' ? `${stateOf(send).words} · ${became}` : became;
  const what = whatSend(send, template);
  const left = leftOut({ audience, failures });
  const goneOn = retries.map(
    ({ id, retryGroup = 'failed' }) => `Another send goes to ${RETRY_GROUPS[retryGroup]}: ${id}.`,
  );
  const lines = [...haltLines(ended), ...(left === undefined ? [] : [`➖ ${escapeMrkdwn(left)}`])];
  return {
    text: `${mark} ${what}: ${words}. Reference ${send.id}.`,
    blocks: [
      { ...section(`${mark} *${what}*: ${words}`), block_id: progressMark(send.id) },
      ...messageInShort(send.message, template),
      ...answerBlocks(answers),
      ...(lines.length === 0 ? [] : [wholeSection(lines.join('\n'))]),
      ...causeBlocks([...failures, ...(answers?.failures ?? [])]),
      ...(goneOn.length === 0 ? [] : [context(goneOn.join('\n'))]),
      ...actions([...waysOn(send, retries), ...templateButtons(send.message, send.reason)]),
      context(whenText(ended)),
      ...courseBlocks(ended),
    ],
  };
}

/** Offers what can be done for those whom it did not reach, the report, and what a new send can take over. */
function waysOn(send: Send, retries: readonly Send[]): types.ActionsBlock['elements'] {
  const unknown = isTriedAgain(retries, 'unknown') ? 0 : send.counts.unknown;
  return [
    ...retryButtons(send, retries),
    ...(unknown > 0 ? [retryUnknownButton(send)] : []),
    ...(send.counts.attempting > 0 ? [] : [button(REPORT_ACTION, 'Report', send.id)]),
    menu(...likeThisChoices(send)),
  ];
}

function whenText(ended: EndedSend): string {
  const { send, approvals } = ended;
  const { from, to } = timesOf(ended);
  return [
    `${moment(from)}, ${duration(to - from)}`,
    `by ${mention(send.origin.userId)}`,
    approvals.length > 0
      ? `approved by ${approversOf(approvals)}`
      : `no approval needed${isPage(send) ? ' for a page' : ''}`,
    send.id,
  ].join(' · ');
}

/** Names who, or what, paused, resumed and stopped it, oldest first; of many the latest. */
function haltLines({ send, events }: EndedSend): string[] {
  const begun = events.findIndex(({ action }) => action === 'sending');
  const lines = events.slice(begun + 1).flatMap((event) => {
    const words = HALTS[event.action];
    if (words === undefined) return [];
    const why = event.reason === undefined ? '' : ` ${whyText(event.reason, SHOWN_WHY)}`;
    return [`${words} ${actorOf(event)}.${why}`];
  });
  const rest = send.counts.pending > 0 ? ['Those who were not tried yet get nothing from this send.'] : [];
  const left = lines.length > HALTS_SHOWN ? ['… it was held up before, too.'] : [];
  return [...left, ...lines.slice(-HALTS_SHOWN), ...rest];
}

const HALTS: Readonly<Record<string, string>> = {
  paused: '⏸️ Paused',
  sending: '▶️ Resumed',
  stopped: '⏹️ Stopped',
};

/** For whom another send can be asked for: nobody twice, and nobody who may still be reached by this one. */
function retryButtons({ id, counts }: Send, retries: readonly Send[]): types.Button[] {
  const { rejected, not_sent, pending, attempting } = counts;
  const failed = isTriedAgain(retries, 'failed') ? 0 : rejected + not_sent;
  const untried = isTriedAgain(retries, 'untried') ? 0 : pending;
  const one = (actionId: string, count: number, text: string, title: string, who: string, yes: string) => {
    const how = `Only those ${who}. It is a send of its own, approved like any other.`;
    const question = { title: `${title} to ${people(count)}?`, text: how, yes };
    return count === 0 || attempting > 0 ? [] : [button(actionId, text, id, { question })];
  };
  const rest = `Send to the remaining ${shown(untried)}`;
  const again = `Retry failed (${shown(failed)})`;
  return [
    ...one(SEND_TO_REST_ACTION, untried, rest, 'Send', 'who were not tried', 'Send to them'),
    ...one(RETRY_FAILED_ACTION, failed, again, 'Send again', 'to whom nothing was sent', 'Retry failed'),
  ];
}

function isTriedAgain(retries: readonly Send[], group: RetryGroup): boolean {
  return retries.some(({ retryGroup }) => retryGroup === group);
}

/* Bars that stand for equal spans show how a send went over time. */

/** Below either of these a chart says no more than the counts. */
const FEWEST_RECIPIENTS = 100;
const SHORTEST_MS = 60_000;
/** Slack's chart has as many categories. */
export const MOST_BARS = 20;
const SECONDS = [2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** The length of a bar's span in milliseconds; undefined for a send that is too small or too short for a chart. */
export function spanOf(ended: Pick<EndedSend, 'send' | 'events'>): number | undefined {
  const { from, to } = timesOf(ended);
  if (settledOf(ended.send.counts) < FEWEST_RECIPIENTS || to - from < SHORTEST_MS) return undefined;
  const span = SECONDS.find((seconds) => (to - from) / (seconds * 1_000) <= MOST_BARS);
  return span === undefined ? Math.ceil((to - from) / MOST_BARS) : span * 1_000;
}

/** Bars from the start to the end of a send, none left out; what came in after its end counts with the last. */
export function barsOf(
  outcomes: readonly OutcomeSpan[],
  lengthMs: number,
  spanMs: number,
): readonly CourseBar[] {
  const bars = Array.from({ length: Math.max(1, Math.ceil(lengthMs / spanMs)) }, () => ({
    accepted: 0,
    unknown: 0,
    failed: 0,
  }));
  for (const { span, state, count } of outcomes) {
    const bar = bars[Math.min(span, bars.length - 1)];
    const part = state === 'accepted' || state === 'unknown' ? state : 'failed';
    if (bar) bar[part] += count;
  }
  return bars;
}

/** Shows how it went over time, as a chart; nothing where there is none. The counts stand above it in words. */
export function courseBlocks(ended: Pick<EndedSend, 'send' | 'events'>): readonly types.KnownBlock[] {
  const { course = [] } = ended.send.thread ?? {};
  const spanMs = spanOf(ended);
  const isShown = course.some((bar) => PARTS.some(([part]) => bar[part] > 0));
  return isShown && spanMs !== undefined ? [chartOf(course, spanMs)] : [];
}

/** @param course at most 20 bars, each of which stands for so many milliseconds */
export function chartOf(course: readonly CourseBar[], spanMs: number): types.KnownBlock {
  const times = course.map((_bar, index) => sinceStart(index * spanMs));
  const series = PARTS.filter(([part]) => course.some((bar) => bar[part] > 0)).map(([part, name]) => ({
    name,
    data: course.map((bar, index) => ({ label: times[index], value: bar[part] })),
  }));
  const chart = {
    type: 'bar',
    series,
    axis_config: { categories: times, x_label: 'Time since the start', y_label: 'Recipients' },
  };
  return newBlock({ type: 'data_visualization', title: 'Recipients by outcome over time', chart });
}

/** As Slack's legend names them, in at most 20 characters. */
const PARTS: readonly (readonly [keyof CourseBar, string])[] = [
  ['accepted', 'Accepted'],
  ['unknown', 'May have been sent'],
  ['failed', 'Rejected, not sent'],
];

/** Hours, minutes and seconds, each time another one. */
function sinceStart(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
