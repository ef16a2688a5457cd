import type { Announcement, Send } from '../../../sends/send.ts';
import { section } from '../../kit/blocks/blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import type { NotGiven } from '../../kit/files/files.ts';
import type { Renderer } from '../../kit/posting/outbox.ts';
import type { ToGive, ToShow } from '../../kit/posting/place-post.ts';
import { linksOf, type PostSources } from '../post-sources.ts';
import { standingOf } from '../standing.ts';
import { unknownCard } from './card.ts';
import { barsOf, spanOf, sumOf } from './course.ts';
import { gatherEnded, hasEnded, timesOf } from './ended-send.ts';
import { endNews } from './news.ts';
import { draw } from './picture.ts';
import { reportCard, reportFile } from './report.ts';

/* What is told once of a send that has ended, and of which nothing is on its way any more. */

/** Slack looks at an uploaded file for a moment before a message may show it. */
const LOOK_AGAIN_MS = 1_000;
const MOST_LOOKS = 20;
const GIVEN = 'given';

/** Undefined while more is to come, and where nobody began it. */
async function endedSend(id: string, { store }: Pick<PostSources, 'store'>): Promise<Send | undefined> {
  const send = await store.find(id);
  return send && hasEnded(send) && send.audience !== undefined && send.counts.attempting === 0
    ? send
    : undefined;
}

/** Whole numbers stand in no channel: the file goes to who asked. */
export function renderFile(sources: PostSources): Renderer {
  const { store, answers, files } = sources;
  return async ({ subject: id, digest }) => {
    const send = await endedSend(id, sources);
    if (digest !== undefined || send?.announcement === undefined) return 'nothing';
    const { alert, userId } = send.origin;
    return {
      give: async () => {
        // Herald itself asks for what a rule sends, and is nobody to write to.
        if (alert !== undefined) return { state: 'given', note: 'A rule asked for it.' };
        const words = `The result for every recipient of ${id}:`;
        const given = await files.sendTo(userId, words, reportFile(send, store, answers));
        return given.ok
          ? { state: 'given', note: GIVEN }
          : orLater(given.error, { state: 'given', note: given.error.sentence });
      },
    };
  };
}

/** How it ended, and where the report is. */
export function renderReport(sources: PostSources): Renderer {
  return async ({ subject: id, place }) => {
    const send = await endedSend(id, sources);
    const given = send?.thread?.file;
    if (place !== undefined || send?.announcement === undefined || given === undefined) return 'nothing';
    const facts = await standingOf(send, sources);
    const report = reportCard(send, given === GIVEN || given);
    const news = endNews(facts);
    const linked = await linksOf(send, ['Approval', 'Progress'], sources);
    return below(send, send.announcement, () =>
      linked(
        news === undefined
          ? report
          : { text: `${news}\n${report.text}`, blocks: [section(news), ...report.blocks] },
      ),
    );
  };
}

/** Asks what is to be done about those of whom nobody knows. */
export function renderUnknown(sources: PostSources): Renderer {
  return async ({ subject: id, place }) => {
    const send = await endedSend(id, sources);
    if (place !== undefined || send?.announcement === undefined || send.thread?.report === undefined)
      return 'nothing';
    const question = unknownCard(send);
    return question === undefined ? 'nothing' : below(send, send.announcement, () => question);
  };
}

function below(send: Send, { channelId, ts }: Announcement, render: () => Card): ToShow {
  return { channelId, threadTs: ts, userId: send.origin.userId, render };
}

/** Draws a send over time and gives the picture to Slack. Where none is worth it, or Slack does not take it, there is none. */
export function renderPicture(sources: PostSources): Renderer {
  const { store, files, clock, stopping } = sources;

  async function isShowable(file: string): Promise<boolean> {
    for (let looks = 0; looks < MOST_LOOKS && !stopping.aborted; looks += 1) {
      if (await files.isShowable(file)) return true;
      await clock.sleep(LOOK_AGAIN_MS, stopping);
    }
    return false;
  }

  return async ({ subject: id, digest }) => {
    const send = await endedSend(id, sources);
    if (digest !== undefined || send === undefined) return 'nothing';
    const facts = await gatherEnded(send, sources);
    const spanMs = spanOf(facts);
    if (spanMs === undefined) return 'nothing';
    const give: ToGive['give'] = async () => {
      const { from, to } = timesOf(facts);
      const bars = barsOf(await store.outcomesOverTime(id, from, spanMs), to - from, spanMs);
      const uploaded = await files.upload(`${id}.png`, draw(bars));
      if (!uploaded.ok) return orLater(uploaded.error, { state: 'given', note: 'none' });
      const file = uploaded.value;
      if (await isShowable(file)) return { state: 'given', note: `${file} ${Math.max(...bars.map(sumOf))}` };
      return stopping.aborted
        ? { state: 'later', retryAfterMs: LOOK_AGAIN_MS }
        : { state: 'given', note: 'none' };
    };
    return { give };
  };
}

type Given = Awaited<ReturnType<ToGive['give']>>;

function orLater({ retryAfterMs }: NotGiven, otherwise: Given): Given {
  return retryAfterMs === undefined ? otherwise : { state: 'later', retryAfterMs };
}
