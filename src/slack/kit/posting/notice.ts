import type { Notice, NoticeStore } from '../../../sends/notices.ts';
import { kindOfMark } from '../../../sends/posts.ts';
import { moment, section } from '../blocks/blocks.ts';
import type { Card } from '../cards/send-card.ts';
import { duration } from '../cards/words.ts';
import { attempt } from './attempt.ts';
import type { Renderer } from './outbox.ts';
import { marked, type PlacingSurroundings } from './place-post.ts';

/**
 * Notifies whoever runs Herald that something needs a person, and that it is over, each in a message of its own: of an
 * update Slack notifies nobody.
 *
 * @param channelId `operators` of herald.yml; absent: nobody is notified
 */
export function renderNotices(
  notices: Pick<NoticeStore, 'find'>,
  channelId: string | undefined,
): Record<'notice' | 'over', Renderer> {
  const render: Renderer = async ({ mark, subject }) => {
    const notice = await notices.find(subject);
    const isOver = notice?.overAt !== undefined;
    if (notice === undefined || channelId === undefined || isOver !== (kindOfMark(mark) === 'over'))
      return 'nothing';
    return { channelId, isForOperators: true, render: () => marked(cardOf(notice), mark) };
  };
  return { notice: render, over: render };
}

/** Posts a notice without the outbox; false when Slack did not take it. Never rejects. */
export function createNoticePoster(
  { client, logger }: Pick<PlacingSurroundings, 'client' | 'logger'>,
  channel: string,
) {
  return async (notice: Notice): Promise<boolean> => {
    const { state } = await attempt(
      cardOf(notice),
      (body) => client.chat.postMessage({ channel, ...body, unfurl_links: false, unfurl_media: false }),
      logger,
    );
    logger.info({ name: notice.name, state }, 'operators were notified without the database');
    return state === 'done';
  };
}

function cardOf({ what, since, overAt }: Notice): Card {
  const text =
    overAt === undefined
      ? `⚠️ *Herald needs somebody*, since ${moment(since)}\n${what}`
      : `✅ *It is over*, after ${duration(overAt - since)}\n>${what}`;
  return { text, blocks: [section(text)] };
}
