import type { Message, MessageKind } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Template } from '../messages/templates/template.ts';
import type { Failure } from './outcome.ts';
import type { RecipientState, SendState } from './states.ts';

export type { RecipientState, SendState };

/** It says who requested a send, and where its result is announced. */
export interface Origin {
  readonly teamId: string;
  readonly userId: string;
  /** The channel where it was requested. */
  readonly channelId: string;
  /** The thread of that channel in which it answers a customer. */
  readonly threadTs?: string;
  /** Present for sends of an alert: `threadTs` is the first message of its thread, and quiet hours do not apply if it is `urgent`. */
  readonly alert?: { readonly id: string; readonly threadTs: string; readonly urgent: boolean };
}

/** The Slack message about a send, which is updated in place. */
export interface Announcement {
  readonly channelId: string;
  readonly ts: string;
}

/** Recipients of a send by state; the sum is `recipientCount`. */
export type RecipientCounts = Readonly<Record<RecipientState, number>>;

export const NOBODY: RecipientCounts = {
  ...{ pending: 0, attempting: 0, accepted: 0 },
  ...{ rejected: 0, not_sent: 0, unknown: 0, skipped: 0 },
};

export interface SendAudience {
  readonly id: string;
  /** The saved audience's or the file's name, for people. */
  readonly label?: string;
  /** Names that `{{column}}` in the message's values may use; each recipient's `values` are in this order. */
  readonly columns: readonly string[];
}

/** The state of the thread of a bulk send's progress message, and of what Slack was given for it. */
export interface ThreadState {
  /** `given`: who asked has the report; or else a sentence why not. */
  readonly file?: string;
  /** The message that announces the report. */
  readonly report?: Announcement;
  /** The send over time, as the message shows it: spans of the same length from its start to its end. */
  readonly course?: readonly CourseBar[];
}

export interface CourseBar {
  readonly accepted: number;
  readonly unknown: number;
  readonly failed: number;
}

/** Facts about a bulk send's recipients for its approvers, gathered while it was prepared. */
export interface Survey {
  /** Recipients when the send was sealed, without the skipped ones. */
  readonly recipients: number;
  /** How many are of each country, by its code; `?` for numbers of none. Absent for old sends. */
  readonly countries?: Readonly<Record<string, number>>;
  /** Rows with a value that reads as if something went wrong, and with a link that is not https. */
  readonly odd?: OddRows;
  readonly insecure?: OddRows;
  /** Rows whose value says something else than that of most, by column, the most different one as example. */
  readonly different?: readonly OddRows[];
  /** Number of different texts, or `more` than that. Absent when all get the same. */
  readonly texts?: { readonly count: number; readonly more: boolean };
  /** A sample from all over the list, in row order. */
  readonly rows: readonly SurveyedRow[];
  /** See `BulkRequest.openMedia`. */
  readonly openMedia?: readonly string[];
  /** SHA-256 over all recipients, see `createListDigest`. Absent for old sends. */
  readonly list?: string;
}

/** Rows that share something unusual: how many, and one of them. */
export interface OddRows {
  readonly count: number;
  readonly row: number;
  readonly column: string;
  /** Untrusted, shortened. */
  readonly value: string;
}

export interface SurveyedRow {
  readonly row: number;
  /** This recipient's text is the shortest or the longest of all. */
  readonly why?: 'shortest' | 'longest';
  /** It says something else than most; so many rows say about the same, itself included. */
  readonly alike?: number;
}

/** A send as stored. Its message has no one-time password, which stays in memory. */
export interface Send {
  readonly id: string;
  readonly kind: MessageKind;
  readonly message: Message;
  /** The template as it was when the send was requested. Absent for kinds without templates and for old sends. */
  readonly template?: Template;
  readonly origin: Origin;
  readonly state: SendState;
  readonly recipientCount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly announcement?: Announcement;
  readonly counts: RecipientCounts;
  /** Bulk sends only; any other send has one recipient. */
  readonly audience?: SendAudience;
  /** SHA-256 over message, recipients, sender and schedule; each approval is for one digest. */
  readonly digest?: string;
  /** Bulk sends only; absent for old ones. */
  readonly survey?: Survey;
  /** Present when it needs an approval, or needed one. */
  readonly approval?: {
    /** So many different people must approve. */
    readonly needed: number;
    /** Milliseconds since the epoch; afterwards the request has expired. */
    readonly expiresAt: number;
    /** The approval card, once posted. */
    readonly card?: Announcement;
  };
  /** See `BulkRequest.approvalOver`. */
  readonly approvalOver?: number;
  /** The requester's words for those who approve: untrusted text, at most 300 characters. */
  readonly note?: string;
  /** The id of the send that this one was edited from. */
  readonly replaces?: string;
  /** Scheduled start, in milliseconds since the epoch. */
  readonly startAt?: number;
  /** Why it is paused or ended, where the state alone does not say. */
  readonly reason?: Failure;
  /** When a paused send resumes by itself, in milliseconds since the epoch. */
  readonly resumeAt?: number;
  /** Bulk sends only; absent while nothing was announced. */
  readonly thread?: ThreadState;
  /** The canaries were judged, or a person decided to go on. */
  readonly canaryJudged?: true;
  /** Last start, resumption or claim, in milliseconds since the epoch. */
  readonly activeAt?: number;
  /** Since when its texts or numbers are removed, by their age or because somebody asked for it: it is not tried again. */
  readonly removedAt?: number;
  /** The id of the send that this one retries. */
  readonly retryOf?: string;
  /** Which of that send's recipients it goes to. */
  readonly retryGroup?: RetryGroup;
}

