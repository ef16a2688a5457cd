import type { Message } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Reading } from '../messages/personalise.ts';
import type { Recipient } from '../messages/submission.ts';
import type { AudienceRow } from './audience.ts';
import type { UnaskedLimit } from './bulk/policy.ts';
import type { Failure, Got, LeaveOut, OverCap, RequestOutcome, Settled, Settlement } from './outcome.ts';
import type {
  OutcomeSpan,
  RecipientRow,
  RecipientState,
  RecordedAction,
  RecordLine,
  Send,
  SendAudience,
  SendEvent,
  SendFilter,
  SendReport,
  SendSelection,
  SendState,
  Survey,
  Workload,
} from './send.ts';
import type { createStoredCatalogue } from './templates/catalogue.ts';

/** One call is one HTTP request; it never throws for anything the network or service does. */
export interface Gateway {
  deliver(
    message: Message,
    recipients: readonly Recipient[],
    /** Asked right before the first byte is written, however long the request waited: false makes it `not_sent`. */
    mayStart?: () => boolean,
  ): Promise<RequestOutcome>;
}

export type TemplateCatalogue = Pick<ReturnType<typeof createStoredCatalogue>, 'find' | 'search' | 'mark'>;

/** Its message is without a one-time password, its template as the catalogue has it now. */
export interface NewSend
  extends Pick<
    Send,
    'id' | 'kind' | 'message' | 'template' | 'origin' | 'state' | 'createdAt' | 'retryOf' | 'retryGroup'
  > {
  /** At least one. */
  readonly recipients: readonly Recipient[];
  /** Names the click or command that asked: the same one twice makes one send. */
  readonly requestKey: string;
  readonly limit?: UnaskedLimit | undefined;
  readonly reading?: Read['reading'];
  /** Nothing is stored that the recipient got since then, unless these sends are known (`whichOf`). */
  readonly unlessGot?: { readonly since: number; readonly known?: string | undefined } | undefined;
}

/** A requested change of a send's state, with its line for the append-only record. */
export interface SendTransition extends Omit<SendEvent, 'action'> {
  readonly from: SendState;
  readonly to: SendState;
  /** For `paused`: when it goes on by itself, in milliseconds since the epoch. The next change forgets it. */
  readonly resumeAt?: number;
  /** From `paused`: the send's `activeAt` when this was decided. Another one by now is of a later pause, which stays. */
  readonly activeAt?: number | undefined;
}

/** A bulk send as it is begun: in state `draft`, with its recipients still to come. */
export interface NewBulkSend
  extends Omit<NewSend, 'recipients' | 'state'>,
    Pick<Send, 'approvalOver' | 'startAt' | 'note' | 'replaces'> {
  /** Its recipients are counted when it is sealed. */
  readonly limit?: undefined;
  readonly audience: SendAudience;
}

/** A recipient of a bulk send; `skipped` ones carry the reason and are never claimed. */
export interface NewRecipient extends AudienceRow, Read {
  readonly skipped?: Failure;
}

/** Somebody reads something, if that may be kept: the store keeps a digest of both. */
export interface Read {
  readonly number: Msisdn;
  readonly reading?: Reading | undefined;
}

/** How a draft is completed: nothing of it may change afterwards without a new digest. */
export interface SealedSend extends Pick<SendEvent, 'sendId' | 'at' | 'actor'> {
  readonly digest: string;
  readonly survey?: Survey;
  readonly to: 'awaiting_approval' | 'approved';
  /** For `awaiting_approval`. */
  readonly approval?: { readonly needed: number; readonly expiresAt: number };
  /** Why it waits, where the number of recipients alone does not say. */
  readonly reason?: Failure | undefined;
  /** For `approved`. */
  readonly limit?: UnaskedLimit | undefined;
}

/** How a send that has not begun comes to wait for more approvals than it has. */
export interface MoreApprovals extends Pick<SendTransition, 'sendId' | 'at' | 'actor' | 'activeAt'> {
  readonly from: 'awaiting_approval' | 'approved' | 'scheduled' | 'paused';
  readonly needed: number;
  readonly expiresAt: number;
  readonly reason: Failure;
}

export interface Approval {
  readonly userId: string;
  readonly at: number;
}

/** The result of one person's approval, decided in one transaction. */
export type ApprovalResult =
  /** Recorded; `complete` when it was the last one needed and the send is now `approved`. */
  | { readonly state: 'recorded'; readonly approvals: readonly Approval[]; readonly complete: boolean }
  | { readonly state: 'repeated'; readonly approvals: readonly Approval[] }
  /** The send is no longer `awaiting_approval`, or has another digest: `send` says what it is now. */
  | { readonly state: 'too_late'; readonly send: Send };

