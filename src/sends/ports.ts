import type { Message, MessageKind, Recipient } from '../messages/message.ts';
import type { Template } from '../messages/template.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { Announcement, Origin, RecipientRow, Send, SendReport, SendState } from './send.ts';

/** HOW it is sent. One call is one HTTP request; it never throws for anything the network or service does. */
export interface Gateway {
  deliver(message: Message, recipients: readonly Recipient[]): Promise<Outcome>;
}

/** Where the team is told. Never throws: the result says where the message stands, or why there is none. */
export interface Announcer {
  /** Posts or, when the send has an announcement already, updates in place. */
  announce(report: SendReport): Promise<AnnounceResult>;
}

export type AnnounceResult =
  | { readonly state: 'posted'; readonly channelId: string; readonly ts: string }
  /** Try again later: Slack is down, slow or said 429. */
  | { readonly state: 'later'; readonly retryAfterMs: number }
  /** Slack refuses for good and there is nowhere else to say it. */
  | { readonly state: 'refused'; readonly reason: string };

/** The team's templates. */
export interface TemplateCatalogue {
  find(channel: Template['channel'], name: string): Promise<Template | undefined>;
  /** Type-ahead over name, label and sample text; best first, at most `limit`. */
  search(channel: Template['channel'], query: string, limit: number): Promise<readonly Template[]>;
}

export interface NewSend {
  readonly id: string;
  readonly kind: MessageKind;
  /** Without its one-time password. */
  readonly message: Message;
  readonly origin: Origin;
  readonly state: SendState;
  /** At least one. */
  readonly recipients: readonly Recipient[];
  readonly createdAt: number;
  /** Names the click or command that asked: the same one twice makes one send. */
  readonly requestKey: string;
}

/** A wished change of a send's state, with what the append-only record says of it. */
export interface SendTransition {
  readonly sendId: string;
  readonly from: SendState;
  readonly to: SendState;
  readonly at: number;
  /** A Slack user id, or `herald` for what happens by itself. */
  readonly actor: string;
}

/** What became of one recipient. */
export interface Settlement {
  readonly sendId: string;
  readonly row: number;
  readonly outcome: Outcome;
  readonly settledAt: number;
}

/** One line of the append-only record of who did what. */
export interface SendEvent {
  readonly sendId: string;
  readonly at: number;
  readonly actor: string;
  /** `requested`, or the state the send came into. */
  readonly action: string;
}

/**
 * Durable memory. Every method is one transaction that is on disk when it resolves; every change of state is
 * a compare-and-set and tells whether this caller won. A rejected promise means that nothing was written.
 */
export interface SendStore {
  /** Stores a send once per `requestKey`; `created` is false, and the older send returned, when it was seen before. */
  create(send: NewSend): Promise<{ readonly send: Send; readonly created: boolean }>;
  find(sendId: string): Promise<Send | undefined>;
  /** In row order. */
  recipients(sendId: string): Promise<readonly RecipientRow[]>;
  /** True when the send was in `from` and is now in `to`. */
  moveSend(transition: SendTransition): Promise<boolean>;
  /** Moves up to `limit` recipients of a send in state `sending` from `pending` to `attempting`, in row order. */
  claim(sendId: string, limit: number, attemptedAt: number): Promise<readonly RecipientRow[]>;
  /** Back from `attempting` to `pending`: there is proof that nothing left this machine. */
  release(sendId: string, row: number): Promise<boolean>;
  /**
   * Writes outcomes of recipients that are `pending` or `attempting`; others are left alone. A send in state
   * `sending` with neither left becomes `done` in the same transaction. Returns how many were written.
   */
  settle(settlements: readonly Settlement[]): Promise<number>;
  /** Recipients left `attempting` by a process that died become `unknown`; returns the ids of their sends. */
  recoverInterrupted(failure: Failure, at: number): Promise<readonly string[]>;
  /** Sends in these states, oldest first. */
  findByState(states: readonly SendState[], limit: number): Promise<readonly Send[]>;
  /** Notes that the channel knows `revision`, and where its message stands. */
  markAnnounced(sendId: string, revision: number, announcement: Announcement | undefined): Promise<void>;
  /** Sends whose channel does not know their latest revision, oldest first. */
  unannounced(limit: number): Promise<readonly Send[]>;
  /** The record of one send, oldest first. */
  events(sendId: string): Promise<readonly SendEvent[]>;
  /** How many recipients ended in each state since `since`, over all sends. */
  outcomesSince(since: number): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}
