import type { webApi } from '@slack/bolt';
import type { Send } from '../../sends/send.ts';
import { classifyApiError } from '../connection/api-error.ts';

/** Slack's clock and ours may differ; a post is never older than its send by more than this. */
const CLOCK_MARGIN_SECONDS = 120;
/** The most that one call gives. */
const PAGE = 999;
const LATER_MS = 5_000;

export type EarlierPost =
  | { readonly state: 'found'; readonly channelId: string; readonly ts: string }
  | { readonly state: 'absent' }
  /** Slack answered, but this app may not read there. */
  | { readonly state: 'unreadable' }
  | { readonly state: 'later'; readonly retryAfterMs: number };

/**
 * Looks in a channel's history for Herald's own message about a send, by the send's id in it. Needs the scope
 * channels:history or groups:history; without it the answer is `unreadable`, and also tells that Slack answers.
 */
export async function findPost(
  client: Pick<webApi.WebClient, 'conversations'>,
  botId: string | undefined,
  send: Send,
): Promise<EarlierPost> {
  const { channelId } = send.origin;
  const oldest = String(Math.floor(send.createdAt / 1000) - CLOCK_MARGIN_SECONDS);
  try {
    const { messages } = await client.conversations.history({ channel: channelId, oldest, limit: PAGE });
    const post = messages?.find((message) => message.bot_id === botId && mentions(message, send.id));
    return post?.ts === undefined ? { state: 'absent' } : { state: 'found', channelId, ts: post.ts };
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind === 'refused') return { state: 'unreadable' };
    return {
      state: 'later',
      retryAfterMs: failure.kind === 'rate_limited' ? failure.retryAfterMs : LATER_MS,
    };
  }
}

function mentions(message: { readonly text?: string; readonly blocks?: unknown }, sendId: string): boolean {
  return message.text?.includes(sendId) === true || JSON.stringify(message.blocks ?? []).includes(sendId);
}
