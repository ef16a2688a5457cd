import type { webApi } from '@slack/bolt';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Surroundings } from '../../../core/surroundings.ts';
import type { Announcement } from '../../../sends/send.ts';
import { classifyApiError, remedyOf } from '../../connection/api-error.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { context } from '../blocks/blocks.ts';
import type { Card } from '../cards/send-card.ts';

/** That a message has no link is forgotten then, too. */
const KEPT_MS = 60 * 60_000;
const KEPT = 2_000;

/** The address of a message, asked of Slack once; undefined where there is none, e.g. of a message that was deleted. */
export type LinkTo = (message: Announcement | undefined) => Promise<string | undefined>;

export function createLinks({
  client,
  clock,
  logger,
}: Surroundings & { readonly client: Pick<webApi.WebClient, 'chat'> }): LinkTo {
  const links = createExpiringMap<Promise<string | undefined>>(KEPT_MS, KEPT, clock);
  return (message) => {
    if (message === undefined) return Promise.resolve(undefined);
    const { channelId: channel, ts: message_ts } = message;
    const key = `${channel}/${message_ts}`;
    const known = links.get(key);
    if (known !== undefined) return known;
    const link = client.chat.getPermalink({ channel, message_ts }).then(
      ({ permalink }) => permalink,
      (error: unknown) => {
        const failure = classifyApiError(error);
        logger.debug({ channel, failure }, 'a message has no link');
        if (failure.kind !== 'refused' || remedyOf(failure.code) !== 'elsewhere') links.delete(key);
        return undefined;
      },
    );
    links.set(key, link);
    return link;
  };
}

/** `Approval · Progress`, each a link, below a card that has room for it; what has no address is left out. */
export function withLinks(card: Card, links: Readonly<Record<string, string | undefined>>): Card {
  const words = Object.entries(links).flatMap(([name, url]) =>
    url ? [`<${escapeMrkdwn(url)}|${name}>`] : [],
  );
  if (words.length === 0 || card.blocks.length >= LIMITS.messageBlocks) return card;
  return { ...card, blocks: [...card.blocks, context(words.join(' · '))] };
}
