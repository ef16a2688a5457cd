import { createExpiringMap } from '../../core/expiring-map.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import type { AlertSettings } from '../../sends/alerts/rules.ts';
import type { AskUserGroups } from '../../sends/alerts/service.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { withBot } from '../kit/people/bot-apps.ts';
import type { SlackServices } from '../kit/services.ts';
import { messageSchema, written } from './intake.ts';

type SightDependencies = Pick<SlackServices, 'client' | 'identity' | 'botApps' | 'clock'>;
type Unseen = Exclude<History, { state: 'read' }>;

/** So long Slack is not asked again. */
export const SIGHT_KEPT_MS = 60_000;
const CHANNELS_KEPT = 1_000;

export type Sight = (channel: string) => Promise<Unseen | undefined>;

/** Undefined when Herald sees the channel. */
async function whyUnseen(channel: string, services: SightDependencies): Promise<Unseen | undefined> {
  // The one question that needs the very right that rules need.
  const read = await readHistory(channel, services.clock.now(), services);
  if (read.state !== 'read') return read;
  const known = await services.client.conversations.info({ channel }).then(
    (answer) => answer.channel,
    () => undefined,
  );
  // An archived channel can still be read.
  if (known?.is_archived) return { state: 'refused', why: ARCHIVED };
  return known?.is_member === false ? { state: 'refused', why: NOT_THERE } : undefined;
}

const ARCHIVED =
  'The channel is archived: nothing is posted there any more. Unarchive it, or give the rule another channel in herald.yml.';

/** The same, for whoever looks all the time: as it was within the last minute. */
export function createSight(services: SightDependencies): Sight {
  const recent = createExpiringMap<ReturnType<Sight>>(SIGHT_KEPT_MS, CHANNELS_KEPT, services.clock);
  return (channel) => {
    const looking = recent.get(channel) ?? whyUnseen(channel, services);
    if (recent.get(channel) === undefined) recent.set(channel, looking);
    return looking;
  };
}

/** Makes the lines of Home: one of mrkdwn for each channel where rules certainly see nothing. */
export async function unseenRules(
  { rules }: Pick<AlertSettings, 'rules'>,
  sight: Sight,
): Promise<readonly string[]> {
  const lines = [...Map.groupBy(rules, ({ channel }) => channel)].map(async ([channel, watching]) => {
    const unseen = await sight(channel);
    const names = watching.map(({ name }) => escapeMrkdwn(name, 80)).join(', ');
    return unseen?.state === 'refused' ? [`⛔ *${names}* in <#${channel}>: ${unseen.why}`] : [];
  });
  return (await Promise.all(lines)).flat();
}

const PAGE = 999;
/** A channel may say more than this in a day; its newest messages are enough to judge a rule by. */
const MOST_PAGES = 5;

export type History =
  | { readonly state: 'read'; readonly events: readonly AlertEvent[]; readonly complete: boolean }
  /** `why` is a sentence; `later` when another time it may be read. */
  | { readonly state: 'refused' | 'later'; readonly why: string };

/** Reads the messages that were posted in a channel since a moment, as rules see them. */
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
        const { data: message } = messageSchema.safeParse(one);
        if (message === undefined) continue;
        const { ts } = message;
        const about = { eventId: ts, kind: 'posted', channelId, eventTs: ts } as const;
        const event = written(message, about, { herald, receivedAt: Number(ts) * 1_000 });
        if (event !== undefined) events.push({ ...event, author: await withBot(event.author, botApps) });
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
  return { state: 'read', events, complete: cursor === undefined };
}

const NOT_THERE =
  'Herald is not in this channel, so it sees none of its messages. Invite it there: /invite @Herald.';

function whyRefused(code: string): string {
  if (code === 'not_in_channel' || code === 'channel_not_found') return NOT_THERE;
  return `Slack does not let Herald read this channel (${code}).`;
}

/** Asks Slack, in one call, who is in the workspace's user groups, each by its id and by its handle with `@`. */
export function createAskUserGroups({
  client,
  logger,
}: Pick<SlackServices, 'client' | 'logger'>): AskUserGroups {
  return async () => {
    try {
      const { usergroups = [] } = await client.usergroups.list({ include_users: true });
      const named = usergroups.flatMap(({ id = '', handle = '', users = [] }) =>
        [id, `@${handle}`].map((name) => [name, users] as const),
      );
      return new Map(named);
    } catch (error) {
      logger.warn(
        { failure: classifyApiError(error) },
        'Slack did not say who is in user groups; they stay as they were',
      );
      return undefined;
    }
  };
}
