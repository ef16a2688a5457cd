import type { Message, MessageKind } from '../messages/kinds.ts';
import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Template } from '../messages/templates/template.ts';
import type { Failure, Settlement } from '../sends/outcome.ts';
import type { FailureGroup } from '../sends/ports.ts';
import type { RecordLine, SendEvent } from '../sends/record.ts';
import type {
  AlertOrigin,
  Announcement,
  Origin,
  RecipientRow,
  RecipientState,
  RetryGroup,
  Send,
  SendAudience,
  SendState,
  Survey,
  ThreadState,
} from '../sends/send.ts';
import { ofPost } from './post-store.ts';
import { columnsOf, type NamesIn } from './sql.ts';

/*
 * From columns to values, the same ones in every database. Only Herald writes them, and the database itself keeps
 * their types, so what is read is trusted to be what was written. Claims read hundreds of rows at once.
 */
const SEND_TEXTS = 'id kind message team_id user_id channel_id state request_key';
const SEND_NUMBERS =
  'recipient_count created_at next_row pending attempting accepted rejected not_sent unknown skipped canary_judged';
const MAYBE_TEXTS = 'thread_ts audience digest reason retry_of retry_group alert template survey';
const MAYBE_NUMBERS =
  'approvals_needed expires_at start_at approval_over resume_at active_at removed_at numbers_removed_to';
/** Where its messages stand, and what was given. */
const POSTED = {
  result_channel: ofPost('send', 'at_channel'),
  result_ts: ofPost('send', 'ts'),
  card_channel: ofPost('card', 'at_channel'),
  card_ts: ofPost('card', 'ts'),
  progress_channel: ofPost('progress', 'at_channel'),
  progress_ts: ofPost('progress', 'ts'),
  report_channel: ofPost('report', 'at_channel'),
  report_ts: ofPost('report', 'ts'),
  file_given: ofPost('file', 'digest'),
  picture: ofPost('picture', 'digest'),
};
const POSTED_COLUMNS = Object.entries(POSTED).map(([name, value]) => `${value} AS ${name}`);
export const SEND_COLUMNS = [
  columnsOf('sends', SEND_TEXTS, SEND_NUMBERS, MAYBE_TEXTS, MAYBE_NUMBERS),
  ...POSTED_COLUMNS,
].join(', ');
type SendColumns = Record<keyof typeof POSTED, string | null> &
  Record<NamesIn<typeof SEND_TEXTS>, string> &
  Record<NamesIn<typeof SEND_NUMBERS>, number> &
  Record<NamesIn<typeof MAYBE_TEXTS>, string | null> &
  Record<NamesIn<typeof MAYBE_NUMBERS>, number | null>;

