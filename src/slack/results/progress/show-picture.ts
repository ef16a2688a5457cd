import type { ThreadState } from '../../../sends/send.ts';
import { barsOf, spanOf, sumOf } from './course.ts';
import type { BulkAnnouncerDependencies } from './dependencies.ts';
import { type EndedSend, timesOf } from './ended-send.ts';
import { inTime } from './in-time.ts';
import { draw } from './picture.ts';

/** Slack looks at an uploaded file for a moment before a message may show it. */
const LOOK_AGAIN_MS = 1_000;
const MOST_LOOKS = 20;

/**
 * Draws a send over time and gives the picture to Slack. Undefined where none is worth it, or Slack does not take it: then
 * the message stays as it is.
 */
export async function uploadPicture(
  ended: EndedSend,
  dependencies: Pick<BulkAnnouncerDependencies, 'store' | 'files' | 'clock' | 'stopping'>,
): Promise<ThreadState['picture']> {
  const { store, files, clock, stopping } = dependencies;
  const spanMs = spanOf(ended);
  if (spanMs === undefined) return undefined;
  const { from, to } = timesOf(ended);
  const bars = barsOf(await store.outcomesOverTime(ended.send.id, from, spanMs), to - from, spanMs);
  const picture = draw(bars);
  const uploaded = await inTime(() => files.upload(`${ended.send.id}.png`, picture), { clock, stopping });
  if (!uploaded?.ok) return undefined;
  const file = uploaded.value;
  for (let looks = 0; looks < MOST_LOOKS && !stopping.aborted; looks += 1) {
    if (await files.isShowable(file)) return { file, most: Math.max(...bars.map(sumOf)) };
    await clock.sleep(LOOK_AGAIN_MS, stopping);
  }
  return undefined;
}
