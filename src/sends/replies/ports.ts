import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Failure } from '../outcome.ts';
import type { Send } from '../send.ts';
import type { CustomerEvent, DeliveryStatus } from './event.ts';

/** A webhook's body as it is kept. */
export interface NewWebhook {
  /** SHA-256 of the body, in hexadecimal. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly contentType?: string;
  /** The bytes as they came, in base64. */
  readonly body: string;
}

export interface StoredWebhook extends NewWebhook {
  readonly id: number;
  /** How often it has been put off. */
  readonly postponed: number;
}

/** A recipient of a send. */
interface RecipientPlace {
  readonly sendId: string;
  readonly row: number;
  readonly number: Msisdn;
}

/** An event for people, with the send that it answers where one was found. */
export interface NewCustomerEvent {
  /** The same key twice is one event. */
  readonly key: string;
  readonly event: CustomerEvent;
  readonly sendId?: string;
  /** What it is counted under on the send's message, e.g. the button's title. */
  readonly label?: string;
  /** True when it put the sender on the opt-out list. */
  readonly optedOut: boolean;
}

export interface StoredCustomerEvent extends NewCustomerEvent {
  readonly id: number;
  readonly receivedAt: number;
  /** True for the first that is told of its send. */
  readonly first: boolean;
}

export interface NewDelivery {
  readonly sendId: string;
  readonly row: number;
  readonly status: DeliveryStatus;
  readonly at: number;
  /** With status `failed`. */
  readonly failure?: Failure;
}

export type Delivery = Omit<NewDelivery, 'sendId'>;

/** What became of one webhook. */
export interface ProcessedWebhook {
  readonly webhookId: number;
  readonly events: readonly NewCustomerEvent[];
  readonly deliveries: readonly NewDelivery[];
}

/** What customers and their phones answered to a send; all zero and empty while nothing came. */
export interface AnswerSummary {
  /** People by what they tapped, most first. */
  readonly tally: readonly { readonly label: string; readonly count: number }[];
  /** Recipients whose message reached the phone, those who read it among them. */
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
  /** Why messages were not delivered, most first, at most a dozen. */
  readonly failures: readonly { readonly failure: Failure; readonly count: number }[];
}

/**
 * Durable memory of webhooks; the same rules as `SendStore`: every method is one transaction that is on disk when it
 * resolves.
 */
export interface ReplyStore {
  /**
   * Keeps bodies, in order. One that came, byte for byte, within `repeatWithinMs` before is counted as its repetition
   * and not kept again.
   */
  keep(
    webhooks: readonly NewWebhook[],
    repeatWithinMs: number,
  ): Promise<readonly { readonly repeated: boolean }[]>;
  /** Up to `limit` that are not processed and not put off beyond `now`, oldest first. */
  waiting(now: number, limit: number): Promise<readonly StoredWebhook[]>;
  /** When the next one that was put off is due; undefined when none waits. */
  nextDue(): Promise<number | undefined>;
  /** To be processed again, not before `until`. */
  postpone(webhookId: number, until: number): Promise<void>;
  /**
   * Writes what came of webhooks and that they are processed; one that is processed already is left alone. Events
   * whose key is known are left out; a delivery only replaces one that stands before it in `DELIVERY_STATUSES`.
   * Returns the sends that now show something new.
   */
  record(processed: readonly ProcessedWebhook[]): Promise<readonly string[]>;
  /** Who was sent `messageId`; undefined when nobody was, or more than one and `number` does not tell which. */
  findByMessageId(messageId: string, number?: Msisdn): Promise<RecipientPlace | undefined>;
  /** The newest attempt, whatever became of it, to send to this number. */
  newestTo(number: Msisdn): Promise<RecipientPlace | undefined>;
  /** Events that people have not been told of, oldest first: all of one send (or of none), that of the oldest. */
  untold(limit: number): Promise<readonly StoredCustomerEvent[]>;
  markTold(eventIds: readonly number[], at: number): Promise<void>;
  summary(sendId: string): Promise<AnswerSummary>;
  /** What is known of recipients `fromRow` to `toRow`, in row order. */
  deliveries(sendId: string, fromRow: number, toRow: number): Promise<readonly Delivery[]>;
}

/** Where people are told. Never throws. */
export interface ReplyAnnouncer {
  /** Posts events of one send, or of none, as one message: all of them, or some. At least one event is given. */
  tell(events: readonly StoredCustomerEvent[], send: Send | undefined): Promise<TellResult>;
}

export type TellResult =
  /** Those of the events that the message holds: what does not fit together is asked for again. */
  | { readonly state: 'told'; readonly eventIds: readonly number[] }
  | { readonly state: 'later'; readonly retryAfterMs: number }
  /** There is nowhere to tell it. */
  | { readonly state: 'refused'; readonly reason: string };
