import type { webApi } from '@slack/bolt';
import type { Logger } from '../../core/logger.ts';
import { type ApiFailure, classifyApiError } from './api-error.ts';
import type { AckPayload } from './deliveries.ts';
import { escapeMrkdwn } from './escape.ts';
import { LIMITS, truncate } from './limits.ts';
import { actorOf, firstInputBlockId, type Payload, payloadKind, textAt } from './payload.ts';
import { respondTo } from './response-url.ts';

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

/** How somebody can be reached. */
interface Reached {
  /** Of what they did last. */
  readonly responseUrl?: string | undefined;
  readonly channelId?: string | undefined;
  readonly userId?: string | undefined;
}

interface Ways {
  readonly client: {
    readonly chat: {
      postEphemeral(request: { channel: string; user: string; text: string }): Promise<unknown>;
      postMessage(request: { channel: string; text: string }): Promise<unknown>;
    };
  };
  readonly fetch?: webApi.FetchFunction;
  readonly logger: Logger;
}

/** Says a sentence to one person: by their response_url, else only to them in the channel, else directly. Never rejects. */
export async function notifyPerson(
  { responseUrl: url, channelId, userId }: Reached,
  sentence: string,
  { client, fetch, logger }: Ways,
): Promise<void> {
  const text = escapeMrkdwn(sentence, LIMITS.sectionText);
  const ways: (() => Promise<unknown>)[] = [];
  if (url !== undefined && fetch !== undefined) ways.push(() => respondTo(fetch, url, { text }));
  if (userId !== undefined && channelId !== undefined)
    ways.push(() => client.chat.postEphemeral({ channel: channelId, user: userId, text }));
  if (userId !== undefined) ways.push(() => client.chat.postMessage({ channel: userId, text }));
  let failure: ApiFailure | undefined;
  for (const way of ways) {
    try {
      if ((await way()) !== false) return;
    } catch (error) {
      failure = classifyApiError(error);
      logger.debug({ failure }, 'one way of telling a person failed');
    }
  }
  logger.error({ userId, failure }, 'a person could not be told what happened');
}

export type NotifyActor = (payload: Payload, sentence: string) => Promise<void>;

/** Says to who did something what its acknowledgement could not carry. */
export function notifyActor(ways: Ways): NotifyActor {
  return (payload, sentence) =>
    notifyPerson({ ...actorOf(payload), responseUrl: textAt(payload, 'response_url') }, sentence, ways);
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
