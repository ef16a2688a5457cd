import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { given } from '../../core/given.ts';
import { LATE, within } from '../../core/within.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import type { Identity } from '../connection/identity.ts';
import { type Payload, textAt } from '../connection/payload.ts';
import type { MentionNames } from '../kit/message-text/mrkdwn.ts';
import { namesIn } from '../kit/message-text/names.ts';
import { plainTextOf } from '../kit/message-text/plain-text.ts';
import { type BotApps, withBot } from '../kit/people/bot-apps.ts';
import type { Names } from '../kit/people/people.ts';

interface IntakeDependencies {
  /** Those that rules watch; what is said anywhere else is not kept. */
  readonly channels: ReadonlySet<string>;
  /** Those of them where a rule asks which app, or who by name, has posted. */
  readonly botChannels: ReadonlySet<string>;
  readonly receive: (event: AlertEvent) => Promise<void>;
  /** Remembers what Slack once said: a flood of alerts asks once. */
  readonly names: Names;
  readonly botApps: BotApps;
  readonly clock: Clock;
  readonly slackClock: Clock;
}

/** Without its app no rule would fit. Slack delivers the event again, and it is known by then. */
const APP_MS = 2_000;

/**
 * Keeps the messages of alert channels; rejects when the store could not, or when Slack cannot be asked now whose bot
 * it was, so that Slack delivers again.
 */
export function createAlertIntake(dependencies: IntakeDependencies) {
  const { channels, botChannels, receive, botApps, clock, slackClock } = dependencies;

  async function authorOf({ author, channelId }: AlertEvent): Promise<AlertEvent['author']> {
    if (!botChannels.has(channelId)) return author;
    const known = await within(withBot(author, botApps), APP_MS, clock);
    if (known === LATE) throw new Error('Slack did not say in time which app a bot belongs to.');
    return known;
  }

  return async (payload: Payload, herald: Identity): Promise<void> => {
    const channelId = textAt(payload, 'event', 'channel');
    if (channelId === undefined || !channels.has(channelId)) return;
    const reading = { herald, receivedAt: clock.now() };
    const nameless = readAlertEvent(payload, reading);
    if (nameless === undefined) return;
    const [known, author] = await Promise.all([
      namesIn(contentOf(payload), dependencies),
      authorOf(nameless),
    ]);
    const event = readAlertEvent(payload, { ...reading, names: known });
    if (event === undefined) return;
    const saidAt = Number(event.eventTs) * 1_000 + clock.now() - slackClock.now();
    await receive({ ...event, author, saidAt });
  };
}

function contentOf(payload: Payload): Payload {
  const event = payload.event as Payload;
  return (event.message ?? event) as Payload;
}

/*
 * Source: https://docs.slack.dev/reference/events/message and its subtypes. Of what a message holds only its text is
 * read, by `plainTextOf`, which takes nothing for granted.
 */
const text = z.string().optional();
const message = z.object({
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
export type SlackMessage = z.output<typeof message>;
export const messageSchema = message;

const place = { channel: z.string().min(1), event_ts: text };
const before = message.partial().optional().catch(undefined);
const changed = z.object({
  subtype: z.literal('message_changed'),
  ts: z.string(),
  message,
  previous_message: before,
  ...place,
});
const deleted = z.object({
  subtype: z.literal('message_deleted'),
  ts: z.string(),
  deleted_ts: z.string(),
  previous_message: before,
  ...place,
});
const posted = message.extend(place);
const delivery = z.object({
  event_id: z.string().min(1),
  event: z.object({ type: z.literal('message') }).loose(),
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
  readonly names?: MentionNames;
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
  const change = changed.safeParse(event);
  if (change.success) {
    const { message: now, previous_message, channel: channelId, ts, event_ts: eventTs = ts } = change.data;
    // What was deleted with replies below it, such as Herald's card, leaves this in its place.
    if (now.subtype === 'tombstone')
      return removed(previous_message, { eventId, channelId, ts: now.ts, eventTs }, reading);
    return written(now, { eventId, kind: 'changed', channelId, eventTs }, reading);
  }
  const removal = deleted.safeParse(event);
  if (removal.success) {
    const { channel: channelId, deleted_ts: ts, previous_message } = removal.data;
    const eventTs = removal.data.event_ts ?? removal.data.ts;
    return removed(previous_message, { eventId, channelId, ts, eventTs }, reading);
  }
  const post = posted.safeParse(event);
  if (!post.success) return undefined;
  const { channel: channelId, ts: eventTs } = post.data;
  return written(post.data, { eventId, kind: 'posted', channelId, eventTs }, reading);
}

function removed(
  message: z.output<typeof before> = {},
  about: Pick<AlertEvent, 'eventId' | 'channelId' | 'ts' | 'eventTs'>,
  { herald, receivedAt }: Reading,
): AlertEvent | undefined {
  if (isHeralds(message, herald)) return undefined;
  return { ...about, kind: 'deleted', author: {}, text: '', receivedAt };
}

function written(
  message: SlackMessage,
  about: Pick<AlertEvent, 'eventId' | 'kind' | 'channelId' | 'eventTs'>,
  { herald, receivedAt, names }: Reading,
): AlertEvent | undefined {
  if (!isAlertMessage(message, herald)) return undefined;
  const { ts, thread_ts: threadTs } = message;
  return {
    ...about,
    ...given({ ts, threadTs }),
    author: authorOf(message),
    text: plainTextOf(message, names),
    receivedAt,
  };
}

/** True for what a rule may look at: written by somebody else than Herald, and shown in the channel itself. */
export function isAlertMessage(message: SlackMessage, herald: Reading['herald']): boolean {
  if (!WRITTEN.has(message.subtype) || isHeralds(message, herald)) return false;
  const { thread_ts: threadTs, ts, subtype } = message;
  return threadTs === undefined || threadTs === ts || subtype === 'thread_broadcast';
}

export function authorOf(message: SlackMessage): AlertEvent['author'] {
  const { app_id, bot_profile, bot_id: botId, user: userId, username } = message;
  const appId = app_id ?? bot_profile?.app_id;
  // A person goes by the user.
  const name = botId && (username || bot_profile?.name);
  return {
    ...(appId && { appId }),
    ...(botId && { botId }),
    ...(userId && { userId }),
    ...(name && { name }),
  };
}

function isHeralds(
  { bot_id, user }: Pick<SlackMessage, 'bot_id' | 'user'>,
  { botId, botUserId }: Reading['herald'],
): boolean {
  return bot_id === botId || user === botUserId;
}
