import { z } from 'zod';
import { given } from '../../core/given.ts';
import { LATE, within } from '../../core/within.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import type { AlertSettings } from '../../sends/alerts/rules.ts';
import type { Alerts } from '../../sends/alerts/service.ts';
import type { Identity } from '../connection/identity.ts';
import { type Payload, textAt } from '../connection/payload.ts';
import { namesIn, plainTextOf } from '../kit/message-text/plain-text.ts';
import { withBot } from '../kit/people/bot-apps.ts';
import type { SlackServices } from '../kit/services.ts';

type IntakeDependencies = Pick<SlackServices, 'names' | 'botApps' | 'clock' | 'slackClock'> & {
  readonly alertSettings: Pick<AlertSettings, 'rules'>;
  readonly alerts: Pick<Alerts, 'receive'>;
};

/** Without its app no rule would fit. Slack delivers the event again, and it is known by then. */
const APP_MS = 2_000;

/**
 * Keeps the messages of alert channels, before Slack hears that they arrived; rejects when the store could not, or when Slack cannot be asked now whose bot
 * it was, so that Slack delivers again.
 */
export function createAlertIntake(dependencies: IntakeDependencies) {
  const { alertSettings, alerts, botApps, clock, slackClock } = dependencies;
  const { rules } = alertSettings;
  const channels = new Set(rules.map(({ channel }) => channel));
  // Those of them where a rule asks which app, or who by name, has posted.
  const ofBots = rules.filter(({ from }) => from.apps ?? from.names);
  const botChannels = new Set(ofBots.map(({ channel }) => channel));

  async function authorOf({ author, channelId }: AlertEvent): Promise<AlertEvent['author']> {
    if (!botChannels.has(channelId)) return author;
    const known = await within(withBot(author, botApps), APP_MS, clock);
    if (known === LATE) throw new Error('Slack did not say in time which app a bot belongs to.');
    return known;
  }

  return async (payload: Payload, herald: Identity): Promise<void> => {
    const channelId = textAt(payload, 'event', 'channel');
    if (channelId === undefined || !channels.has(channelId)) return;
    const event = readAlertEvent(payload, { herald, receivedAt: clock.now() });
    if (event === undefined) return;
    const said = payload.event as Payload;
    const content = (said.message ?? said) as Payload;
    const [known, author] = await Promise.all([namesIn(content, dependencies), authorOf(event)]);
    const text = event.kind === 'deleted' ? '' : plainTextOf(content, known);
    const saidAt = Number(event.eventTs) * 1_000 + clock.now() - slackClock.now();
    await alerts.receive({ ...event, text, author, saidAt });
  };
}

/*
 * Source: https://docs.slack.dev/reference/events/message and its subtypes. Only the text of a message is read, by
 * `plainTextOf`, which takes nothing for granted.
 */
const text = z.string().optional();
export const messageSchema = z.object({
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: text,
  subtype: text,
  user: text,
  bot_id: text,
  app_id: text,
  bot_profile: z.object({ app_id: text, name: text }).optional(),
  username: text,
  text: z.unknown().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  files: z.unknown().optional(),
});
type SlackMessage = z.output<typeof messageSchema>;

const delivery = z.object({
  event_id: z.string().min(1),
  event: messageSchema.extend({
    type: z.literal('message'),
    channel: z.string().min(1),
    event_ts: text,
    /** The message that was changed or deleted. */
    message: messageSchema.optional(),
    previous_message: messageSchema.partial().optional().catch(undefined),
    deleted_ts: text,
  }),
});

/** Messages that people and apps write; the rest are notices of Slack's own, e.g. that somebody joined. */
const WRITTEN: ReadonlySet<string | undefined> = new Set([
  undefined,
  'bot_message',
  'file_share',
  'me_message',
  'thread_broadcast',
]);

interface Reading {
  readonly herald: Pick<Identity, 'botId' | 'botUserId'>;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/**
 * An event of Slack's as alerts know it. Undefined for what can be no alert: another kind of event, a notice of Slack's
 * own, a reply that stands in its thread only, and whatever Herald itself has written, so that no rule can ever answer
 * Herald.
 */
export function readAlertEvent(payload: Payload, reading: Reading): AlertEvent | undefined {
  const read = delivery.safeParse(payload);
  if (!read.success) return undefined;
  const { event_id: eventId, event } = read.data;
  const { channel: channelId, ts, event_ts: eventTs = ts, subtype, message: now } = event;
  // A message that was deleted with replies below it, such as Herald's card, leaves this in its place.
  const gone = subtype === 'message_deleted' ? event.deleted_ts : now?.subtype === 'tombstone' && now.ts;
  if (gone) {
    if (isHeralds(event.previous_message ?? {}, reading.herald)) return undefined;
    const about = { eventId, channelId, ts: gone, eventTs, receivedAt: reading.receivedAt };
    return { ...about, kind: 'deleted', author: {}, text: '' };
  }
  if (subtype !== 'message_changed')
    return written(event, { eventId, kind: 'posted', channelId, eventTs: ts }, reading);
  return now && written(now, { eventId, kind: 'changed', channelId, eventTs }, reading);
}

/** Undefined for what no rule may look at: Herald wrote it, or it is not shown in the channel itself. */
export function written(
  message: SlackMessage,
  about: Pick<AlertEvent, 'eventId' | 'kind' | 'channelId' | 'eventTs'>,
  { herald, receivedAt }: Reading,
): AlertEvent | undefined {
  const { ts, thread_ts: threadTs, subtype } = message;
  if (!WRITTEN.has(subtype) || isHeralds(message, herald)) return undefined;
  if (threadTs !== undefined && threadTs !== ts && subtype !== 'thread_broadcast') return undefined;
  const author = authorOf(message);
  return { ...about, ...given({ ts, threadTs }), author, text: plainTextOf(message), receivedAt };
}

function authorOf(message: SlackMessage): AlertEvent['author'] {
  const { app_id, bot_profile, bot_id: botId, user: userId, username } = message;
  const appId = app_id ?? bot_profile?.app_id;
  // A person goes by the user.
  const name = (botId && (username || bot_profile?.name)) || undefined;
  return given({ appId: appId || undefined, botId: botId || undefined, userId: userId || undefined, name });
}

function isHeralds(
  { bot_id, user }: Pick<SlackMessage, 'bot_id' | 'user'>,
  { botId, botUserId }: Reading['herald'],
): boolean {
  return bot_id === botId || user === botUserId;
}
