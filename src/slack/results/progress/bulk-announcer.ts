import type { AnnounceResult } from '../../../sends/announcer.ts';
import type { BulkAnnouncer, BulkProgress } from '../../../sends/bulk.ts';
import type { Announcement, Send } from '../../../sends/send.ts';
import { section } from '../../kit/blocks/blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { templateOf } from '../../kit/cards/template-of.ts';
import { BEGUN, lastInto } from '../../kit/cards/words.ts';
import { type Board, createBoard } from '../../kit/posting/board.ts';
import { withLinks } from '../../kit/posting/links.ts';
import { approvalCard, approvalMark } from '../approve/card.ts';
import { gatherFacts } from '../approve/facts.ts';
import { reminderCard } from '../approve/reminder.ts';
import { type Standing, standingOf } from '../standing.ts';
import { progressCard, progressMark, type ShownProgress, unknownCard } from './card.ts';
import type { BulkAnnouncerDependencies } from './dependencies.ts';
import { endedCard } from './ended-card.ts';
import { gatherEnded } from './ended-send.ts';
import { inTime } from './in-time.ts';
import { endNews } from './news.ts';
import { reportCard, reportFile } from './report.ts';
import { marked, nextNews, notifyOfNext } from './requester.ts';
import { uploadPicture } from './show-picture.ts';

const ENDED: ReadonlySet<Send['state']> = new Set(['done', 'stopped']);

/** @param missing the channel that Herald could not post it in */
type Render = (missing: string | undefined) => Card;

