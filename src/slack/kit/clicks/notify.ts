import type { KnownBlock } from '@slack/types';
import type { Logger } from '../../../core/logger.ts';
import type { Origin } from '../../../sends/send.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
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
  blocks?: KnownBlock[],
): Promise<void> {
  const text = escapeMrkdwn(sentence, LIMITS.sectionText);
  const directly = () => client.chat.postMessage({ channel: userId, text, ...(blocks ? { blocks } : {}) });
  const ways =
    blocks !== undefined || channelId === undefined
      ? [directly]
      : [() => client.chat.postEphemeral({ channel: channelId, user: userId, text }), directly];
  for (const way of ways) {
    try {
      await way();
      return;
    } catch (error) {
      logger.debug({ failure: classifyApiError(error) }, 'one way of telling a person failed');
    }
  }
  logger.error({ userId }, 'a person could not be told what became of a form');
}
