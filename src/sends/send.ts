import type { Message, MessageKind } from '../messages/message.ts';
import type { Msisdn } from '../messages/phone-number.ts';
import type { Failure } from './outcome.ts';

/** States of a send. A send to one recipient passes `approved → sending → done`. */
export type SendState =
  | 'draft'
  | 'awaiting_approval'
  | 'approved'
  | 'scheduled'
  | 'sending'
  | 'paused'
  | 'done'
  | 'rejected'
  | 'expired'
  | 'cancelled'
  | 'stopped';

export type RecipientState =
  | 'pending'
  | 'attempting'
  | 'accepted'
  | 'rejected'
  | 'not_sent'
  | 'unknown'
  | 'skipped';

/** Who asked, and where the answer goes. */
export interface Origin {
  readonly teamId: string;
  readonly userId: string;
  /** The channel where it was asked. */
  readonly channelId: string;
}

/** A Slack message that tells of a send and is updated in place. */
export interface Announcement {
  readonly channelId: string;
  readonly ts: string;
}

/** A send as stored. The message carries no one-time password: that stays in memory, until it is sent. */
export interface Send {
  readonly id: string;
  readonly kind: MessageKind;
  readonly message: Message;
  readonly origin: Origin;
  readonly state: SendState;
  readonly recipientCount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Counts the changes that people are told of; the channel lags behind while it is larger than what was announced. */
  readonly revision: number;
  readonly announcement?: Announcement;
}

/** One recipient of a send as stored; `row` counts from 0. */
export interface RecipientRow {
  readonly sendId: string;
  readonly row: number;
  readonly number: Msisdn;
  readonly state: RecipientState;
  readonly messageId?: string;
  readonly status?: number;
  readonly failure?: Failure;
  /** Milliseconds since the epoch, of the last attempt. */
  readonly attemptedAt?: number;
  readonly settledAt?: number;
}

/** Everything a person is told of a send with one recipient. */
export interface SendReport {
  readonly send: Send;
  readonly recipient: RecipientRow;
}