/** Groups of an ended send's recipients that can be retried; a recipient is in at most one. */
export type RetryGroup = 'failed' | 'unknown' | 'untried';

/** True when who asked took it back: whatever else cancels a send says why. */
export function isWithdrawn({ state, reason }: Pick<Send, 'state' | 'reason'>): boolean {
  return state === 'cancelled' && reason === undefined;
}

const BEFORE_ITS_START: ReadonlySet<SendState> = new Set(['awaiting_approval', 'approved', 'scheduled']);

/** Recipients with an outcome. Those left out before are not counted: nothing was ever to be done for them. */
export function settledOf({ accepted, rejected, not_sent, unknown }: RecipientCounts): number {
  return accepted + rejected + not_sent + unknown;
}

/** True while a send is sealed and nothing of it was attempted. */
export function isUnsent({ state, counts }: Pick<Send, 'state' | 'counts'>): boolean {
  const touched = counts.attempting + settledOf(counts);
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

export interface SendReport {
  readonly send: Send;
  readonly recipient: RecipientRow;
}

/** The group in which a send to one person can be tried again; undefined when that has not failed. */
export function retryGroupOf({ send, recipient: { state } }: SendReport): RetryGroup | undefined {
  if (send.audience !== undefined || send.removedAt !== undefined) return undefined;
  if (state === 'unknown') return 'unknown';
  return state === 'rejected' || state === 'not_sent' ? 'failed' : undefined;
}

/** Recipients of a send that ended in one state in the same span of time, counted from 0. */
export interface OutcomeSpan {
  readonly span: number;
  readonly state: RecipientState;
  readonly count: number;
}

/** It says whose sends, and how many at most; absent `userId`: everybody's. */
export interface SendSelection {
  readonly userId?: string | undefined;
  readonly limit: number;
}

/** `states` and `outcomes` together take what fits either. */
export interface SendFilter extends SendSelection {
  readonly states?: readonly SendState[] | undefined;
  /** At least one recipient is in one of these states. */
  readonly outcomes?: readonly RecipientState[] | undefined;
  /** The name of its template, of whatever channel. */
  readonly template?: string | undefined;
  /** Asked for at this moment or later. */
  readonly since?: number | undefined;
  /** Older than this moment, for paging. */
  readonly before?: number | undefined;
}

/** It counts what there is to do and to decide, over all sends. */
export interface Workload {
  /** Sends that have not ended, and their recipients without an outcome. */
  readonly sends: Readonly<Partial<Record<SendState, number>>>;
  readonly recipientsLeft: number;
  /** The last start, resumption or claim of that send in state `sending` where this is longest ago. */
  readonly oldestPendingAt?: number;
  /** When the oldest send that waits for an approval was asked for. */
  readonly oldestApprovalAt?: number;
  /** Unknown recipients of sends since `since` that nobody has decided about. */
  readonly undecided: number;
}

/** One line of the append-only record of who did what. */
export interface SendEvent {
  readonly sendId: string;
  readonly at: number;
  /** A Slack user id, or `herald` for what happens by itself. */
  readonly actor: string;
  /** `requested`, `approved_by` for one of several approvals, the new state, `doubts_settled` by reports, a `RecordedAction` or a `Removal`. */
  readonly action: string;
  /** Why, where a person should know: of a change of state it is kept with the send as well. */
  readonly reason?: Failure;
}

/** A line of the whole record, with facts about its send. */
export interface RecordLine extends SendEvent {
  readonly id: number;
  /** On the line `requested`. */
  readonly asked?: Pick<Send, 'message' | 'template' | 'retryOf'>;
  /** On every other line of a bulk send, as is the number of recipients when it was sealed. */
  readonly digest?: string;
  readonly recipients?: number;
}

/**
 * Recorded without a change of state: approvers were reminded; a person left the unknown recipients as they are, chose to
 * wait for the end of quiet hours, or tried to approve without the right to.
 */
export type RecordedAction = 'reminded' | 'left_unknown' | 'chose_to_wait' | 'approval_refused';

/** Recorded of a send that has ended, by its age or because somebody asked for it. */
export type Removal = 'numbers_removed' | 'texts_removed' | 'erased';

const REFERENCE = /^(S-[0-9A-HJKMNP-TV-Z]{10})-(\d{1,9})$/;

/** Names a recipient to the service, e.g. `S-7K2M9QX4TB-12`, whose reports may give it back: see `{{reference}}` in docs/wire.md. */
export function referenceOf({ sendId, row }: Pick<RecipientRow, 'sendId' | 'row'>): string {
  return `${sendId}-${row}`;
}

/** The recipient that a reference names; undefined for any other text. */
export function readReference(text: string): Pick<RecipientRow, 'sendId' | 'row'> | undefined {
  const [, sendId, row] = REFERENCE.exec(text) ?? [];
  return sendId === undefined ? undefined : { sendId, row: Number(row) };
}
