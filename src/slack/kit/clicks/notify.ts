import type { KnownBlock } from '@slack/types';
import type { Logger } from '../../../core/logger.ts';
import type { Origin } from '../../../sends/send.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { attempt } from '../posting/attempt.ts';
import type { SlackClient } from './arguments.ts';

/**
 * Says a sentence to the person alone, where they are, or directly where Herald is not in the channel or there is none. For what
 * comes after a form was closed. With `blocks` it is said directly, since buttons must outlive a reload.
 * Never rejects.
 */
export async function notify(
  client: Pick<SlackClient, 'chat'>,
  { channelId, userId }: Pick<Origin, 'userId'> & { readonly channelId: string | undefined },
  sentence: string,
  logger: Logger,
  blocks: KnownBlock[] = [],
): Promise<void> {
  const text = escapeMrkdwn(sentence, LIMITS.sectionText);
  if (blocks.length === 0 && channelId !== undefined) {
    try {
      await client.chat.postEphemeral({ channel: channelId, user: userId, text });
      return;
    } catch (error) {
      logger.debug({ failure: classifyApiError(error) }, 'one way of telling a person failed');
    }
  }
  const told = await attempt(
    { text, blocks },
    (card) => client.chat.postMessage({ channel: userId, ...card }),
    logger,
  );
  if (told.state !== 'done')
    logger.error({ userId, told }, 'a person could not be told what became of a form');
}
