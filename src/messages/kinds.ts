import type { AddressMessage } from './address/message.ts';
import type { InteractiveMessage } from './interactive/message.ts';
import { address } from './kinds/address.ts';
import { type ChatappMessage, chatapp } from './kinds/chatapp.ts';
import { type FlashMessage, flash } from './kinds/flash.ts';
import { interactive } from './kinds/interactive.ts';
import type { Kind } from './kinds/kind.ts';
import { type RcsMessage, rcs } from './kinds/rcs.ts';
import { type SmsMessage, sms } from './kinds/sms.ts';
import { digitsOf, type Msisdn } from './numbers/phone-number.ts';
import { type Senders, senderFor } from './senders.ts';
import type { Template } from './templates/template.ts';

/** A valid message, without its recipients. A new kind is a line here and in `KINDS`. */
export type Message =
  | ChatappMessage
  | RcsMessage
  | SmsMessage
  | FlashMessage
  | InteractiveMessage
  | AddressMessage;

export type MessageKind = Message['kind'];

/**
 * Channels to the customer. Kinds of one channel share pace, breaker, prices and rights. `perSecond` and `concurrency` are
 * the defaults of `pacing` in herald.yml. Carriers bill flash SMS as SMS. With `answeredBy` a customer who writes back is
 * answered, in the way they wrote first.
 */
export const CHANNELS = {
  chatapp: {
    perSecond: 80,
    concurrency: 100,
    pricedAs: 'chatapp',
    answeredBy: ['interactive', 'chatapp', 'sms'],
  },
  rcs: { perSecond: 50, concurrency: 50, pricedAs: 'rcs', answeredBy: ['rcs', 'sms'] },
  sms: { perSecond: 20, concurrency: 10, pricedAs: 'sms', answeredBy: ['sms', 'chatapp'] },
  flash: { perSecond: 20, concurrency: 10, pricedAs: 'sms', answeredBy: ['sms', 'chatapp'] },
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

export function kindOf(message: Message): Kind<Message, Channel> {
  return KINDS[message.kind];
}

/** What people call what they send; flash SMS have no such name. */
export function campaignOf(message: Message): string | undefined {
  return 'campaignName' in message ? message.campaignName : undefined;
}

/** What the template of a message is registered under; undefined for a message that is made without one. */
export function templateKeyOf(message: Message): Pick<Template, 'channel' | 'name'> | undefined {
  const { templateChannel: channel, templateName } = kindOf(message);
  const name = templateName(message);
  return channel && name !== undefined ? { channel, name } : undefined;
}

/** Whom a message to this number comes from; undefined for the bot of RCS. */
export function senderOf(message: Message, number: Msisdn): string | undefined {
  if ('from' in message) return message.from;
  return 'text' in message ? senderFor(message, number) : undefined;
}

/** True for the number that sends, which the service refuses (interface document, code 131021). A sender id may be one. */
export function isSender(number: Msisdn, message: Message): boolean {
  return senderOf(message, number)?.replace(/^\+/, '') === digitsOf(number);
}

/** Why a kind cannot be used with these senders, in a sentence; undefined when it can. */
export function whyUnusable(kind: MessageKind, senders: Senders): string | undefined {
  const { noun, senders: needed } = KINDS[kind];
  if (senders[needed].length > 0) return undefined;
  return `No sender for ${noun} is configured. Ask whoever runs Herald to add one.`;
}