/** Recipients of a send that failed alike. */
export interface FailureGroup {
  readonly state: RecipientState;
  readonly failure: Failure;
  readonly count: number;
}

/** Sends as they stand, and their record: whoever shows or looks for them. */
export interface SendReader {
  find(sendId: string): Promise<Send | undefined>;
  /** Up to `limit` recipients after `afterRow` (-1 to begin), in row order. */
  recipients(sendId: string, afterRow?: number, limit?: number): Promise<readonly RecipientRow[]>;
  /** Sends in these states, oldest first. */
  findByState(states: readonly SendState[], limit: number): Promise<readonly Send[]>;
  /** Sends by newest first. */
  list(filter: SendFilter): Promise<readonly Send[]>;
  /** All that was to go to this number, newest first; drafts are left out. */
  sentTo(number: Msisdn, whose: SendSelection): Promise<readonly SendReport[]>;
  /** The sends that try recipients of this one again, oldest first, but for those that came to nothing. */
  retriesOf(sendId: string): Promise<readonly Send[]>;
  /** Finds what of this was sent since `since`, or may have been, or is to be by a send that waits or goes on. */
  gotSince(asked: readonly Read[], since: number): Promise<readonly Got[]>;
  /** The same of up to `limit` recipients of a send after `afterRow`, in row order, but for those sends that it tries again. */
  gotBefore(
    sendId: string,
    since: number,
    afterRow: number,
    limit: number,
  ): Promise<{ readonly looked: number; readonly lastRow: number; readonly got: readonly Got[] }>;
  /** Quick, however many sends there were. */
  workload(since: number): Promise<Workload>;
  approvals(sendId: string): Promise<readonly Approval[]>;
  /** Failed and skipped recipients by cause, most first. */
  failures(sendId: string): Promise<readonly FailureGroup[]>;
  /** The record of one send, oldest first. */
  events(sendId: string): Promise<readonly SendEvent[]>;
  /** The whole record, oldest first, up to `limit` after event `afterId` (0 to begin). */
  allEvents(afterId: number, limit: number): Promise<readonly RecordLine[]>;
  /**
   * When recipients of a send came to their outcome, in spans of `spanMs` from `from` on; without those who were left out.
   * May take long for a large send, but blocks nothing else.
   */
  outcomesOverTime(sendId: string, from: number, spanMs: number): Promise<readonly OutcomeSpan[]>;
  /** Counts the recipients that ended in each state, of the sends asked for since `since` and before `before`. */
  outcomesSince(since: number, before?: number): Promise<Readonly<Record<string, number>>>;
  /** Those of `numbers` that got, or may have got, `most` messages or more since `since`. */
  hadEnough(numbers: readonly Msisdn[], most: number, since: number): Promise<ReadonlySet<Msisdn>>;
}

/** A send and its one recipient, or undefined when there is no such send. */
export async function readReport(
  store: Pick<SendReader, 'find' | 'recipients'>,
  sendId: string,
): Promise<SendReport | undefined> {
  const send = await store.find(sendId);
  if (send === undefined) return undefined;
  const [recipient] = await store.recipients(sendId);
  return recipient === undefined ? undefined : { send, recipient };
}

/** A new send, or the one that stands in its place; of what the recipient got before it is `again`. */
export interface Stored {
  readonly send: Send;
  readonly created: boolean;
  readonly again?: Again;
}

/** By which send a person gets the same at last, when they last got it, and by which sends in all (`whichOf`). */
export type Again = Got & { readonly gotAt?: number | undefined; readonly which: string };

/** A send as a whole: whoever asks for one, and moves it on. */
export interface SendWriter {
  /**
   * Stores a send once per `requestKey`; and of those that try the same group of a send's recipients again at most one,
   * unless it came to nothing. Otherwise `created` is false, and the older send returned; undefined for a new one beyond
   * its limit. Whoever asks for the same person at the same time, at whatever replica, is counted before or after.
   * With `unlessGot` it may find what it repeats, and store nothing: of two at the same moment the second does.
   */
  create(send: NewSend): Promise<Stored | undefined>;
  /** True when the send was in `from`, and in the pause that was seen, and is now in `to`. */
  moveSend(transition: SendTransition): Promise<boolean>;
  /** Adds a note to the record of a send, once, or with a reason once for each actor and reason: true for the first caller. */
  recordOnce(
    note: Omit<SendTransition, 'from' | 'to' | 'resumeAt'> & { action: RecordedAction },
  ): Promise<boolean>;
  /** Writes what stands there already: fails, or waits, while the database takes no writes. */
  tryWrite(): Promise<void>;
}

