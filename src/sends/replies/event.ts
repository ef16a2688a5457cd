import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Failure } from '../outcome.ts';

/*
 * The events in a webhook of the service. The interface document gives no shape, so `gateway` looks for them anywhere in a
 * body.
 */

/** The origin of an event, as far as the body says. */
interface Provenance {
  /** The customer. */
  readonly from?: Msisdn;
  /** The service's id of this event, by which repetitions are recognised. */
  readonly eventId?: string;
  /** The service's id of the message that it answers. */
  readonly contextId?: string;
}

/** A tap on a reply button or on a row of a list. */
interface ReplyEvent extends Provenance {
  readonly kind: 'reply';
  /** Unchecked; the interface document allows 256 characters ("reply.id"). */
  readonly replyId: string;
  readonly title?: string;
  readonly description?: string;
}

/** A filled-in address form. */
export interface AddressEvent extends Provenance {
  readonly kind: 'address';
  /** Fields by the names of the interface document's table, in the order they came. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
}

/** A text from a customer. */
interface TextEvent extends Provenance {
  readonly kind: 'text';
  readonly text: string;
  /** True where the service itself says that the sender wants no more messages, whatever the words. */
  readonly asksToStop?: true;
}

/** An event of an unknown kind, or something besides words that a customer sent. */
export interface UnknownEvent extends Provenance {
  readonly kind: 'unknown';
  /** E.g. “a picture”. */
  readonly sent?: string;
  /** The customer's words below it. */
  readonly caption?: string;
  readonly text: string;
  /** False when the body is neither JSON nor a form. */
  readonly readable: boolean;
  /** It reports on a template: its name, the service's word for what became of it, and what it says besides. */
  readonly template?: { readonly name: string; readonly word: string; readonly words: string };
}

/** An event that is shown to people. */
export type CustomerEvent = ReplyEvent | AddressEvent | TextEvent | UnknownEvent;

/** In ascending order: a report never moves a recipient back. */
export const DELIVERY_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A later report replaces an earlier one only when its rank is higher: reports come in any order. */
export function rankOf(status: DeliveryStatus): number {
  return DELIVERY_STATUSES.indexOf(status);
}

/** It says what happened to a message after the service accepted it. */
export interface DeliveryReport {
  readonly kind: 'report';
  readonly messageId: string;
  /** Further names of the message, of its parts or of its request, where the body has them. */
  readonly otherIds?: readonly string[];
  readonly status: DeliveryStatus;
  /** The recipient. */
  readonly number?: Msisdn;
  /** With status `failed`. */
  readonly failure?: Failure;
}

export type WebhookEvent = CustomerEvent | DeliveryReport;

export interface WebhookBody {
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

/** Every event in a body; none where nobody needs to hear of it. Never throws. */
export type DecodeWebhook = (body: WebhookBody) => readonly WebhookEvent[];