/** A column with what a store keeps as JSON, where there is anything. */
export function jsonColumn(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** A failure in two columns: what is alike for all who failed alike, and the service's own words, which may differ. */
export function failureColumns(failure: Failure | undefined) {
  if (failure === undefined) return { failure: null, explanation: null };
  const { explanation = null, ...cause } = failure;
  return { failure: JSON.stringify(cause), explanation };
}

export function failureFrom(cause: string, explanation: string | null): Failure {
  const failure = JSON.parse(cause) as Failure;
  return explanation === null ? failure : { ...failure, explanation };
}

export function sendFrom(columns: unknown): Send {
  const row = columns as SendColumns;
  const announcement =
    placeFrom(row.result_channel, row.result_ts) ?? placeFrom(row.progress_channel, row.progress_ts);
  const { pending, attempting, accepted, rejected, not_sent, unknown, skipped } = row;
  return {
    id: row.id,
    kind: row.kind as MessageKind,
    message: JSON.parse(row.message) as Message,
    origin: originFrom(row),
    state: row.state as SendState,
    recipientCount: row.recipient_count,
    createdAt: row.created_at,
    counts: { pending, attempting, accepted, rejected, not_sent, unknown, skipped },
    ...(announcement && { announcement }),
    ...(row.audience !== null && { audience: JSON.parse(row.audience) as SendAudience }),
    ...(row.digest !== null && { digest: row.digest }),
    ...approvalFrom(row),
    ...(row.approval_over !== null && { approvalOver: row.approval_over }),
    ...(row.start_at !== null && { startAt: row.start_at }),
    ...(row.reason !== null && { reason: JSON.parse(row.reason) as Failure }),
    ...(row.retry_of !== null && { retryOf: row.retry_of }),
    ...(row.retry_group !== null && { retryGroup: row.retry_group as RetryGroup }),
    ...(row.resume_at !== null && { resumeAt: row.resume_at }),
    ...threadFrom(row),
    ...(row.canary_judged === 1 && { canaryJudged: true }),
    ...(row.template !== null && { template: JSON.parse(row.template) as Template }),
    ...(row.survey !== null && { survey: JSON.parse(row.survey) as Survey }),
    ...(row.active_at !== null && { activeAt: row.active_at }),
    ...(row.removed_at !== null && { removedAt: row.removed_at }),
  };
}

function originFrom({ team_id, user_id, channel_id, thread_ts, alert }: SendColumns): Origin {
  const place = { channelId: channel_id, ...(thread_ts !== null && { threadTs: thread_ts }) };
  const asked = { teamId: team_id, userId: user_id, ...place };
  return alert === null ? asked : { ...asked, alert: JSON.parse(alert) as AlertOrigin };
}

function threadFrom(row: SendColumns): Pick<Send, 'thread'> {
  const report = placeFrom(row.report_channel, row.report_ts);
  const thread: ThreadState = {
    ...(row.file_given !== null && { file: row.file_given }),
    ...(report && { report }),
    ...pictureFrom(row.picture),
  };
  return Object.keys(thread).length === 0 ? {} : { thread };
}

/** `F0123 42`; anything else says that there is none. */
function pictureFrom(note: string | null): Pick<ThreadState, 'picture'> {
  const [, file, most] = /^(\S+) (\d+)$/.exec(note ?? '') ?? [];
  return file === undefined ? {} : { picture: { file, most: Number(most) } };
}

function placeFrom(channelId: string | null, ts: string | null): Announcement | undefined {
  return channelId === null || ts === null ? undefined : { channelId, ts };
}

function approvalFrom(row: SendColumns): Pick<Send, 'approval'> {
  if (row.approvals_needed === null || row.expires_at === null) return {};
  const card = placeFrom(row.card_channel, row.card_ts);
  return { approval: { needed: row.approvals_needed, expiresAt: row.expires_at, ...(card && { card }) } };
}

const RECIPIENT_TEXTS = 'send_id number state';
const RECIPIENT_MAYBE_TEXTS = 'cells message_id failure explanation';
const RECIPIENT_MAYBE_NUMBERS = 'status attempted_at settled_at';
export const RECIPIENT_COLUMNS = columnsOf(
  'recipients',
  `row ${RECIPIENT_TEXTS}`,
  RECIPIENT_MAYBE_TEXTS,
  RECIPIENT_MAYBE_NUMBERS,
);
type RecipientColumns = Record<'row', number> &
  Record<NamesIn<typeof RECIPIENT_TEXTS>, string> &
  Record<NamesIn<typeof RECIPIENT_MAYBE_TEXTS>, string | null> &
  Record<NamesIn<typeof RECIPIENT_MAYBE_NUMBERS>, number | null>;

export function recipientFrom(columns: unknown): RecipientRow {
  const row = columns as RecipientColumns;
  return {
    sendId: row.send_id,
    row: row.row,
    number: row.number as Msisdn,
    state: row.state as RecipientState,
    ...(row.cells !== null && { values: JSON.parse(row.cells) as string[] }),
    ...(row.message_id !== null && { messageId: row.message_id }),
    ...(row.status !== null && { status: row.status }),
    ...(row.failure !== null && { failure: failureFrom(row.failure, row.explanation) }),
    ...(row.attempted_at !== null && { attemptedAt: row.attempted_at }),
    ...(row.settled_at !== null && { settledAt: row.settled_at }),
  };
}

/** A recipient that this transaction claims: all that can be known of one is its row, its number and its cells. */
export function claimedFrom(sendId: string, attemptedAt: number, columns: unknown): RecipientRow {
  const [row, number, cells] = columns as readonly [number, Msisdn, string | null];
  const claimed = { sendId, row, number, state: 'attempting' as const, attemptedAt };
  return cells === null ? claimed : { ...claimed, values: JSON.parse(cells) as string[] };
}

/** What the outcome of a recipient is kept as. */
export function outcomeColumns(outcome: Settlement['outcome']) {
  const messageId = ('messageId' in outcome && outcome.messageId) || null;
  return outcome.state === 'accepted'
    ? { messageId, status: outcome.status ?? null, ...failureColumns(undefined) }
    : { messageId, status: outcome.failure.status ?? null, ...failureColumns(outcome.failure) };
}

export function failureGroupFrom(columns: unknown): FailureGroup {
  const { state, failure, count } = columns as { state: RecipientState; failure: string; count: number };
  return { state, failure: JSON.parse(failure) as Failure, count: Number(count) };
}

export function eventFrom(row: Record<string, unknown>): SendEvent {
  return {
    sendId: String(row.send_id),
    at: Number(row.at),
    actor: String(row.actor),
    action: String(row.action),
    ...(typeof row.reason === 'string' && { reason: JSON.parse(row.reason) as Failure }),
  };
}

/** Columns that both databases give for a line of the record: what is null has no place on that line. */
export function recordLineFrom(row: Record<string, unknown>): RecordLine {
  const { message, template, retry_of, digest, survey } = row as Record<string, string | null>;
  return {
    id: Number(row.id),
    ...eventFrom(row),
    ...(typeof message === 'string' && {
      asked: {
        message: JSON.parse(message) as Message,
        ...(typeof template === 'string' && { template: JSON.parse(template) as Template }),
        ...(typeof retry_of === 'string' && { retryOf: retry_of }),
      },
    }),
    ...(typeof digest === 'string' && { digest }),
    ...(typeof survey === 'string' && { recipients: (JSON.parse(survey) as Survey).recipients }),
  };
}

export const EVENT_COLUMNS = columnsOf('send_events', 'id send_id at actor action reason');
/** A line of the record with what its send is: `requested` with what was asked for, the others with what was sealed. */
export const RECORD_COLUMNS = `${EVENT_COLUMNS},
  CASE WHEN action = 'requested' THEN message END AS message,
  CASE WHEN action = 'requested' THEN template END AS template,
  CASE WHEN action = 'requested' THEN retry_of END AS retry_of,
  CASE WHEN action <> 'requested' THEN digest END AS digest,
  CASE WHEN action <> 'requested' THEN survey END AS survey
  FROM send_events JOIN sends ON sends.id = send_id`;

/** Words of the service on one cause in one send that are counted by themselves; whatever else it says counts without. */
const MOST_SAID = 10;
/** Causes whose words are remembered; forgotten ones may be counted with other words again. */
const REMEMBERED = 1_000;

/** What a failure is counted by: its cause with what the service says of it, as JSON; null for none. */
export type CauseOf = (
  sendId: string,
  columns: { readonly failure: string | null; readonly explanation: string | null },
) => string | null;

/** Words that are others for each recipient must not make a count for each. */
export function createCauseOf(): CauseOf {
  const said = new Map<string, Set<string>>();
  return (sendId, { failure, explanation }) => {
    if (failure === null || explanation === null) return failure;
    const key = sendId + failure;
    const known = said.get(key) ?? new Set();
    if (known.size < MOST_SAID) known.add(explanation);
    said.set(key, known);
    for (const [oldest] of said) {
      if (said.size <= REMEMBERED) break;
      said.delete(oldest);
    }
    return known.has(explanation) ? JSON.stringify({ ...JSON.parse(failure), explanation }) : failure;
  };
}
