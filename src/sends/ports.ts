import type { Message, MessageKind, Recipient } from '../messages/message.ts';
import type { Template } from '../messages/template.ts';
import type { Outcome } from './outcome.ts';
import type { RecipientRow, RecipientState, Send, SendReport, SendState } from './send.ts';

/** HOW it is sent. One call is one HTTP request; it never throws for anything the network or service does. */
export interface Gateway {
  deliver(message: Message, recipients: readonly Recipient[]): Promise<Outcome>;
}

/** Where the team is told. Never throws: `posted` says where the message stands, or why there is none. */
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
  readonly origin: Send['origin'];
  readonly state: SendState;
  readonly recipients: readonly Recipient[];
  readonly createdAt: number;
  /** Names the click or command that asked: the same one twice makes one send. */
  readonly requestKey: string;
}

/** One recipient's final state, written in a group commit. */
export interface Settlement {
  readonly sendId: string;
  readonly row: number;
  readonly outcome: Outcome;
  readonly settledAt: number;
}

/**
 * Durable memory. Every method is one transaction; every change of state is a compare-and-set, and tells
 * whether this caller won.
 */
export interface SendStore {
  /** Stores a send once per `requestKey`; `created` is false when the key was seen before. */
  create(send: NewSend): Promise<{ readonly send: Send; readonly created: boolean }>;
  find(sendId: string): Promise<Send | undefined>;
  recipients(sendId: string): Promise<readonly RecipientRow[]>;
  /** True when the send was in `from` and is now in `to`. */
  moveSend(sendId: string, from: SendState, to: SendState): Promise<boolean>;
  /** Moves up to `limit` recipients from `pending` to `attempting`, durably, and returns them. */
  claim(sendId: string, limit: number, attemptedAt: number): Promise<readonly RecipientRow[]>;
  /** Writes outcomes of recipients that are `attempting`; returns how many were. */
  settle(settlements: readonly Settlement[]): Promise<number>;
  /** Back from `attempting` to `pending`: proof exists that nothing left this machine. */
  release(sendId: string, row: number, from: RecipientState): Promise<boolean>;
  /** Recipients left `attempting` by a process that died become `unknown`; returns the sends concerned. */
  recoverInterrupted(failure: Extract<Outcome, { state: 'unknown' }>['failure'], at: number): Promise<readonly string[]>;
  /** Sends in these states, oldest first. */
  findByState(states: readonly SendState[], limit: number): Promise<readonly Send[]>;
  setAnnouncement(sendId: string, announcement: { channelId: string; ts: string }): Promise<void>;
  /** Marks what the channel has been told; a send whose state is newer than that is found by `unannounced`. */
  markAnnounced(sendId: string, at: number): Promise<void>;
  unannounced(limit: number): Promise<readonly Send[]>;
  close(): Promise<void>;
}
