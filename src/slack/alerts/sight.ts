import { createExpiringMap } from '../../core/expiring-map.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import type { SlackServices } from '../kit/services.ts';
import { type History, NOT_THERE, readHistory } from './channel-history.ts';

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
