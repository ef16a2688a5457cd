import type { Clock } from '../../core/clock.ts';
import { LATE, within } from '../../core/within.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import type { Identity } from '../connection/identity.ts';
import { type Payload, textAt } from '../connection/payload.ts';
import { namesIn } from '../kit/message-text/names.ts';
import { type BotApps, withBot } from '../kit/people/bot-apps.ts';
import type { Names } from '../kit/people/people.ts';
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
