import type { webApi } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { Clock } from '../../core/clock.ts';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Logger } from '../../core/logger.ts';
import { type ApiFailure, classifyApiError } from './api-error.ts';
import type { AckPayload } from './deliveries.ts';
import { escapeMrkdwn } from './escape.ts';
import { LIMITS, truncate } from './limits.ts';
import { actorOf, firstInputBlockId, type Payload, payloadKind, textAt } from './payload.ts';

/** Thrown where nothing was sent: the person reads `message` as it is. */
export class NothingSent extends Error {}

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

/** The part of Slack's client that writes to people. */
export interface Writing {
  readonly chat: {
    postEphemeral(request: { channel: string; user: string; text: string }): Promise<unknown>;
    postMessage(request: {
      channel: string;
      text: string;
      blocks?: KnownBlock[];
    }): Promise<{ readonly channel?: string; readonly ts?: string }>;
  };
}

interface Reached {
  /** The address that came with their last act. */
  readonly responseUrl?: string | undefined;
  readonly channelId?: string | undefined;
  readonly userId?: string | undefined;
}

interface Ways {
  readonly client: Writing;
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
      logger.debug({ failure }, 'one way to notify a person failed');
    }
  }
  logger.error({ userId, failure }, 'a person could not be notified of what happened');
}

export type NotifyActor = (payload: Payload, sentence: string) => Promise<void>;

/** Says to who did something what its acknowledgement could not carry. */
export function notifyActor(ways: Ways): NotifyActor {
  return (payload, sentence) =>
    notifyPerson({ ...actorOf(payload), responseUrl: textAt(payload, 'response_url') }, sentence, ways);
}

function sentenceView(sentence: string) {
  const words = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const blocks = [{ type: 'section', text: words(truncate(sentence, LIMITS.sectionText)) }];
  return { type: 'modal', title: words('Herald'), close: words('Close'), blocks };
}

export const SLACK_RESPONSE_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

/** So many response_urls are remembered; older ones are near their end anyway. */
const REMEMBERED = 5000;

/** Slack's libraries post to whatever address a payload names: only Slack's own host, or the configured API's, may be posted to. */
export function isResponseUrl(url: string, allowedOrigins: readonly string[]): boolean {
  return URL.canParse(url) && allowedOrigins.includes(new URL(url).origin) && new URL(url).username === '';
}

/** Shows a message to the person alone whose response_url it is; false where it is not shown. Never rejects. */
async function respondTo(fetch: webApi.FetchFunction, url: string, message: object): Promise<boolean> {
  const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...message });
  const headers = { 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body }).then(
    (response) => response.ok,
    () => false,
  );
}

export type LatestUrls = ReturnType<typeof createLatestUrls>;

/** The latest response_url of each person: the way to answer them where no channel is open to Herald. */
export function createLatestUrls(fetch: webApi.FetchFunction, clock: Clock) {
  const urls = createExpiringMap<string>(LIMITS.responseUrlMs, REMEMBERED, clock);
  return {
    note: (payload: Payload): void => {
      const { userId } = actorOf(payload);
      const url = textAt(payload, 'response_url');
      if (userId !== undefined && url !== undefined) urls.set(userId, url);
    },
    /** Says the words alone where Slack does not take the blocks. False where the person does not get them. */
    say: async (userId: string, { text, blocks }: { text: string; blocks: unknown[] }): Promise<boolean> => {
      const url = urls.get(userId);
      if (url === undefined) return false;
      return (await respondTo(fetch, url, { text, blocks })) || respondTo(fetch, url, { text });
    },
  };
}
