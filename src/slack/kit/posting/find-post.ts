import type { webApi } from '@slack/bolt';
import { classifyApiError, LATER_MS, retryAfterOf } from '../../connection/api-error.ts';
import { remedyOf } from './remedy.ts';

/** Slack's clock and ours may differ; a post is never older than what it tells of by more than this. */
const CLOCK_MARGIN_SECONDS = 120;
/** The most that one call gives, and that are read: a post stands near the oldest, which come last in a channel. */
const PAGE = 999;
const MOST_PAGES = 10;

export type EarlierPost =
  | { readonly state: 'found'; readonly channelId: string; readonly ts: string }
  | { readonly state: 'absent' }
  /** Slack answered, but this app may not read there, or there is more than it reads. */
  | { readonly state: 'unreadable' }
  | { readonly state: 'later'; readonly retryAfterMs: number; readonly refusal?: string };

/** What is looked for: a message that carries `mark`, not posted before `since`. */
interface Wanted {
  readonly channelId: string;
  readonly mark: string;
  readonly since: number;
  /** Where it stands in a thread: the thread's first message. */
  readonly threadTs?: string;
}

/**
 * Looks in a channel's history, or in a thread, for a message of Herald's own, by the mark in it. Needs the scope channels:history or
 * groups:history; without it the answer is `unreadable`, and also tells that Slack answers.
 */
export async function findPost(
  client: Pick<webApi.WebClient, 'conversations'>,
  botId: string | undefined,
  { channelId, mark, since, threadTs }: Wanted,
): Promise<EarlierPost> {
  const oldest = String(Math.floor(since / 1000) - CLOCK_MARGIN_SECONDS);
  try {
    let cursor = '';
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const range = { channel: channelId, oldest, limit: PAGE, ...(cursor && { cursor }) };
      const { messages, response_metadata } =
        threadTs === undefined
          ? await client.conversations.history(range)
          : await client.conversations.replies({ ...range, ts: threadTs });
      const post = messages?.find((message) => message.bot_id === botId && carries(message, mark));
      if (post?.ts !== undefined) return { state: 'found', channelId, ts: post.ts };
      cursor = response_metadata?.next_cursor ?? '';
      if (cursor === '') return { state: 'absent' };
    }
    return { state: 'unreadable' };
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind === 'refused') {
      const { code } = failure;
      return remedyOf(code) === 'later'
        ? { state: 'later', retryAfterMs: LATER_MS, refusal: code }
        : { state: 'unreadable' };
    }
    return { state: 'later', retryAfterMs: retryAfterOf(failure) };
  }
}

function carries(message: { readonly text?: string; readonly blocks?: unknown }, mark: string): boolean {
  return message.text?.includes(mark) === true || JSON.stringify(message.blocks ?? []).includes(mark);
}
