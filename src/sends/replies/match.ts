import { readReplyId } from '../../messages/interactive/reply-reference.ts';
import type { SendStore } from '../ports.ts';
import type { CustomerEvent } from './event.ts';
import type { ReplyStore } from './ports.ts';

interface MatchDependencies {
  readonly store: Pick<ReplyStore, 'findByMessageId' | 'newestTo'>;
  readonly sends: Pick<SendStore, 'find'>;
}

/**
 * The send that a customer answered: the one that the button's id refers to, else the one with the message that the
 * service says was answered, else the newest to that number. Undefined when there is none.
 */
export async function matchSend(
  event: CustomerEvent,
  { store, sends }: MatchDependencies,
): Promise<string | undefined> {
  const reference = event.kind === 'reply' ? readReplyId(event.replyId).sendId : undefined;
  if (reference !== undefined && (await sends.find(reference)) !== undefined) return reference;
  // Some services give the id of the message that was answered as the event's own.
  for (const messageId of [event.contextId, event.eventId]) {
    const place = messageId === undefined ? undefined : await store.findByMessageId(messageId, event.from);
    if (place !== undefined) return place.sendId;
  }
  return event.from && (await store.newestTo(event.from))?.sendId;
}
