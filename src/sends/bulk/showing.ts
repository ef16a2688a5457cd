import { within } from '../../core/within.ts';
import type { BulkProgress } from '../bulk.ts';
import { retryUntilStored } from '../dispatch/retry-until-stored.ts';
import type { Send, SendState } from '../send.ts';
import { CAME_TO_NOTHING } from '../states.ts';
import type { BulkWork } from './dependencies.ts';
import { readProgress } from './progress.ts';

/* Everything that is shown of bulk sends goes through here. Nothing waits for Slack, but for the last words of a stop. */

/** Minimum time between two updates of a progress message. */
const SHOW_EVERY_MS = 1_000;
/** A process that created a send and lives has posted the approval card by then. */
const CARD_LATE_MS = 10_000;
/** How long a stopping Herald waits for Slack to take its last messages. */
const SHOW_RESTART_MS = 3_000;
const BATCH = 1_000;
const WAITS_OR_NEVER_BEGAN: ReadonlySet<SendState> = new Set(['awaiting_approval', ...CAME_TO_NOTHING]);
const ENDED: ReadonlySet<SendState> = new Set(['done', 'stopped']);

export interface LeftOfSend {
  readonly sendId: string;
  readonly left: number;
}

function inBackground({ logger }: BulkWork, shown: Promise<unknown>): void {
  void shown.catch((error: unknown) => logger.error({ error }, 'a bulk send could not be shown'));
}

/** After a change: the approval card and, once the send has begun, the progress message. */
export async function changed(work: BulkWork, sendId: string): Promise<void> {
  const { announcer } = work;
  const progress = await readProgress(work, sendId);
  if (progress === undefined) return;
  const { state, approval, announcement, retryOf } = progress.send;
  if (approval !== undefined) card(work, progress.send);
  if (state === 'paused' || (announcement !== undefined && WAITS_OR_NEVER_BEGAN.has(state)))
    inBackground(work, announcer.showProgress(progress));
  if (ENDED.has(state)) inBackground(work, announcer.showEnd(progress));
  inBackground(work, announcer.notifyRequester(sendId));
  // The original send offers its recipients for a retry again.
  if (retryOf !== undefined && CAME_TO_NOTHING.includes(state)) retried(work, retryOf);
}

export function card(work: BulkWork, send: Send): void {
  inBackground(work, work.announcer.showApproval(send));
}

export function reminder(work: BulkWork, send: Send): void {
  inBackground(work, work.announcer.remind(send));
}

export function retried(work: BulkWork, sendId: string): void {
  inBackground(work, again(work, sendId));
}

/** The progress message, whatever state the send is in. */
export async function again(work: BulkWork, sendId: string): Promise<void> {
  const progress = await readProgress(work, sendId);
  // The card of a send to one person, which this one tried again, is not ours.
  if (progress?.send.audience === undefined) return;
  // A message that does not exist yet is posted only by the process that announces the send.
  if (progress.send.announcement !== undefined || (await work.store.announces(sendId)))
    await work.announcer.showProgress(progress);
}

/** After the last look at a send that was sent here. */
export async function rested(work: BulkWork, sendId: string): Promise<void> {
  if (await retryUntilStored(() => work.store.announces(sendId), work)) await standing(work, sendId);
}

/** How a send stands on which nobody works here; of its end what was not shown yet. */
async function standing(work: BulkWork, sendId: string): Promise<void> {
  const { announcer } = work;
  const progress = await readProgress(work, sendId);
  if (progress === undefined) return;
  const { state } = progress.send;
  const show = state === 'sending' || state === 'paused' ? announcer.showProgress : announcer.showEnd;
  await Promise.all([show(progress), announcer.notifyRequester(sendId)]);
}

/** While it is sent: called often, and shown once in a while. */
export function progressed(work: BulkWork, sendId: string): void {
  const { showing, outdated, logger } = work;
  if (showing.has(sendId)) return;
  showing.add(sendId);
  void showProgress(work, sendId)
    .catch((error: unknown) => logger.error({ sendId, error }, 'progress could not be shown'))
    .finally(() => {
      showing.delete(sendId);
      if (outdated.delete(sendId)) progressed(work, sendId);
    });
}

