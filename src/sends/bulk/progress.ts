import type { BulkProgress } from '../bulk.ts';
import { settledOf } from '../send.ts';
import type { BulkWork } from './dependencies.ts';

/** How a send stands now, and how fast it went since it was read last, where it is sent by this process. */
export async function readProgress(
  { store, followed, clock, storeTrouble }: BulkWork,
  sendId: string,
): Promise<BulkProgress | undefined> {
  const send = await store.find(sendId);
  if (send === undefined) return undefined;
  const { counts } = send;
  const settled = settledOf(counts);
  const mine = followed.get(sendId);
  const now = { at: clock.monotonic(), settled };
  const before = mine?.lastRead ?? now;
  if (mine !== undefined) mine.lastRead = now;
  const seconds = (now.at - before.at) / 1_000;
  const perSecond = seconds > 0 ? (settled - before.settled) / seconds : 0;
  const left = counts.pending + counts.attempting;
  return {
    send,
    counts,
    perSecond,
    ...(perSecond > 0 && left > 0 && { remainingMs: (left / perSecond) * 1_000 }),
    failures: await store.failures(sendId),
    ...(storeTrouble.since() !== undefined && { stalled: true }),
  };
}
