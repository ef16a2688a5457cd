import { within } from '../../core/within.ts';
import type { BulkProgress } from '../bulk.ts';
import { retryUntilStored } from '../dispatch/retry-until-stored.ts';
import type { QuietHoursAt } from '../quiet-hours.ts';
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

export type Showing = ReturnType<typeof createShowing>;

/** Brings cards, progress messages and who asked up to date. */
export function createShowing(work: BulkWork) {
  const { store, announcer, lease, quietHours, followed, clock, logger, stopping, storeTrouble } = work;
  const showing = new Set<string>();
  /** Sends whose message in the making is already out of date. */
  const outdated = new Set<string>();
  /** The quiet hours of the moment when each waiting send was looked at last. */
  const quiet = new Map<string, ReturnType<QuietHoursAt>>();

  function inBackground(shown: Promise<unknown>): void {
    void shown.catch((error: unknown) => logger.error({ error }, 'a bulk send could not be shown'));
  }

  /** After a change: the approval card and, once the send has begun, the progress message. */
  async function changed(sendId: string): Promise<void> {
    const progress = await readProgress(work, sendId);
    if (progress === undefined) return;
    const { state, approval, announcement, retryOf } = progress.send;
    if (approval !== undefined) inBackground(announcer.showApproval(progress.send));
    if (state === 'paused' || (announcement !== undefined && WAITS_OR_NEVER_BEGAN.has(state)))
      inBackground(announcer.showProgress(progress));
    if (ENDED.has(state)) inBackground(announcer.showEnd(progress));
    inBackground(announcer.notifyRequester(sendId));
    // The original send offers its recipients for a retry again.
    if (retryOf !== undefined && CAME_TO_NOTHING.includes(state)) inBackground(again(retryOf));
  }

  /** The progress message, whatever state the send is in. */
  async function again(sendId: string): Promise<void> {
    const progress = await readProgress(work, sendId);
    // The card of a send to one person, which this one tried again, is not ours.
    if (progress?.send.audience === undefined) return;
    // A message that does not exist yet is posted only by the process that announces the send.
    if (progress.send.announcement !== undefined || (await store.announces(sendId)))
      await announcer.showProgress(progress);
  }

  /** How a send stands that nobody works on here; of its end what was not shown yet. */
  async function standing(sendId: string): Promise<void> {
    const progress = await readProgress(work, sendId);
    if (progress === undefined) return;
    const { state } = progress.send;
    const show = state === 'sending' || state === 'paused' ? announcer.showProgress : announcer.showEnd;
    await Promise.all([show(progress), announcer.notifyRequester(sendId)]);
  }

  function progressed(sendId: string): void {
    if (showing.has(sendId)) return;
    showing.add(sendId);
    void showProgress(sendId)
      .catch((error: unknown) => logger.error({ sendId, error }, 'progress could not be shown'))
      .finally(() => {
        showing.delete(sendId);
        if (outdated.delete(sendId)) progressed(sendId);
      });
  }

  async function showProgress(sendId: string): Promise<void> {
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

  /** The card says when what is approved now goes out: it is shown again when quiet hours have begun or ended. */
  function showQuietHours(send: Send): void {
    const { id, message, createdAt } = send;
    const before = quiet.has(id) ? quiet.get(id) : quietHours(message, createdAt);
    const now = quietHours(message, clock.now());
    quiet.set(id, now);
    if (before !== now) inBackground(announcer.showApproval(send));
  }

  /** Sends that go on when Herald runs again, of those that this process announces. */
  async function interrupted(): Promise<readonly BulkProgress[]> {
    const left: BulkProgress[] = [];
    // Other replicas continue them at once.
    if (lease.replicas() > 1) return left;
    for (const { id, audience } of await store.findByState(['sending'], BATCH)) {
      if (audience === undefined || !(await store.announces(id))) continue;
      const progress = await readProgress(work, id);
      if (progress?.send.state === 'sending') left.push(progress);
    }
    return left;
  }

  // Whatever is sent here says that it has stalled, and that it goes on.
  storeTrouble.onChange(() => {
    for (const [sendId, { isAtWork }] of followed) {
      if (showing.has(sendId)) outdated.add(sendId);
      else if (isAtWork) progressed(sendId);
    }
  });

  return {
    changed,
    again,
    retried: (sendId: string) => inBackground(again(sendId)),
    asked: (send: Send) => inBackground(announcer.showApproval(send)),
    reminded: (send: Send) => inBackground(announcer.remind(send)),
    progressed,
    /** After its last look, of a send that was sent here. */
    rested: async (sendId: string) => {
      if (await retryUntilStored(() => store.announces(sendId), work)) await standing(sendId);
    },
    /** @param sends all that wait */
    waiting: (sends: readonly Send[]) => {
      const ids = new Set(sends.map(({ id }) => id));
      for (const id of quiet.keys()) if (!ids.has(id)) quiet.delete(id);
      for (const send of sends)
        if (send.state === 'awaiting_approval' && send.startAt === undefined) showQuietHours(send);
    },
    /** Ends and approval cards that were not shown completely. */
    missing: async () => {
      for (const { id } of await store.unannouncedEnds(BATCH))
        if (await store.announces(id)) inBackground(standing(id));
      for (const send of await store.findByState(['awaiting_approval'], BATCH)) {
        const { approval, createdAt } = send;
        const isUnseen = approval?.card === undefined && clock.now() - createdAt > CARD_LATE_MS;
        if (isUnseen && (await store.announces(send.id))) inBackground(announcer.showApproval(send));
      }
    },
    /** To who asked, what another process has changed, or one that died. */
    untold: async () => {
      for (const { id, state } of await store.untold(BATCH)) {
        if (!(await store.announces(id))) continue;
        inBackground(state === 'stopped' ? standing(id) : announcer.notifyRequester(id));
      }
    },
    /** While Herald is stopping: what is left, which goes on when it runs again. */
    left: async (): Promise<readonly LeftOfSend[]> => {
      const left = await interrupted().catch((error: unknown) => {
        logger.error({ error }, 'what is left of bulk sends could not be read');
        return [];
      });
      await within(Promise.all(left.map(announcer.showRestart)), SHOW_RESTART_MS, clock);
      return left.map(({ send, counts }) => ({ sendId: send.id, left: counts.pending + counts.attempting }));
    },
  };
}
