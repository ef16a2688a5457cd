import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { AnnounceResult } from '../../../sends/announcer.ts';
import type { BulkAnnouncer, BulkProgress } from '../../../sends/bulk.ts';
import type { Announcement, Send } from '../../../sends/send.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { templateOf } from '../../kit/cards/template-of.ts';
import { lastInto } from '../../kit/cards/words.ts';
import { attempt } from '../../kit/posting/attempt.ts';
import { type Board, createBoard } from '../../kit/posting/board.ts';
import { refusedForNow } from '../../kit/posting/placing.ts';
import { remedyOf } from '../../kit/posting/remedy.ts';
import { type ApprovalFacts, approvalCard, approvalMark, refusedCard } from '../approve/card.ts';
import { gatherFacts } from '../approve/facts.ts';
import { reminderCard } from '../approve/reminder.ts';
import { failuresCard, heldCard, progressCard, progressMark, unknownCard } from './card.ts';
import type { BulkAnnouncerDependencies } from './dependencies.ts';
import { reportCard, reportFile } from './report.ts';
import { shareInTime } from './share-in-time.ts';

/** The causes in the thread are brought up to date no more often than this while it is sending. */
const CAUSES_EVERY_MS = 15_000;
const UNREACHED_LATER_MS = 5_000;
/** An older refusal is no news: the card was only shown again. */
const NEWS_MS = 10 * 60_000;
const NEWS_KEPT = 1_000;
const ENDED: ReadonlySet<Send['state']> = new Set(['done', 'stopped']);
const BEGUN: ReadonlySet<Send['state']> = new Set(['sending', 'paused', ...ENDED]);

type Where =
  | { readonly channel: string; readonly thread_ts?: never }
  | { readonly channel: string; readonly thread_ts: string; readonly reply_broadcast?: never }
  | { readonly channel: string; readonly thread_ts: string; readonly reply_broadcast: true };

/** What is remembered of a send while it is told of. */
interface Thread {
  toldAt: number;
  told: string;
}

