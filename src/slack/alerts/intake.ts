import type { Clock } from '../../core/clock.ts';
import type { AlertEvent } from '../../sends/alerts/alert.ts';
import type { Identity } from '../connection/identity.ts';
import { type Payload, textAt } from '../connection/payload.ts';
import type { MentionNames } from '../message-text/mrkdwn.ts';
import { mentionedIn } from '../message-text/names.ts';
import type { Names } from '../people/names.ts';
import { readAlertEvent } from './read-event.ts';

interface IntakeDependencies {
  /** Those that rules watch; what is said anywhere else is not kept. */
  readonly channels: ReadonlySet<string>;
  readonly receive: (event: AlertEvent) => Promise<void>;
  /** Remembers what Slack once said: a flood of alerts asks once. */
  readonly names: () => Names;
  readonly clock: Clock;
}

/** Slack waits three seconds for an acknowledgement; a name that comes later is not worth it. */
const NAMES_MS = 500;

/** Keeps the messages of alert channels; rejects when the store could not, so that Slack delivers again. */
export function createAlertIntake({ channels, receive, names, clock }: IntakeDependencies) {
  async function namesOf(payload: Payload): Promise<MentionNames> {
    const known = new Map<string, string>();
    const asked = mentionedIn(contentOf(payload)).users.map(async (id) => {
      const name = await names().nameOf(id);
      if (name.startsWith('@')) known.set(id, name.slice(1));
    });
    if (asked.length === 0) return {};
    const settled = new AbortController();
    await Promise.race([Promise.all(asked), clock.sleep(NAMES_MS, settled.signal)]);
    settled.abort();
    return { user: (id) => known.get(id) };
  }

  return async (payload: Payload, herald: Identity): Promise<void> => {
    const channelId = textAt(payload, 'event', 'channel');
    if (channelId === undefined || !channels.has(channelId)) return;
    const reading = { herald, receivedAt: clock.now() };
    if (readAlertEvent(payload, reading) === undefined) return;
    const event = readAlertEvent(payload, { ...reading, names: await namesOf(payload) });
    if (event !== undefined) await receive(event);
  };
}

function contentOf(payload: Payload): Payload {
  const event = payload.event as Payload;
  return (event.message ?? event) as Payload;
}
