import type { KnownBlock } from '@slack/types';
import { type CourseBar, type OutcomeSpan, settledOf } from '../../../sends/send.ts';
import { newBlock } from '../../connection/new-blocks.ts';
import { type EndedSend, timesOf } from '../standing.ts';

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
export function courseBlocks(ended: Pick<EndedSend, 'send' | 'events'>): readonly KnownBlock[] {
  const { course = [] } = ended.send.thread ?? {};
  const spanMs = spanOf(ended);
  const isShown = course.some((bar) => PARTS.some(([part]) => bar[part] > 0));
  return isShown && spanMs !== undefined ? [chartOf(course, spanMs)] : [];
}

/** @param course at most 20 bars, each of which stands for so many milliseconds */
export function chartOf(course: readonly CourseBar[], spanMs: number): KnownBlock {
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
