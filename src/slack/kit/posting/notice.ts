import type { webApi } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import type { Notice } from '../../../sends/notices.ts';
import { moment, section } from '../blocks/blocks.ts';
import { duration } from '../cards/words.ts';
import { attempt } from './attempt.ts';

interface NoticeDependencies {
  readonly client: Pick<webApi.WebClient, 'chat'>;
  /** Of `operators` in herald.yml. */
  readonly channel: string;
  readonly logger: Logger;
}

/** Tells whoever runs Herald, in their channel; false when Slack did not take it. Never rejects. */
export function createNoticePoster({ client, channel, logger }: NoticeDependencies) {
  return async ({ name, what, since, overAt }: Notice): Promise<boolean> => {
    const text =
      overAt === undefined
        ? `⚠️ *Herald needs somebody*, since ${moment(since)}\n${what}`
        : `✅ *It is over*, after ${duration(overAt - since)}\n>${what}`;
    const posted = await attempt(
      { text, blocks: [section(text)] },
      (body) => client.chat.postMessage({ channel, ...body, unfurl_links: false, unfurl_media: false }),
      logger,
    );
    const isTold = posted.state === 'done';
    logger[isTold ? 'info' : 'warn']({ name, isOver: overAt !== undefined, isTold }, 'operators were told');
    return isTold;
  };
}