async function showProgress(work: BulkWork, sendId: string): Promise<void> {
  const { store, announcer, followed, clock, stopping, storeTrouble } = work;
  await clock.sleep(SHOW_EVERY_MS, stopping);
  if (stopping.aborted) return;
  const mine = followed.get(sendId);
  if (storeTrouble.since() !== undefined && mine?.shown !== undefined) {
    const { send, counts, failures } = mine.shown;
    return announcer.showProgress({ send, counts, failures, perSecond: 0, stalled: true });
  }
  if (!(await store.announces(sendId))) return;
  const progress = await readProgress(work, sendId);
  if (progress?.send.state !== 'sending') return;
  if (mine !== undefined) mine.shown = progress;
  await announcer.showProgress(progress);
}

/** Whatever is sent here says that it has stalled when the store refuses writes, and that it goes on. */
export function watchStore(work: BulkWork): void {
  const { storeTrouble, followed, showing, outdated } = work;
  storeTrouble.onChange(() => {
    for (const [sendId, { isAtWork }] of followed) {
      if (showing.has(sendId)) outdated.add(sendId);
      else if (isAtWork) progressed(work, sendId);
    }
  });
}

/**
 * Cards say when what is approved now goes out: they are shown again when quiet hours have begun or ended.
 *
 * @param sends all that wait
 */
export function waiting(work: BulkWork, sends: readonly Send[]): void {
  const { quiet, quietHours, clock } = work;
  const ids = new Set(sends.map(({ id }) => id));
  for (const id of quiet.keys()) if (!ids.has(id)) quiet.delete(id);
  for (const send of sends) {
    const { id, audience, state, startAt, message, createdAt } = send;
    if (audience === undefined || state !== 'awaiting_approval' || startAt !== undefined) continue;
    const before = quiet.has(id) ? quiet.get(id) : quietHours(message, createdAt);
    const now = quietHours(message, clock.now());
    quiet.set(id, now);
    if (before !== now) card(work, send);
  }
}

/** Ends and approval cards that were not shown completely. */
export async function missing(work: BulkWork): Promise<void> {
  const { store, clock } = work;
  for (const { id } of await store.unannouncedEnds(BATCH))
    if (await store.announces(id)) inBackground(work, standing(work, id));
  for (const send of await store.findByState(['awaiting_approval'], BATCH)) {
    const { approval, createdAt } = send;
    const isUnseen = approval?.card === undefined && clock.now() - createdAt > CARD_LATE_MS;
    if (isUnseen && (await store.announces(send.id))) card(work, send);
  }
}

/** To who asked, what another process has changed, or one that died. */
export async function untold(work: BulkWork): Promise<void> {
  const { store, announcer } = work;
  for (const { id, state } of await store.untold(BATCH)) {
    if (!(await store.announces(id))) continue;
    inBackground(work, state === 'stopped' ? standing(work, id) : announcer.notifyRequester(id));
  }
}

/** While Herald is stopping: shows what is left, which goes on when it runs again. */
export async function left(work: BulkWork): Promise<readonly LeftOfSend[]> {
  const { announcer, clock, logger } = work;
  const sends = await interrupted(work).catch((error: unknown) => {
    logger.error({ error }, 'what is left of bulk sends could not be read');
    return [];
  });
  await within(Promise.all(sends.map(announcer.showRestart)), SHOW_RESTART_MS, clock);
  return sends.map(({ send, counts }) => ({ sendId: send.id, left: counts.pending + counts.attempting }));
}

async function interrupted(work: BulkWork): Promise<readonly BulkProgress[]> {
  const { store, lease } = work;
  const found: BulkProgress[] = [];
  // Other replicas continue them at once.
  if (lease.replicas() > 1) return found;
  for (const { id, audience } of await store.findByState(['sending'], BATCH)) {
    if (audience === undefined || !(await store.announces(id))) continue;
    const progress = await readProgress(work, id);
    if (progress?.send.state === 'sending') found.push(progress);
  }
  return found;
}
