import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Failure } from '../outcome.ts';
import type { RecipientRow, SendSelection } from '../send.ts';
import type { CustomerEvent, DeliveryStatus } from './event.ts';

/** The body of a webhook, to be stored. */
export interface NewWebhook {
  /** SHA-256 of the body, in hexadecimal. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly contentType?: string;
  /** The bytes as they came, in base64. */
  readonly body: string;
  /** The customer who wrote it, where the service gave that no id of its own. */
  readonly sender?: Msisdn | undefined;
  /** A customer speaks in it: it goes before reports, and whoever opts out in it is on the opt-out list already. */
  readonly heard?: boolean;
  /** It is no repetition, whatever came before. */
  readonly isNew?: boolean;
}

export interface StoredWebhook extends NewWebhook {
  readonly id: number;
  /** How often it was postponed. */
  readonly postponed: number;
}

type RecipientPlace = Pick<RecipientRow, 'sendId' | 'row' | 'number'>;

/** An event to show, with the send that it replies to, if found. */
export interface NewCustomerEvent {
  /** Equal for repetitions of one event. */
  readonly key: string;
  readonly event: CustomerEvent;
  readonly sendId?: string;
  /** The label under which the send's message counts it, e.g. the button's title. */
  readonly label?: string;
  /** It asks for no more messages: its sender, where that is known, is on the opt-out list. */
  readonly optedOut: boolean;
  /** When it came, of words that wait for an answer; taps and addresses answer the send itself. */
  readonly askedAt?: number;
}

/** The thread in which people and a customer talk, by its first message. */
interface Thread {
  readonly channelId: string;
  readonly threadTs: string;
}

export interface StoredCustomerEvent extends NewCustomerEvent {
  readonly id: number;
  readonly receivedAt: number;
  /** True for the first event of its send. */
  readonly first: boolean;
  /** Its place in Slack, if people can answer it there; `ts` is its own message's, which may be the thread's first. */
  readonly place?: Thread & { readonly ts: string };
}

export interface NewDelivery extends Pick<RecipientRow, 'sendId' | 'row'> {
  readonly status: DeliveryStatus;
  readonly at: number;
  /** With status `failed`. */
  readonly failure?: Failure;
  /** The service's id of the message, where the recipient has none yet. */
  readonly messageId?: string;
}

export type Delivery = Omit<NewDelivery, 'sendId' | 'messageId'>;

/** The result of one webhook. */
export interface ProcessedWebhook {
  readonly webhookId: number;
  readonly events: readonly NewCustomerEvent[];
  readonly deliveries: readonly NewDelivery[];
  /** It is to be processed again, not before this time: something in it may be early. */
  readonly again?: number;
}

/** Delivery reports of a send, counted. */
export interface Reached {
  /** Recipients whose message reached the phone, including those who read it. */
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
}

/** Replies and delivery reports of a send, counted. */
export interface AnswerSummary extends Reached {
  /** People by what they tapped last, most first; whoever is not known counts each time. */
  readonly tally: readonly { readonly label: string; readonly count: number }[];
  /** Why messages were not delivered, most first, at most a dozen. */
  readonly failures: readonly { readonly failure: Failure; readonly count: number }[];
}

/** Durable memory of webhooks; the same rules as `SendStore`. */
export interface ReplyStore {
  /**
   * Stores bodies in order. One that is equal to another of the last `repeatWithinMs` is counted as a repetition and not
   * stored, unless its sender wrote something else in between.
   */
  keep(
    webhooks: readonly NewWebhook[],
    repeatWithinMs: number,
  ): Promise<readonly { readonly repeated: boolean }[]>;
  /** Up to `limit` unprocessed ones that are due: those in which customers speak, then the others, oldest first. */
  waiting(now: number, limit: number): Promise<readonly StoredWebhook[]>;
  /** When the next postponed one is due; undefined when none is. */
  nextDue(): Promise<number | undefined>;
  /**
   * Writes the results of webhooks and marks them as processed, or postpones them; ignores those already processed and events
   * with a known key. What shows the others is wanted. A delivery replaces only one that precedes it in `DELIVERY_STATUSES`, and settles a recipient that is
   * `unknown`: `failed` as `rejected`, which a later delivery makes `accepted`, any other as `accepted`. Returns the sends that
   * changed.
   */
  record(processed: readonly ProcessedWebhook[]): Promise<readonly string[]>;
  /**
   * The recipient of `messageId`, or that it names as a reference of ours; undefined when there is none, or several between which
   * `number` does not decide. Without its number an id is found from `indexIds` on: who `waits` has that done.
   */
  findByMessageId(messageId: string, number?: Msisdn, waits?: boolean): Promise<RecipientPlace | undefined>;
  /** Brings the ids of all outcomes so far into the index, in so many short steps at most; false when they are there. */
  indexIds(steps?: number): Promise<boolean>;
  /** Whether any request is without an outcome, so that the id of its message may be known later. */
  isUnderWay(): Promise<boolean>;
  /**
   * The recipient with this number that is `unknown` and has no message id; undefined when anything else that was attempted from
   * `since` to `until` may have been sent to it.
   */
  findDoubt(number: Msisdn, since: number, until: number): Promise<RecipientPlace | undefined>;
  /** The newest attempt to this number, whatever its outcome. */
  newestTo(number: Msisdn): Promise<RecipientPlace | undefined>;
  /** The events that the post with this mark shows, all of one send or of none, oldest first. */
  shownBy(mark: string): Promise<readonly StoredCustomerEvent[]>;
  /** These are shown by no post. */
  leaveOut(eventIds: readonly number[]): Promise<void>;
  summary(sendId: string): Promise<AnswerSummary>;
  /** Counts what was reported of each send; a send without reports is absent. */
  reached(sendIds: readonly string[]): Promise<ReadonlyMap<string, Reached>>;
  /** All that this number answered, to anybody or to the sends of one person, newest first. */
  answersOf(number: Msisdn, whose: SendSelection): Promise<readonly StoredCustomerEvent[]>;
  /** Deliveries of recipients `fromRow` to `toRow`, in row order. */
  deliveries(sendId: string, fromRow: number, toRow: number): Promise<readonly Delivery[]>;
}

/** Conversations of people with customers, in threads. */
export interface ConversationStore {
  findEvent(eventId: number): Promise<StoredCustomerEvent | undefined>;
  /** The newest event of each known customer in a thread, newest first, at most `limit`. */
  inThread(thread: Thread, limit: number): Promise<readonly StoredCustomerEvent[]>;
  /** The newest send from a thread to this number. */
  newestAnswer(
    thread: Thread,
    number: Msisdn,
  ): Promise<
    | {
        readonly sendId: string;
        /** When it was asked for. */
        readonly at: number;
        /** Certainly nothing was sent. */
        readonly failed: boolean;
      }
    | undefined
  >;
  /**
   * The newest words of each customer in each thread, newest first, which nobody has answered from there since with a
   * message that was sent or may have been, and which nobody has closed. Asked since `since`; with `userId` only answers to
   * that person's sends.
   */
  openQuestions(asked: SendSelection & { readonly since: number }): Promise<readonly StoredCustomerEvent[]>;
  /** Notes who says that these need no answer; the first counts. */
  closeQuestions(eventIds: readonly number[], userId: string): Promise<void>;
  /** True for the first hint to this person that customers do not see what stands in this thread. */
  claimHint(thread: Thread, userId: string): Promise<boolean>;
}
