import type { webApi } from '@slack/bolt';
import type { Logger } from '../../core/logger.ts';
import { classifyApiError } from './api-error.ts';
import type { AckPayload } from './deliveries.ts';
import { escapeMrkdwn } from './escape.ts';
import { LIMITS } from './limits.ts';
import { actorOf, firstInputBlockId, type Payload, payloadKind, textAt } from './payload.ts';
import { respondTo } from './response-url.ts';
import { truncate } from './truncate.ts';

/** Thrown where nothing was sent: `message` is what the person is told, as it is. */
export class Told extends Error {}

/** The acknowledgement that itself shows `sentence` to the person, or undefined where Slack shows none. */
export function sentenceAsAck(payload: Payload, sentence: string): AckPayload {
  const kind = payloadKind(payload);
  if (kind === 'command')
    return { response_type: 'ephemeral', text: escapeMrkdwn(sentence, LIMITS.sectionText) };
  if (kind === 'block_suggestion') return { options: [] };
  if (kind !== 'view_submission') return undefined;
  // Under an input the form stays open with everything typed; without an input there is nothing to lose.
  const blockId = firstInputBlockId(payload);
  if (blockId !== undefined) return { response_action: 'errors', errors: { [blockId]: sentence } };
  return { response_action: 'update', view: sentenceView(sentence) };
}

export type NotifyPerson = (payload: Payload, sentence: string) => Promise<void>;

/**
 * Tells the person who clicked something that the acknowledgement could not carry: through the response_url,
 * else only to them in the channel, else directly. Never throws.
 */
export function createNotifyPerson(
  client: webApi.WebClient,
  fetch: webApi.FetchFunction,
  logger: Logger,
): NotifyPerson {
  return async (payload, sentence) => {
    const text = escapeMrkdwn(sentence, LIMITS.sectionText);
    const { userId, channelId } = actorOf(payload);
    const url = textAt(payload, 'response_url');
    const ways: (() => Promise<boolean>)[] = [];
    if (url !== undefined) ways.push(() => respondTo(fetch, url, { text }));
    if (userId !== undefined && channelId !== undefined) {
      ways.push(async () => (await client.chat.postEphemeral({ channel: channelId, user: userId, text })).ok);
    }
    if (userId !== undefined)
      ways.push(async () => (await client.chat.postMessage({ channel: userId, text })).ok);
    for (const way of ways) {
      try {
        if (await way()) return;
      } catch (error) {
        logger.debug({ failure: classifyApiError(error) }, 'one way of telling a person failed');
      }
    }
    logger.error({ kind: payloadKind(payload), userId }, 'a person could not be told what happened');
  };
}

function sentenceView(sentence: string) {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Herald' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [
      {
        type: 'section',
        text: { type: 'plain_text', text: truncate(sentence, LIMITS.sectionText), emoji: false },
      },
    ],
  };
}
