import type { AlertEvent } from '../../sends/alerts/alert.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { plainTextOf } from '../kit/message-text/plain-text.ts';
import { withBot } from '../kit/people/bot-apps.ts';
import type { SlackServices } from '../kit/services.ts';
import { authorOf, isAlertMessage, messageSchema } from './read-event.ts';

const PAGE = 999;
/** Of a channel that says more than this in a day, its newest messages are enough to judge a rule by. */
const MOST_PAGES = 5;

export type History =
  | { readonly state: 'read'; readonly events: readonly AlertEvent[]; readonly complete: boolean }
  /** `why` is a sentence; `later` when another time it may be read. */
  | { readonly state: 'refused' | 'later'; readonly why: string };

/** What was posted in a channel since a moment, as rules see it, oldest first. */
export async function readHistory(
  channelId: string,
  since: number,
  { client, identity, botApps }: Pick<SlackServices, 'client' | 'identity' | 'botApps'>,
): Promise<History> {
  const herald = identity();
  if (herald === undefined)
    return { state: 'later', why: 'Herald is still starting; try again in a minute.' };
  const events: AlertEvent[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await client.conversations.history({
        channel: channelId,
        oldest: String(since / 1_000),
        limit: PAGE,
        ...(cursor !== undefined && { cursor }),
      });
      for (const one of answer.messages ?? []) {
        const message = messageSchema.safeParse(one);
        if (!message.success || !isAlertMessage(message.data, herald)) continue;
        const { ts } = message.data;
        const text = plainTextOf(message.data);
        const author = await withBot(authorOf(message.data), botApps);
        const about = { channelId, ts, eventTs: ts, author, text };
        events.push({ eventId: ts, kind: 'posted', receivedAt: Number(ts) * 1_000, ...about });
      }
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
  } catch (error) {
    const failure = classifyApiError(error);
    return failure.kind === 'refused'
      ? { state: 'refused', why: whyRefused(failure.code) }
      : { state: 'later', why: 'Slack gave no answer; try again in a minute.' };
  }
  const byTime = events.toSorted((one, other) => Number(one.ts) - Number(other.ts));
  return { state: 'read', events: byTime, complete: cursor === undefined };
}

export const NOT_THERE =
  'Herald is not in this channel, so it sees none of its messages. Invite it there: /invite @Herald.';

function whyRefused(code: string): string {
  if (code === 'not_in_channel' || code === 'channel_not_found') return NOT_THERE;
  return `Slack does not let Herald read this channel (${code}).`;
}
