import type { Clock } from '../../core/clock.ts';
import { LATE, within } from '../../core/within.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import type { Identity } from '../connection/identity.ts';
import { type Payload, textAt } from '../connection/payload.ts';
import type { MentionNames } from '../kit/message-text/mrkdwn.ts';
import { mentionedIn } from '../kit/message-text/names.ts';
import type { Names } from '../kit/people/names.ts';
import { type BotApps, withBot } from './bot-apps.ts';
import { readAlertEvent } from './read-event.ts';

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
}

/** Slack waits three seconds for an acknowledgement; a name that comes later is not worth it. */
const NAMES_MS = 500;
/** The app is: without it no rule would fit. Slack delivers the event again, and it is known by then. */
const APP_MS = 2_000;

/**
 * Keeps the messages of alert channels; rejects when the store could not, or when Slack cannot be asked now whose bot
 * it was, so that Slack delivers again.
 */
export function createAlertIntake(dependencies: IntakeDependencies) {
  const { channels, botChannels, receive, names, botApps, clock } = dependencies;

  async function authorOf({ author, channelId }: AlertEvent): Promise<AlertEvent['author']> {
    if (!botChannels.has(channelId)) return author;
    const known = await within(withBot(author, botApps), APP_MS, clock);
    if (known === LATE) throw new Error('Slack did not say in time which app a bot belongs to.');
    return known;
  }

  async function namesOf(payload: Payload): Promise<MentionNames> {
    const known = new Map<string, string>();
    const asked = mentionedIn(contentOf(payload)).users.map(async (id) => {
      const name = await names.nameOf(id);
      if (name.startsWith('@')) known.set(id, name.slice(1));
    });
    if (asked.length === 0) return {};
    await within(Promise.all(asked), NAMES_MS, clock);
    return { user: (id) => known.get(id) };
  }

  return async (payload: Payload, herald: Identity): Promise<void> => {
    const channelId = textAt(payload, 'event', 'channel');
    if (channelId === undefined || !channels.has(channelId)) return;
    const reading = { herald, receivedAt: clock.now() };
    const nameless = readAlertEvent(payload, reading);
    if (nameless === undefined) return;
    const [known, author] = await Promise.all([namesOf(payload), authorOf(nameless)]);
    const event = readAlertEvent(payload, { ...reading, names: known });
    if (event !== undefined) await receive({ ...event, author });
  };
}

function contentOf(payload: Payload): Payload {
  const event = payload.event as Payload;
  return (event.message ?? event) as Payload;
}
