import { type OutcomeSpan, settledOf } from '../../../sends/send.ts';
import { duration, shown } from '../../kit/cards/words.ts';
import { type EndedSend, timesOf } from './ended-send.ts';

/* How a send went over time, as bars that stand for equal spans. */

export type Part = 'accepted' | 'unknown' | 'failed';
/** Recipients who came to each outcome in one span. */
export type Bar = Readonly<Record<Part, number>>;

/** Below either of these a picture says no more than the counts. */
const FEWEST_RECIPIENTS = 100;
const SHORTEST_MS = 60_000;
const MOST_BARS = 60;
const SECONDS = [2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** The length of a bar's span in milliseconds; undefined for a send that is too small or too short for a picture. */
export function spanOf(ended: Pick<EndedSend, 'send' | 'events'>): number | undefined {
  const { from, to } = timesOf(ended);
  if (settledOf(ended.send.counts) < FEWEST_RECIPIENTS || to - from < SHORTEST_MS) return undefined;
  const span = SECONDS.find((seconds) => (to - from) / (seconds * 1_000) <= MOST_BARS);
  return span === undefined ? Math.ceil((to - from) / MOST_BARS) : span * 1_000;
}

/** Bars from the start to the end of a send, none left out; what came in after its end counts with the last. */
export function barsOf(outcomes: readonly OutcomeSpan[], lengthMs: number, spanMs: number): readonly Bar[] {
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

export function sumOf({ accepted, unknown, failed }: Bar): number {
  return accepted + unknown + failed;
}

/** What the colours and heights stand for, for those who see the picture. */
export function legend({ send: { counts } }: Pick<EndedSend, 'send'>, spanMs: number, most: number): string {
  const parts = [
    ...(counts.accepted > 0 ? ['green: accepted'] : []),
    ...(counts.unknown > 0 ? ['yellow: may have been sent'] : []),
    ...(counts.rejected + counts.not_sent > 0 ? ['red: rejected or not sent'] : []),
  ];
  return `A bar is ${spanWords(spanMs)}, the highest ${shown(most)} recipients · ${parts.join(' · ')}`;
}

/** The picture in words, for those who do not. */
export function altText(ended: Pick<EndedSend, 'send' | 'events'>, spanMs: number, most: number): string {
  const { from, to } = timesOf(ended);
  const { accepted, rejected, not_sent, unknown } = ended.send.counts;
  return (
    `Recipients by outcome over ${duration(to - from)}, a bar for each ${spanWords(spanMs)}: ${shown(accepted)} accepted, ` +
    `${shown(unknown)} that may have been sent, ${shown(rejected + not_sent)} rejected or not sent. At most ${shown(most)} in one bar.`
  );
}

function spanWords(ms: number): string {
  return ms < 60_000 ? `${ms / 1_000} s` : duration(ms);
}
