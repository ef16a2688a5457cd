import type { types } from '@slack/bolt';
import { readReport } from '../../sends/ports.ts';
import type { Post, PostKind } from '../../sends/posts.ts';
import { type Announcement, retryGroupOf, type Send } from '../../sends/send.ts';
import type { Lease } from '../../sends/sharing.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { context, section } from '../kit/blocks/blocks.ts';
import { type Card, directNote, renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { BEGUN } from '../kit/cards/words.ts';
import { withLinks } from '../kit/posting/links.ts';
import type { Renderer } from '../kit/posting/outbox.ts';
import { marked, type ToGive, type ToShow } from '../kit/posting/place-post.ts';
import type { SlackServices } from '../kit/services.ts';
import { approvalCard, approvalMark, reminderCard } from './approve/card.ts';
import { progressCard, type ShownProgress, unknownCard } from './progress/card.ts';
import { barsOf, endedCard, spanOf } from './progress/ended-card.ts';
import { endNews, newsOf } from './progress/news.ts';
import { reportCard, reportFile, reportTitle } from './progress/report.ts';
import {
  factsOf,
  gatherEnded,
  gatherProgress,
  hasEnded,
  type SendSources,
  standingOf,
  timesOf,
} from './standing.ts';

/** Shows what became of a send to one person, where it was asked for. Known in a channel's history by the send's id. */
export function renderResultOfOne({
  store,
  catalogue,
  answers,
  logger,
}: Pick<SendSources, 'store' | 'catalogue' | 'answers' | 'logger'>): Renderer {
  return async ({ subject: id }) => {
    const report = await readReport(store, id);
    if (report === undefined) return 'nothing';
    const { channelId, threadTs, userId } = report.send.origin;
    const template = await templateOf(report.send, catalogue, logger);
    const summary = await answers.summary(id);
    const { row } = report.recipient;
    const [delivery] = summary?.delivered ? await answers.deliveries(id, row, row) : [];
    const retries = retryGroupOf(report) === undefined ? [] : await store.retriesOf(id);
    return {
      markInMessage: id,
      channelId,
      userId,
      isPersonal: true,
      ...(threadTs !== undefined && { threadTs }),
      render: (place) => renderCard(report, template, { ...place, answers: summary, delivery, retries }),
    };
  };
}

interface PostSources extends SendSources, Pick<SlackServices, 'files' | 'linkTo' | 'stopping'> {
  /** `approvals.channel` of herald.yml; absent: where the send was asked for. */
  readonly approvalChannel: string | undefined;
  readonly lease: Pick<Lease, 'replicas'>;
}

/** Shows a send as it is now; undefined where there is nothing to show. */
type Render = (send: Send, sources: PostSources, post: Post) => Promise<ToShow | ToGive | undefined>;

/** Shows sends to many, each post read anew whenever it is wanted. */
export function renderSendsToMany(sources: PostSources) {
  const rendering =
    (render: Render): Renderer =>
    async (post) => {
      const send = await sources.store.find(post.subject);
      return (send && (await render(send, sources, post))) ?? 'nothing';
    };
  /** Shows what is said once: of a send that somebody began, and of which nothing is on its way any more. */
  const ofEnded = (render: Render) =>
    rendering(async (send, ...rest) => {
      const isOver = hasEnded(send) && send.audience !== undefined && send.counts.attempting === 0;
      return isOver ? render(send, ...rest) : undefined;
    });
  return {
    card: rendering(renderApproval),
    progress: rendering(renderProgress),
    file: ofEnded(renderFile),
    report: ofEnded(renderReport),
    unknown: ofEnded(renderUnknown),
    course: ofEnded(renderCourse),
    news: rendering(renderNews),
    reminder: rendering(renderReminder),
  } satisfies Partial<Record<PostKind, Renderer>>;
}

const PLACES = {
  Approval: ({ approval }: Send) => approval?.card,
  Progress: ({ announcement }: Send) => announcement,
  Report: ({ thread }: Send) => thread?.report,
};

/** Returns what puts links to the other messages of a send below a card. */
async function linksOf(
  send: Send,
  { linkTo }: PostSources,
  ...names: readonly (keyof typeof PLACES)[]
): Promise<(card: Card) => Card> {
  const links: Record<string, string | undefined> = {};
  for (const name of names) links[name] = await linkTo(PLACES[name](send));
  return (card) => withLinks(card, links);
}

/** Once a send has begun, nothing of its card is urgent. */
const APPROVAL_REST_MS = 5_000;

/** Shows the card by which a send is approved, whatever has become of it. */
const renderApproval: Render = async (send, sources) => {
  if (send.approval === undefined) return undefined;
  const facts = await factsOf(send, sources);
  const { userId, channelId: origin } = send.origin;
  const channelId = sources.approvalChannel ?? origin;
  const linked = await linksOf(send, sources, 'Progress', 'Report');
  return {
    markInMessage: approvalMark(send.id),
    channelId,
    ...(channelId === origin ? {} : { elsewhere: { channelId: origin } }),
    userId,
    ...(BEGUN.has(send.state) && { restMs: APPROVAL_REST_MS }),
    render: ({ direct }) => linked(withNote(approvalCard(facts), direct && missingNote(channelId))),
  };
};

function missingNote(channelId: string): types.ContextBlock {
  return context(
    `Herald could not post this in <#${escapeMrkdwn(channelId)}>, where approvals are asked for. ` +
      'Invite Herald to it for the next time; approvers can decide here, if they see this, or after `/sends` with the reference.',
  );
}

function withNote({ text, blocks }: Card, note: types.ContextBlock | false): Card {
  return { text, blocks: note ? [...blocks, note] : blocks };
}

/** Says once more that a send waits, to everybody in the channel of its card: below the card, and once. */
const renderReminder: Render = async (send, sources, { mark, place }) => {
  const { approval, state } = send;
  if (place !== undefined || approval?.card === undefined || state !== 'awaiting_approval') return undefined;
  const approvals = await sources.store.approvals(send.id);
  const card = reminderCard(send, approvals, sources.cardSettings.approvers);
  const linked = await linksOf(send, sources, 'Approval');
  return {
    ...below(approval.card, send, () => linked(marked(card, mark))),
    broadcast: true,
  };
};

/** The progress of a send that is under way is shown so often. */
const AGAIN_MS = 1_200;
/** Least time between two cards of a send that has ended: what else is said of its end comes together. */
const ENDED_REST_MS = 2_000;

/** Shows how far a send is, in place while it changes, from its start on; at the end what became of it. */
const renderProgress: Render = async (send, sources, { place }) => {
  if (send.audience === undefined || (place === undefined && !BEGUN.has(send.state))) return undefined;
  const linked = await linksOf(send, sources, 'Approval', 'Report');
  const { channelId, userId } = send.origin;
  const shown = (card: Card) => (to: { readonly direct: boolean }) =>
    linked(withNote(card, to.direct && directNote(channelId)));
  if (hasEnded(send)) {
    const render = shown(endedCard(await gatherEnded(send, sources)));
    // A progress that goes on would use up what Slack takes by a response_url.
    return { channelId, userId, restMs: ENDED_REST_MS, isPersonal: true, render };
  }
  const progress = await gatherProgress(send, sources);
  const card = (how: Pick<ShownProgress, 'stalled' | 'restarting'> = {}) =>
    shown(progressCard({ ...progress, ...how }));
  if (send.state !== 'sending') return { channelId, userId, render: card() };
  // Other replicas continue it at once.
  const restarting = sources.stopping.aborted && sources.lease.replicas() <= 1;
  return {
    ...{ channelId, userId, againAfterMs: AGAIN_MS },
    render: card({ restarting }),
    ...(!progress.stalled && { stalled: card({ stalled: true }) }),
  };
};

/** Shows one line of the record, once: in the thread of the send where it was asked for, and directly where it has none there. */
const renderNews: Render = async (send, sources, { mark, place }) => {
  if (place !== undefined) return undefined;
  const card = newsOf(await standingOf(send, sources), Number(mark.split(':')[1]));
  if (card === undefined) return undefined;
  const { userId, channelId } = send.origin;
  const root = [send.announcement, send.approval?.card].find((one) => one?.channelId === channelId);
  const linked = await linksOf(send, sources, 'Approval', 'Progress');
  const render = () => linked(marked(card, mark));
  return { ...(root ? below(root, send, render) : { channelId: userId, userId, render }), isPersonal: true };
};

const GIVEN = 'given';

/** Gives the file to who asked: whole numbers stand in no channel. */
const renderFile: Render = async (send, sources, { digest }) => {
  if (digest !== undefined || send.announcement === undefined) return undefined;
  const { alert, userId } = send.origin;
  return {
    give: async () => {
      // Herald itself asks for what a rule sends, and is nobody to write to.
      if (alert !== undefined) return { state: 'given', note: 'A rule asked for it.' };
      const given = await sources.files.sendTo(userId, reportTitle(send), reportFile(send, sources));
      if (given.ok) return { state: 'given', note: GIVEN };
      const { sentence: note, retryAfterMs } = given.error;
      return retryAfterMs === undefined ? { state: 'given', note } : { state: 'later', retryAfterMs };
    },
  };
};

const renderReport: Render = async (send, sources, { place }) => {
  const given = send.thread?.file;
  if (place !== undefined || send.announcement === undefined || given === undefined) return undefined;
  const report = reportCard(send, given === GIVEN || given);
  const news = endNews(await standingOf(send, sources));
  const linked = await linksOf(send, sources, 'Approval', 'Progress');
  const card =
    news === undefined
      ? report
      : { text: `${news}\n${report.text}`, blocks: [section(news), ...report.blocks] };
  return below(send.announcement, send, () => linked(card));
};

const renderUnknown: Render = async (send, _sources, { place }) => {
  const { announcement, thread } = send;
  const question = unknownCard(send);
  if (place !== undefined || thread?.report === undefined || question === undefined) return undefined;
  return announcement && below(announcement, send, () => question);
};

function below({ channelId, ts }: Announcement, { origin }: Send, render: () => Card): ToShow {
  return { channelId, threadTs: ts, userId: origin.userId, render };
}

/** Counts a send over time, once: what is reported later of single recipients is nothing that a curve shows. */
const renderCourse: Render = async (send, sources, { digest }) => {
  if (digest !== undefined) return undefined;
  const facts = await standingOf(send, sources);
  const spanMs = spanOf(facts);
  if (spanMs === undefined) return undefined;
  const { from, to } = timesOf(facts);
  const bars = barsOf(await sources.store.outcomesOverTime(send.id, from, spanMs), to - from, spanMs);
  return { give: async () => ({ state: 'given', note: JSON.stringify(bars) }) };
};
