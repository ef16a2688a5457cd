import { createExpiringMap } from '../../core/expiring-map.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { plainTextOf } from '../kit/message-text/plain-text.ts';
import { withBot } from '../kit/people/bot-apps.ts';
import type { SlackServices } from '../kit/services.ts';
import { authorOf, isAlertMessage, messageSchema } from './intake.ts';

type SightDependencies = Pick<SlackServices, 'alertSettings' | 'client' | 'identity' | 'botApps' | 'clock'>;
type Unseen = Exclude<History, { state: 'read' }>;

const RECENT_MS = 60_000;

/** Why Herald sees nothing of what is posted, by the channels of rules where that is so. */
export async function unseenChannels(services: SightDependencies): Promise<ReadonlyMap<string, Unseen>> {
  const channels = new Set(services.alertSettings.rules.map((rule) => rule.channel));
  const unseen = await Promise.all(
    [...channels].map(async (channel) => {
      const why = await whyUnseen(channel, services);
      return why === undefined ? [] : [[channel, why] as const];
    }),
  );
  return new Map(unseen.flat());
}

/** Undefined when Herald sees the channel. */
export async function whyUnseen(channel: string, services: SightDependencies): Promise<Unseen | undefined> {
  // The one question that needs the very right that rules need.
  const read = await readHistory(channel, services.clock.now(), services);
  if (read.state !== 'read') return read;
  const known = await services.client.conversations.info({ channel }).then(
    (answer) => answer.channel,
    () => undefined,
  );
  // What is archived can still be read.
  if (known?.is_archived) return { state: 'refused', why: ARCHIVED };
  return known?.is_member === false ? { state: 'refused', why: NOT_THERE } : undefined;
}

const ARCHIVED =
  'The channel is archived: nothing is posted there any more. Unarchive it, or give the rule another channel in herald.yml.';

/** For Home: a line of mrkdwn for each channel where rules certainly see nothing. Asks Slack once a minute at most. */
export function createUnseenRules(services: SightDependencies): () => Promise<readonly string[]> {
  const recent = createExpiringMap<Promise<readonly string[]>>(RECENT_MS, 1, services.clock);
  const { rules } = services.alertSettings;

  async function ask(): Promise<readonly string[]> {
    const unseen = [...(await unseenChannels(services))].filter(([, { state }]) => state === 'refused');
    return unseen.map(([channel, { why }]) => {
      const names = rules
        .filter((rule) => rule.channel === channel)
        .map(({ name }) => escapeMrkdwn(name, 80));
      return `⛔ *${names.join(', ')}* in <#${channel}>: ${why}`;
    });
  }

  return () => {
    const before = recent.get('all');
    if (before !== undefined) return before;
    const asked = ask();
    recent.set('all', asked);
    return asked;
  };
}

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

const NOT_THERE =
  'Herald is not in this channel, so it sees none of its messages. Invite it there: /invite @Herald.';

function whyRefused(code: string): string {
  if (code === 'not_in_channel' || code === 'channel_not_found') return NOT_THERE;
  return `Slack does not let Herald read this channel (${code}).`;
}
