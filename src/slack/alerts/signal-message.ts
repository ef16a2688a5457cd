import type { Alert, AlertEvent } from '../../sends/alerts/alert.ts';
import type { AlertStore } from '../../sends/alerts/ports.ts';
import { isOfSignal } from '../../sends/alerts/signal.ts';
import type { Announcement } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { context, moment, section } from '../kit/blocks/blocks.ts';
import { quote } from '../kit/cards/message-blocks.ts';
import type { Card } from '../kit/cards/send-card.ts';

/** How long to wait before it is asked again whether a signal's message stands, in milliseconds. */
export const MESSAGE_AWAITED_MS = 2_000;
const SHOWN_TITLE = 300;
const SHOWN_TEXT = 2_000;

/** Herald's own message in the channel about a signal: what fires or is over, since when, and where it is looked into. */
export function signalCard(events: readonly AlertEvent[]): Card {
  const [first] = events;
  if (first === undefined) throw new Error('A signal has an event at least.');
  const over = events.find(({ kind }) => kind === 'resolved');
  const [title = '', ...rest] = first.text.split('\n');
  const headline = `${over ? '✅' : '🚨'} *${escapeMrkdwn(title, SHOWN_TITLE)}*`;
  const { link, author, ts } = over ?? first;
  const facts = [
    `From ${escapeMrkdwn(author.source ?? '', SHOWN_TITLE)}`,
    ...(first === over ? [] : [`since ${moment(first.receivedAt)}`]),
    ...(over ? [`over ${moment(over.receivedAt)}`] : []),
    ...(link ? [`<${escapeMrkdwn(link.replaceAll('|', '%7C'))}|Look into it>`] : []),
    `Reference ${ts}`,
  ].join(' · ');
  const text = rest.join('\n').slice(0, SHOWN_TEXT).toWellFormed();
  return {
    text: `${headline} ${facts}`,
    blocks: [section(headline), ...(text === '' ? [] : [quote(text)]), context(facts)],
  };
}

/**
 * Where the message of an alert stands, in whose thread all about it belongs. `waiting`: Slack has not taken Herald's own
 * message yet; `nowhere`: Slack refuses it for good, so that there is no thread.
 */
export async function messagePlace(
  { channelId, ts, threadTs = ts }: Pick<Alert, 'channelId' | 'ts'> & { readonly threadTs?: string },
  store: Pick<AlertStore, 'message'>,
): Promise<(Announcement & { readonly threadTs: string }) | 'waiting' | 'nowhere'> {
  if (!isOfSignal(ts)) return { channelId, ts, threadTs };
  const { place, waiting } = await store.message(channelId, ts);
  if (place !== undefined) return { ...place, threadTs: place.ts };
  return waiting ? 'waiting' : 'nowhere';
}