/** Tells of bulk sends: the approval card, the progress message, and in its thread the report and what is left to decide. */
export function createBulkAnnouncer(dependencies: BulkAnnouncerDependencies): BulkAnnouncer {
  const { placing, store, catalogue, approvalChannel, cardSettings, linkTo, clock, logger } = dependencies;
  const board: Board = createBoard(dependencies);
  /** A stopped send is told of twice: by who stopped it, and by what was on its way. */
  const telling = new Set<string>();
  /** Who asked has the report, of which the store may have taken no note. */
  const given = new Set<string>();
  const notifying = new Set<string>();

  async function placeApproval(sendId: string): Promise<AnnounceResult | undefined> {
    const facts = await gatherFacts(sendId, dependencies);
    if (facts?.send.approval === undefined) return undefined;
    const { send } = facts;
    const channelId = approvalChannel ?? send.origin.channelId;
    const links = { Progress: await linkTo(send.announcement), Report: await linkTo(reportOf(send)) };
    const result = await placing.place({
      mark: approvalMark(sendId),
      sendId,
      since: send.createdAt,
      at: send.approval?.card,
      channelId,
      ...(channelId === send.origin.channelId ? {} : { elsewhere: send.origin.channelId }),
      userId: send.origin.userId,
      render: ({ direct }) =>
        withLinks(approvalCard(facts, { missing: direct ? channelId : undefined }), links),
    });
    if (result.state === 'posted')
      await store.setApprovalCard(sendId, { channelId: result.channelId, ts: result.ts });
    return result;
  }

  /** Counts and state are read anew, where the store can be asked; rate and time left are what was last heard. */
  async function placeProgress(
    { send: before, ...heard }: BulkProgress,
    restarting = false,
  ): Promise<AnnounceResult | undefined> {
    const { id } = before;
    const send = heard.stalled ? before : await store.find(id);
    if (send === undefined) return undefined;
    const render = ENDED.has(send.state)
      ? await endedRenderer(send)
      : await runningRenderer({ ...heard, send, counts: send.counts, restarting });
    const links = { Approval: await linkTo(send.approval?.card), Report: await linkTo(reportOf(send)) };
    const { channelId, userId } = send.origin;
    const result = await placing.place({
      mark: progressMark(id),
      sendId: id,
      since: send.createdAt,
      at: send.announcement,
      channelId,
      userId,
      // What goes on would use up what Slack takes by a response_url.
      isPersonal: ENDED.has(send.state),
      render: ({ direct }) => withLinks(render(direct ? channelId : undefined), links),
    });
    if (result.state === 'posted' && !heard.stalled) {
      const { channelId: placedIn, ts } = result;
      await store.markAnnounced(id, { channelId: placedIn, ts });
      // From now on the card has a link to it.
      if (send.announcement === undefined && send.approval !== undefined) void showApproval(send);
    }
    return result;
  }

  async function runningRenderer(progress: ShownProgress): Promise<Render> {
    const template = await templateOf(progress.send, catalogue, logger);
    const answers = await dependencies.answers.summary(progress.send.id);
    return (missing) => progressCard(progress, template, missing, answers);
  }

  async function endedRenderer(send: Send): Promise<Render> {
    const ended = await gatherEnded(send, dependencies);
    return (missing) => endedCard(ended, missing);
  }

  /** A message of its own in the thread, posted once: an earlier one has its mark, and is not older than `since`. */
  function placeBelow(
    send: Send,
    root: Announcement,
    { mark, since, card, ...how }: { mark: string; since: number; card: Card; broadcast?: true },
  ): Promise<AnnounceResult> {
    return placing.place({
      ...how,
      mark,
      sendId: send.id,
      since,
      at: undefined,
      channelId: root.channelId,
      threadTs: root.ts,
      userId: send.origin.userId,
      render: () => card,
    });
  }

  function showProgress(progress: BulkProgress): Promise<void> {
    return board.show(progressMark(progress.send.id), () => placeProgress(progress));
  }

  /** Whole numbers stand in no channel: the file goes to who asked. Returns a sentence when it could not. */
  async function giveReport(send: Send): Promise<string | undefined> {
    // Herald itself asks for what a rule sends, and is nobody to write to.
    const { id, origin } = send;
    if (origin.alert !== undefined) return 'A rule asked for it.';
    const words = `The result for every recipient of ${id}:`;
    const file = reportFile(send, store, dependencies.answers);
    const give = () => dependencies.files.sendTo(origin.userId, words, file);
    const given = await inTime(give, dependencies);
    return given?.ok === false ? given.error : undefined;
  }

  /** Each part once, also over restarts: what was told is noted before the next part is. */
  async function tellEnd(progress: BulkProgress): Promise<void> {
    const { id } = progress.send;
    const send = await store.find(id);
    const root = send?.announcement;
    // A stopped send is told of again when what was on its way has ended.
    if (send === undefined || root === undefined || send.counts.attempting > 0) return;
    const facts = await standingOf(send, dependencies);
    const { counts, thread } = send;
    const { stopping } = dependencies;
    if (stopping.aborted || thread?.end === 'all' || !(await store.announces(id))) return;
    const ended = { ...progress, send, counts, failures: await store.failures(id) };
    const since = lastInto(send.state, facts.events)?.at ?? send.createdAt;
    if (thread?.end !== 'report') {
      const problem = thread?.end === 'given' || given.has(id) ? undefined : await giveReport(send);
      if (stopping.aborted) return;
      if (problem === undefined) {
        given.add(id);
        await store.markThread(id, { end: 'given' });
        given.delete(id);
      }
      const mark = `report:${id}`;
      const card = await endCard(facts, problem);
      let reportTs: string | undefined;
      await board.show(mark, async () => {
        const result = await placeBelow(send, root, { mark, since, card });
        if (result.state === 'posted') reportTs = result.ts;
        return result;
      });
      if (stopping.aborted) return;
      await store.markThread(id, { end: 'report', ...(reportTs && { reportTs }) });
      void showProgress(ended);
      if (send.approval !== undefined) void showApproval(send);
    }
    const question = unknownCard(ended);
    const mark = `unknown:${id}`;
    if (question) await board.show(mark, () => placeBelow(send, root, { mark, since, card: question }));
    const picture = await uploadPicture(await gatherEnded(send, dependencies), dependencies);
    if (stopping.aborted) return;
    await store.markThread(id, { end: 'all', ...(picture && { picture }) });
    if (picture) await showProgress(ended);
  }

  /** How it ended, and the report. */
  async function endCard(facts: Standing, problem: string | undefined): Promise<Card> {
    const { send } = facts;
    const report = reportCard(send, problem ?? true);
    const news = endNews(facts);
    const links = { Approval: await linkTo(send.approval?.card), Progress: await linkTo(send.announcement) };
    if (news === undefined) return withLinks(report, links);
    return withLinks({ text: `${news}\n${report.text}`, blocks: [section(news), ...report.blocks] }, links);
  }

  function showApproval(send: Send): Promise<void> {
    return board.show(approvalMark(send.id), () => placeApproval(send.id));
  }

  /** Until nothing is left; what cannot be told is left to a later call. */
  async function notifyOfAll(id: string): Promise<void> {
    for (let line = -1; !dependencies.stopping.aborted && (await store.announces(id)); ) {
      const next = await nextNews(id, dependencies);
      if (next === undefined || next.line === line) return;
      line = next.line;
      await board.show(`news:${id}`, () => notifyOfNext(id, dependencies));
    }
  }

  /** While it is under way for a send, it is not begun again. */
  async function alone(busy: Set<string>, sendId: string, work: () => Promise<void>, problem: string) {
    if (busy.has(sendId)) return;
    busy.add(sendId);
    await work()
      .catch((error: unknown) => logger.error({ sendId, error }, problem))
      .finally(() => busy.delete(sendId));
  }

  return {
    showApproval,
    remind: (send) => {
      const since = clock.now();
      const mark = `reminder:${since}:${send.id}`;
      return board.show(mark, async () => {
        const current = await store.find(send.id);
        const root = current?.approval?.card;
        if (current?.state !== 'awaiting_approval' || root === undefined) return undefined;
        const card = reminderCard(current, await store.approvals(send.id), cardSettings.approvers);
        const linked = withLinks(marked(card, mark), { Approval: await linkTo(root) });
        return placeBelow(current, root, { mark, since, card: linked, broadcast: true });
      });
    },
    showProgress,
    notifyRequester: (id) => alone(notifying, id, () => notifyOfAll(id), 'who asked was not notified of all'),
    showRestart: (progress) =>
      board.showLast(progressMark(progress.send.id), () => placeProgress(progress, true)),
    showEnd: async (progress) => {
      const { id } = progress.send;
      const { approval, state } = progress.send;
      // What ended before anybody was sent to is told of by its card, and to who asked.
      if (!BEGUN.has(state)) return approval && showApproval(progress.send);
      await showProgress(progress);
      await alone(telling, id, () => tellEnd(progress), 'the end of a send was not told wholly');
    },
  };
}

function reportOf({ announcement, thread }: Send): Announcement | undefined {
  return announcement && thread?.reportTs ? { ...announcement, ts: thread.reportTs } : undefined;
}