/** Tells of bulk sends: the approval card, the progress message, and in its thread causes, report and what is left to decide. */
export function createBulkAnnouncer(dependencies: BulkAnnouncerDependencies): BulkAnnouncer {
  const { client, placing, store, audiences, catalogue, approvalChannel, prices, clock, logger } =
    dependencies;
  const board: Board = createBoard(dependencies);
  const threads = new Map<string, Thread>();
  /** A stopped send is told of twice: by who stopped it, and by what was on its way. */
  const telling = new Set<string>();
  const told = createExpiringMap<number>(NEWS_MS, NEWS_KEPT, clock);

  async function placeApproval(sendId: string): Promise<AnnounceResult | undefined> {
    const facts = await gatherFacts(sendId, { store, audiences, catalogue, prices, logger });
    if (facts?.send.approval === undefined) return undefined;
    const { send } = facts;
    const channelId = approvalChannel ?? send.origin.channelId;
    const result = await placing.place({
      mark: approvalMark(sendId),
      sendId,
      since: send.createdAt,
      at: send.approval?.card,
      channelId,
      ...(channelId === send.origin.channelId ? {} : { elsewhere: send.origin.channelId }),
      userId: send.origin.userId,
      render: ({ direct }) => approvalCard(facts, { missing: direct ? channelId : undefined }),
    });
    if (result.state === 'posted') {
      await store.setApprovalCard(sendId, { channelId: result.channelId, ts: result.ts });
      tellRequester(facts);
    }
    return result;
  }

  /** A card that changes in place tells nobody: who asked is written to when the answer was no. */
  function tellRequester(facts: ApprovalFacts): void {
    const { id, origin } = facts.send;
    const event = lastInto(facts.send.state, facts.events);
    const news = event && clock.now() - event.at < NEWS_MS && told.get(id) !== event.at && refusedCard(facts);
    if (!news) return;
    told.set(id, event.at);
    void board.show(`refused:${id}`, () => postOnce({ channel: origin.userId }, news));
  }

  /** Counts and state are read anew; rate and time left are what was last heard. */
  async function placeProgress(
    { send: { id }, ...heard }: BulkProgress,
    restarting = false,
  ): Promise<AnnounceResult | undefined> {
    const send = await store.find(id);
    if (send === undefined) return undefined;
    const template = await templateOf(send, catalogue, logger);
    const answers = await dependencies.answers.summary(id);
    const retries = ENDED.has(send.state) ? await store.retriesOf(id) : [];
    const { channelId, userId } = send.origin;
    const result = await placing.place({
      mark: progressMark(id),
      sendId: id,
      since: send.createdAt,
      at: send.announcement,
      channelId,
      userId,
      render: ({ direct }) =>
        progressCard(
          { ...heard, send, counts: send.counts, restarting, retries },
          template,
          direct ? channelId : undefined,
          answers,
        ),
    });
    if (result.state === 'posted') {
      const { channelId: placedIn, ts } = result;
      await store.markAnnounced(id, send.revision, { channelId: placedIn, ts });
    }
    return result;
  }

  /** A message of its own in the thread, posted at most once: below it stands who decided what. */
  function postBelow({ channelId, ts }: Announcement, card: Card): Promise<AnnounceResult> {
    return postOnce({ channel: channelId, thread_ts: ts }, card);
  }

  /** A post whose answer was lost is not repeated: what it says stands elsewhere, too. */
  async function postOnce(where: Where, card: Card): Promise<AnnounceResult> {
    const result = await attempt(
      card,
      (body) => client.chat.postMessage({ ...where, ...body, unfurl_links: false, unfurl_media: false }),
      logger,
    );
    if (result.state === 'done') return { state: 'posted', channelId: where.channel, ts: result.ts ?? '' };
    if (result.state === 'refused') {
      if (remedyOf(result.code) !== 'elsewhere') return refusedForNow(result.code);
      return { state: 'refused', reason: result.code };
    }
    if (result.failure.kind === 'rate_limited') {
      return { state: 'later', retryAfterMs: result.failure.retryAfterMs };
    }
    if (result.failure.kind === 'not_reached') return { state: 'later', retryAfterMs: UNREACHED_LATER_MS };
    return { state: 'refused', reason: 'Slack did not say whether it was posted' };
  }

  async function placeCauses(progress: BulkProgress, card: Card): Promise<AnnounceResult | undefined> {
    const send = await store.find(progress.send.id);
    if (send?.announcement === undefined) return undefined;
    const { channelId } = send.announcement;
    const result = await placing.place({
      mark: `failures:${send.id}`,
      sendId: send.id,
      since: clock.now(),
      at: send.thread?.causesTs === undefined ? undefined : { channelId, ts: send.thread.causesTs },
      channelId,
      threadTs: send.announcement.ts,
      userId: send.origin.userId,
      render: () => card,
    });
    if (result.state === 'posted') await store.markThread(send.id, { causesTs: result.ts });
    return result;
  }

  /** Nothing when the causes are as they were, or were told a moment ago and the send goes on. */
  function showCauses(progress: BulkProgress, ended: boolean): Promise<void> {
    const { id } = progress.send;
    // Who was left out before the start is on the approval card; it is news only among other causes, or at the end.
    const isNews = ended || progress.failures.some(({ state }) => state !== 'skipped');
    const card = isNews ? failuresCard(progress) : undefined;
    if (card === undefined) return Promise.resolve();
    const thread = threads.get(id) ?? { toldAt: Number.NEGATIVE_INFINITY, told: '' };
    threads.set(id, thread);
    const told = JSON.stringify(card.blocks);
    const early = !ended && clock.monotonic() - thread.toldAt < CAUSES_EVERY_MS;
    if (told === thread.told || early) return Promise.resolve();
    thread.told = told;
    thread.toldAt = clock.monotonic();
    return board.show(`failures:${id}`, () => placeCauses(progress, card));
  }

  function showProgress(progress: BulkProgress): Promise<void> {
    return board.show(progressMark(progress.send.id), () => placeProgress(progress));
  }

  /** A message that changes in place tells nobody: once for each hold it is asked, below it, what to do. */
  async function askAboutRest(progress: BulkProgress): Promise<AnnounceResult | undefined> {
    const send = await store.find(progress.send.id);
    const question = send && heldCard(send);
    if (send?.announcement === undefined || question === undefined || send.resumeAt === undefined)
      return undefined;
    if (send.thread?.deferral === send.resumeAt) return undefined;
    const result = await postBelow(send.announcement, question);
    if (result.state !== 'later') await store.markThread(send.id, { deferral: send.resumeAt });
    return result;
  }

  /** Whole numbers stand in no channel: the file goes to who asked. Returns a sentence when it could not. */
  async function giveReport({ id, origin }: Send): Promise<string | undefined> {
    // Herald itself asks for what a rule sends, and is nobody to write to.
    if (origin.alert !== undefined) return 'A rule asked for it.';
    const direct = dependencies.files.direct(origin.userId, `The result for every recipient of ${id}:`);
    return shareInTime(direct, reportFile(id, store, dependencies.answers), dependencies);
  }

  /** Each part once, also over restarts: what was told is noted before the next part is. */
  async function tellEnd(progress: BulkProgress): Promise<void> {
    const ended = await readEnded(progress);
    const root = ended?.send.announcement;
    // A stopped send is told of again when what was on its way has ended.
    if (ended === undefined || root === undefined || ended.counts.attempting > 0) return;
    const { id, thread } = ended.send;
    const { stopping } = dependencies;
    if (stopping.aborted || thread?.end === 'all') return;
    await showCauses(ended, true);
    threads.delete(id);
    if (thread?.end !== 'report') {
      const problem = thread?.end === 'given' ? undefined : await giveReport(ended.send);
      if (stopping.aborted) return;
      if (problem === undefined) await store.markThread(id, { end: 'given' });
      await board.show(`report:${id}`, () => postBelow(root, reportCard(ended.send, problem ?? true)));
      if (stopping.aborted) return;
      await store.markThread(id, { end: 'report' });
    }
    const question = unknownCard(ended);
    if (question) await board.show(`unknown:${id}`, () => postBelow(root, question));
    if (!stopping.aborted) await store.markThread(id, { end: 'all' });
  }

  async function readEnded(progress: BulkProgress): Promise<BulkProgress | undefined> {
    const send = await store.find(progress.send.id);
    return send && { ...progress, send, counts: send.counts, failures: await store.failures(send.id) };
  }

  /** What ended before anybody was sent to is told of by its card, or where it never had one, by its progress message. */
  function showNeverBegan(send: Send): Promise<void> {
    if (send.approval !== undefined) return showApproval(send);
    return showProgress({ send, counts: send.counts, perSecond: 0, failures: [] });
  }

  function showApproval(send: Send): Promise<void> {
    return board.show(approvalMark(send.id), () => placeApproval(send.id));
  }

  return {
    showApproval,
    remind: (send) =>
      board.show(`reminder:${send.id}`, async () => {
        const current = await store.find(send.id);
        if (current?.state !== 'awaiting_approval' || !current.approval?.card) return undefined;
        const approvals = await store.approvals(send.id);
        const { channelId, ts } = current.approval.card;
        return postOnce(
          { channel: channelId, thread_ts: ts, reply_broadcast: true },
          reminderCard(current, approvals),
        );
      }),
    showProgress: async (progress) => {
      await showProgress(progress);
      await showCauses(progress, false);
      if (progress.send.resumeAt !== undefined)
        await board.show(`held:${progress.send.id}`, () => askAboutRest(progress));
    },
    showRestart: (progress) =>
      board.showLast(progressMark(progress.send.id), () => placeProgress(progress, true)),
    showEnd: async (progress) => {
      const { id } = progress.send;
      if (!BEGUN.has(progress.send.state)) return showNeverBegan(progress.send);
      await showProgress(progress);
      if (telling.has(id)) return;
      telling.add(id);
      await tellEnd(progress)
        .catch((error: unknown) =>
          logger.error({ sendId: id, error }, 'the end of a send was not told wholly'),
        )
        .finally(() => telling.delete(id));
    },
  };
}
