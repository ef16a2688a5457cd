import type { Message, MessageKind } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Template } from '../messages/templates/template.ts';
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
  /** For what a rule of `alerts` has asked for, or a person for an alert. */
  readonly alert?: AlertOrigin;
}

/** The alert that a send tells of. */
export interface AlertOrigin {
  readonly id: string;
  /** The first message of the thread in which it is told of. */
  readonly threadTs: string;
  /** Quiet hours do not hold it back. */
  readonly urgent: boolean;
}

/** A Slack message that tells of a send and is updated in place. */
export interface Announcement {
  readonly channelId: string;
  readonly ts: string;
}

/** Recipients of a send by state; the sum is `recipientCount`. */
export type RecipientCounts = Readonly<Record<RecipientState, number>>;

/** What a bulk send waits for, or waited for. */
interface ApprovalRequest {
  /** Different people who must approve. */
  readonly needed: number;
  /** Milliseconds since the epoch; afterwards the request has expired. */
  readonly expiresAt: number;
  /** Where the approval card stands, once posted. */
  readonly card?: Announcement;
}

/** The audience of a bulk send. */
export interface SendAudience {
  readonly id: string;
  /** The saved audience's or the file's name, for people. */
  readonly label?: string;
  /** Names that `{{column}}` in the message's values may use; each recipient's `values` are in this order. */
  readonly columns: readonly string[];
}

/** What has been told of a bulk send in the thread of its progress message, so that no restart tells it again. */
export interface Told {
  /** `ts` of the message with the causes of failure, which is brought up to date in place. */
  readonly causesTs?: string;
  /** Of its end: the report was given to who asked, the thread says so, or everything was told. */
  readonly end?: 'given' | 'report' | 'all';
  /** The `resumeAt` of the latest hold by quiet hours about which it was asked what to do with the rest. */
  readonly hold?: number;
}

/** What was found of a bulk send's recipients while it was prepared, for those who approve it. */
export interface Survey {
  /** To be sent to when the send was sealed. */
  readonly recipients: number;
  /** How many different texts they get; `more` when only that many were told apart. Absent where all get the same. */
  readonly texts?: { readonly count: number; readonly more: boolean };
  /** Recipients from all over the list, in row order. */
  readonly rows: readonly SurveyedRow[];
}

export interface SurveyedRow {
  readonly row: number;
  /** Of all texts, this recipient's is the shortest or the longest. */
  readonly why?: 'shortest' | 'longest';
}

/** A send as stored. The message carries no one-time password: that stays in memory, until it is sent. */
export interface Send {
  readonly id: string;
  readonly kind: MessageKind;
  readonly message: Message;
  /**
   * The message's template in the words it had when the send was asked for. Absent for kinds without templates, and for
   * sends of versions of Herald that did not keep it.
   */
  readonly template?: Template;
  readonly origin: Origin;
  readonly state: SendState;
  readonly recipientCount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Counts the changes that people are told of; the channel lags behind while it is larger than what was announced. */
  readonly revision: number;
  readonly announcement?: Announcement;
  readonly counts: RecipientCounts;
  /** Bulk sends only. Without it the send has one recipient, whose message is stored as it is. */
  readonly audience?: SendAudience;
  /** SHA-256 over message, audience, sender and schedule; what an approval names. */
  readonly digest?: string;
  /** Bulk sends only; absent for those of versions of Herald that made none. */
  readonly survey?: Survey;
  readonly approval?: ApprovalRequest;
  /** It waits for approval above so many recipients, whatever `approvals.over` says. */
  readonly approvalOver?: number;
  /** When it shall start, in milliseconds since the epoch. */
  readonly startAt?: number;
  /** Why it is paused, or how it ended, where the state alone does not say. */
  readonly reason?: Failure;
  /** When a paused send goes on by itself, in milliseconds since the epoch. */
  readonly resumeAt?: number;
  /** Of a bulk send; absent while nothing is. */
  readonly told?: Told;
  /** The first recipients of a bulk send have shown that the others may follow, or a person decided it. */
  readonly canaryJudged?: true;
  /** When it was last begun, gone on with or claimed from, in milliseconds since the epoch. */
  readonly activeAt?: number;
  /** The send some of whose recipients this one tries again. */
  readonly retryOf?: string;
  /** Which of its recipients these are. */
  readonly retryGroup?: RetryGroup;
}

/** Recipients of an ended send that another send may go to; each of them is in one group at most. */
export type RetryGroup = 'failed' | 'unknown' | 'untried';

const BEFORE_ITS_START: ReadonlySet<SendState> = new Set(['awaiting_approval', 'approved', 'scheduled']);

/** True while a send is sealed and nothing of it has gone out: it waits, or was held back at its start. */
export function isUnsent({ state, counts }: Pick<Send, 'state' | 'counts'>): boolean {
  const { attempting, accepted, rejected, not_sent, unknown } = counts;
  const touched = attempting + accepted + rejected + not_sent + unknown;
  return BEFORE_ITS_START.has(state) || (state === 'paused' && touched === 0);
}

/** One recipient of a send as stored; `row` counts from 0. */
export interface RecipientRow {
  readonly sendId: string;
  readonly row: number;
  readonly number: Msisdn;
  readonly state: RecipientState;
  /** In the order of the audience's columns; only for bulk sends. */
  readonly values?: readonly string[];
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