/** Bulk sends before they start. */
export interface BulkStore {
  /** Begins a bulk send, as often as `create`. */
  begin(send: NewBulkSend): Promise<{ readonly send: Send; readonly created: boolean }>;
  /** Adds recipients, in row order, to a send in state `draft`. */
  addRecipients(sendId: string, recipients: readonly NewRecipient[]): Promise<void>;
  /** Completes a draft. False when it is no draft any more, or goes beyond its limit, which counts as for `create`. */
  seal(sealed: SealedSend): Promise<boolean>;
  /** Lets a send wait for more approvals than it has. False as for `moveSend`, or when it waits for as many already. */
  askForMore(asked: MoreApprovals): Promise<boolean>;
  /** `reason` is kept in the record: what the card warned of. */
  approve(
    approval: Approval & Pick<SendEvent, 'sendId' | 'reason'> & { digest: string },
  ): Promise<ApprovalResult>;
  /** Something that it shows has changed, but not the send itself. */
  showAgain(sendId: string): Promise<void>;
}

/** The recipients of a send that is being sent. */
export interface DispatchStore {
  /** Moves up to `limit` recipients of a send in state `sending` from `pending` to `attempting`, in row order. */
  claim(sendId: string, limit: number, attemptedAt: number): Promise<readonly RecipientRow[]>;
  /** As `claim`, for recipients that were released: those of `rows` that are `pending`. */
  claimAgain(sendId: string, rows: readonly number[], attemptedAt: number): Promise<readonly RecipientRow[]>;
  /**
   * Back from `attempting` to `pending`: there is proof that nothing of it was taken. Whoever released them claims them
   * again when their time has come, or else rewinds the send.
   */
  release(sendId: string, rows: readonly number[]): Promise<number>;
  /** From now on `claim` begins at the first recipient of a send in state `sending` that is `pending`, released ones included. */
  rewind(sendId: string): Promise<void>;
  /**
   * Writes outcomes of recipients that are `pending` or `attempting`; others are left alone. A send in state `sending` with
   * neither left becomes `done` in the same transaction.
   */
  settle(settlements: readonly Settlement[]): Promise<Settled>;
  /**
   * Leaves out, of recipients that were just claimed, those whose number would get too much: they become `skipped`.
   * Whoever asks for the same number at the same time, for whatever send, is counted before or after. Returns their rows.
   */
  skipOverCap(asked: OverCap): Promise<readonly number[]>;
  /**
   * The same for those whose message was `accepted` in a send that this one tries again, or in one before, or who may have
   * got it by another that tries it again: of several that claim a person at the same moment the last one goes on.
   */
  skipTaken(asked: LeaveOut & { readonly state: 'skipped' | 'rejected' }): Promise<readonly number[]>;
  /** Notes that the canaries of a send were judged, whatever the verdict. */
  markCanaryJudged(sendId: string): Promise<void>;
}

/** Which process owns which sends, and what the dead have left. */
export interface OwnershipStore {
  /**
   * Recipients left `attempting` by processes that died, or that stood still for so long that they count as dead,
   * become `unknown`; returns the ids of their sends. Those that they had released come up for `claim` again, in every
   * send in state `sending`. What this process has in flight is left alone.
   *
   * @param at milliseconds since the epoch, now; what is written says when it was found, later if this process stood still
   */
  recoverInterrupted(failure: Failure, at: number): Promise<readonly string[]>;
  /**
   * In an older copy of the database, restored after a newer one was used, nothing that looks unsent can be trusted to
   * be: each send that has not ended is `stopped` (one without an audience `done`), and its recipients that are
   * `pending` or `attempting` become `unknown`. Returns the ids of these sends, oldest first; undefined when this is
   * no such copy, or when that was done before. To be asked before anything else is done with the store.
   */
  stopRestored(failure: Failure, at: number): Promise<readonly string[] | undefined>;
  /** Sends in these states whose owner has died, oldest first; from now on this process owns them. */
  adopt(states: readonly SendState[], limit: number): Promise<readonly Send[]>;
  /** True when this process owns the send: it made or adopted it, or adopts it now from one that died. */
  owns(sendId: string): Promise<boolean>;
}

/**
 * Durable memory. Every method is one transaction that is on disk when it resolves; every change of state is
 * a compare-and-set and says whether this caller won. A rejected promise means that nothing was written.
 */
export interface SendStore extends SendReader, SendWriter, BulkStore, DispatchStore, OwnershipStore {
  close(): Promise<void>;
}
