import type { Renderer } from '../../kit/posting/outbox.ts';
import { linksOf, marked, type PostSources } from '../post-sources.ts';
import { standingOf } from '../standing.ts';
import { isNews, newsCard } from './news.ts';

/**
 * One line of the record, once: in the thread of the send's message where it was asked for, and directly where it has none
 * there.
 */
export function renderNews(sources: PostSources): Renderer {
  return async ({ mark, subject: id, place }) => {
    const send = await sources.store.find(id);
    if (place !== undefined || send === undefined) return 'nothing';
    const facts = await standingOf(send, sources);
    const event = facts.events[Number(mark.split(':')[1])];
    if (event === undefined || !isNews(facts, event)) return 'nothing';
    const { userId, channelId } = send.origin;
    const root = [send.announcement, send.approval?.card].find((one) => one?.channelId === channelId);
    const linked = await linksOf(send, ['Approval', 'Progress'], sources);
    return {
      channelId: root?.channelId ?? userId,
      ...(root && { threadTs: root.ts }),
      userId,
      isPersonal: true,
      render: () => linked(marked(newsCard(facts, event), mark)),
    };
  };
}
