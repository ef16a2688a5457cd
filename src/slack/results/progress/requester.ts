import type { AnnounceResult } from '../../../sends/announcer.ts';
import type { SendEvent } from '../../../sends/record.ts';
import { isTooOld } from '../../../sends/refused-posts.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { withLinks } from '../../kit/posting/links.ts';
import { type Standing, standingOf } from '../standing.ts';
import type { BulkAnnouncerDependencies } from './dependencies.ts';
import { isNews, newsCard } from './news.ts';

type Dependencies = Pick<
  BulkAnnouncerDependencies,
  'store' | 'placing' | 'catalogue' | 'linkTo' | 'clock' | 'logger'
>;

interface News {
  readonly facts: Standing;
  readonly event: SendEvent;
  /** Its place in the record. */
  readonly line: number;
}

/** The first change that who asked for a send was not told of; what is no news to them is noted as told. */
export async function nextNews(sendId: string, dependencies: Dependencies): Promise<News | undefined> {
  const send = await dependencies.store.find(sendId);
  const from = send?.untoldFrom;
  if (send === undefined || from === undefined) return undefined;
  const facts = await standingOf(send, dependencies);
  const line = facts.events.findIndex((event, index) => index >= from && isNews(facts, event));
  const event = facts.events[line];
  if (event !== undefined) return { facts, event, line };
  await dependencies.store.markTold(sendId, facts.events.length);
  return undefined;
}

/** Tells of it, and notes that: over restarts each is told once. */
export async function notifyOfNext(
  sendId: string,
  dependencies: Dependencies,
): Promise<AnnounceResult | undefined> {
  const news = await nextNews(sendId, dependencies);
  if (news === undefined) return undefined;
  const result = await notify(news, dependencies);
  const { store, clock } = dependencies;
  const isGivenUp = result.state === 'later' && result.refusal && isTooOld(news.event.at, clock.now());
  if (result.state !== 'later' || isGivenUp) await store.markTold(sendId, news.line + 1);
  return result;
}

/** In the thread of the send's message where it was asked for, and directly where it has none there. */
async function notify(
  { facts, event, line }: News,
  { placing, linkTo }: Dependencies,
): Promise<AnnounceResult> {
  const { send } = facts;
  const { userId, channelId } = send.origin;
  const mark = `news:${line}:${send.id}`;
  const root = [send.announcement, send.approval?.card].find((message) => message?.channelId === channelId);
  const links = { Approval: await linkTo(send.approval?.card), Progress: await linkTo(send.announcement) };
  const card = withLinks(marked(newsCard(facts, event), mark), links);
  return placing.place({
    mark,
    sendId: send.id,
    since: event.at,
    at: undefined,
    channelId: root?.channelId ?? userId,
    ...(root && { threadTs: root.ts }),
    userId,
    isPersonal: true,
    render: () => card,
  });
}

/** With the mark by which it is known again in the channel. */
export function marked({ text, blocks: [first, ...others] }: Card, mark: string): Card {
  return { text, blocks: first === undefined ? [] : [{ ...first, block_id: mark }, ...others] };
}
