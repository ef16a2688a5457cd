import type { AddressMessage } from './address/fields.ts';
import type { InteractiveMessage } from './interactive/message.ts';
import { address } from './kinds/address.ts';
import { type ChatappMessage, chatapp } from './kinds/chatapp.ts';
import { type FlashMessage, flash } from './kinds/flash.ts';
import { interactive } from './kinds/interactive.ts';
import type { Kind } from './kinds/kind.ts';
import { type RcsMessage, rcs } from './kinds/rcs.ts';
import { type SmsMessage, sms } from './kinds/sms.ts';
import type { Senders } from './senders.ts';

/*
 * The list of kinds. A new kind is its module, a line in each of the two lists below, and its row in `gateway`.
 */

/** What is sent, without to whom. Values of this type have passed every rule of their kind. */
export type Message =
  | ChatappMessage
  | RcsMessage
  | SmsMessage
  | FlashMessage
  | InteractiveMessage
  | AddressMessage;

/** A form's `callback_id` is the kind that it makes. */
export type MessageKind = Message['kind'];

/**
 * Ways to the customer. What shares one shares pace, breaker, prices and rights: every kind of the chat app goes out
 * through the same account. `perSecond` and `concurrency` are the pace where herald.yml names none; flash SMS have no
 * prices of their own, because carriers bill them as SMS.
 */
export const CHANNELS = {
  chatapp: { perSecond: 80, concurrency: 100, pricedAs: 'chatapp' },
  rcs: { perSecond: 50, concurrency: 50, pricedAs: 'rcs' },
  sms: { perSecond: 20, concurrency: 10, pricedAs: 'sms' },
  flash: { perSecond: 20, concurrency: 10, pricedAs: 'sms' },
} as const;
export type Channel = keyof typeof CHANNELS;

export const KINDS: Readonly<{ [K in MessageKind]: Kind<Extract<Message, { readonly kind: K }>, Channel> }> =
  {
    chatapp,
    rcs,
    sms,
    flash,
    interactive,
    address,
  };
export const MESSAGE_KINDS = Object.keys(KINDS) as readonly MessageKind[];

/** The module that answers for a message. */
export function kindOf(message: Message): Kind<Message, Channel> {
  return KINDS[message.kind];
}

/** Why a kind cannot be used with these senders, in a sentence; undefined when it can. */
export function whyUnusable(kind: MessageKind, senders: Senders): string | undefined {
  const { noun, senders: needed } = KINDS[kind];
  if (senders[needed].length > 0) return undefined;
  return `No sender is configured that could send ${noun}. Ask whoever runs Herald to add one under senders.${needed} in herald.yml.`;
}
