import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Failure } from '../outcome.ts';

/*
 * What one webhook of the service may tell. The interface document shows no shape; `gateway` finds these wherever they
 * sit in a body, and everybody else reads them here.
 */

/** Who it came from and what it refers to, as far as the body says. */
interface Provenance {
  /** The customer. */
  readonly from?: Msisdn;
  /** The service's own id of this event: the same one twice is one event. */
  readonly eventId?: string;
  /** The service's id of the message that it answers. */
  readonly contextId?: string;
}

/** A tap on a reply button or on a row of a list. */
interface ReplyEvent extends Provenance {
  readonly kind: 'reply';
  /** As it came; at most 256 characters are meant (interface document, "reply.id"). */
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

/** Something that a customer wrote. */
interface TextEvent extends Provenance {
  readonly kind: 'text';
  readonly text: string;
}

/** What Herald has no name for, as it came. */
interface UnknownEvent extends Provenance {
  readonly kind: 'unknown';
  readonly text: string;
  /** False when the body is neither JSON nor a form. */
  readonly readable: boolean;
}

/** Something for people to see. */
export type CustomerEvent = ReplyEvent | AddressEvent | TextEvent | UnknownEvent;

/** Worst first, best last: a later report moves a recipient only towards the end of this list. */
export const DELIVERY_STATUSES = ['sent', 'failed', 'delivered', 'read'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What became of a message after the service took it. */
export interface DeliveryReport {
  readonly kind: 'report';
  readonly messageId: string;
  readonly status: DeliveryStatus;
  /** The recipient. */
  readonly number?: Msisdn;
  /** With status `failed`. */
  readonly failure?: Failure;
}

export type WebhookEvent = CustomerEvent | DeliveryReport;

/** A body as it came. */
export interface WebhookBody {
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

/** Every event in a body; at least one, and never throws. */
export type DecodeWebhook = (body: WebhookBody) => readonly WebhookEvent[];
