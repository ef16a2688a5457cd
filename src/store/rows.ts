import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { Failure, Settlement } from '../sends/outcome.ts';
import {
  type Announcement,
  type CourseBar,
  NOBODY,
  type RecipientCounts,
  type RecipientRow,
  type RecipientState,
  type RecordLine,
  type Send,
  type Survey,
  type ThreadState,
} from '../sends/send.ts';
import { ofPost } from './post-store.ts';
import { columnsOf, type Row, valueFrom } from './sql.ts';

/* From columns to values, the same ones in every database. Claims read hundreds of rows at once. */

const ORIGIN = ['team_id', 'user_id', 'channel_id', 'thread_ts', 'alert'];
/** Fields of a send as they stand. */
const FIELDS =
  `id kind state message template recipient_count created_at audience digest survey approval_over note
  replaces start_at reason resume_at active_at removed_at retry_of retry_group`.split(/\s+/);
export const JSON_FIELDS = ['message', 'template', 'audience', 'survey', 'note', 'reason'];
export const COUNTS = Object.keys(NOBODY) as readonly RecipientState[];
const OTHERS = ['next_row', 'canary_judged', 'approvals_needed', 'expires_at', 'numbers_removed_to'];
/** The posts whose place a send is read with, and those of which it is read what was given. */
const PLACED = ['send', 'card', 'progress', 'report'] as const;
const GIVEN = ['file', 'course'] as const;
const POSTED_COLUMNS = [
  ...PLACED.flatMap((kind) => [
    `${ofPost(kind, 'at_channel')} AS ${kind}_channel`,
    `${ofPost(kind, 'ts')} AS ${kind}_ts`,
  ]),
  ...GIVEN.map((kind) => `${ofPost(kind, 'digest')} AS ${kind}_given`),
];
export const SEND_COLUMNS = [
  columnsOf('sends', ...ORIGIN, ...FIELDS, ...COUNTS, ...OTHERS),
  ...POSTED_COLUMNS,
].join(', ');
type SendColumns = Record<
  `${(typeof PLACED)[number]}_${'channel' | 'ts'}` | `${(typeof GIVEN)[number]}_given`,
  string | null
> &
  RecipientCounts &
  Record<'canary_judged', number> &
  Record<'approvals_needed' | 'expires_at', number | null>;

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

/** A row's value, where a failure stands in two columns. */
export function withFailure<Value extends { readonly failure?: Failure }>(
  row: Row,
  json: readonly string[] = [],
): Value {
  const { explanation, ...value } = valueFrom<Value & { readonly explanation?: string }>(row, [
    ...json,
    'failure',
  ]);
  const failure = value.failure && explanation !== undefined && { ...value.failure, explanation };
  return { ...value, ...(failure && { failure }) } as unknown as Value;
}

export function sendFrom(columns: Row): Send {
  const row = columns as unknown as SendColumns;
  const announcement =
    placeFrom(row.send_channel, row.send_ts) ?? placeFrom(row.progress_channel, row.progress_ts);
  return {
    ...valueFrom<Omit<Send, 'origin' | 'counts'>>(columns, JSON_FIELDS, FIELDS),
    origin: valueFrom(columns, ['alert'], ORIGIN),
    counts: Object.fromEntries(COUNTS.map((state) => [state, row[state]])) as RecipientCounts,
    ...(announcement && { announcement }),
    ...approvalFrom(row),
    ...threadFrom(row),
    ...(row.canary_judged === 1 && { canaryJudged: true }),
  };
}

function threadFrom(row: SendColumns): Pick<Send, 'thread'> {
  const report = placeFrom(row.report_channel, row.report_ts);
  const thread: ThreadState = {
    ...(row.file_given !== null && { file: row.file_given }),
    ...(report && { report }),
    // Another note says that there is none.
    ...(row.course_given?.startsWith('[') && { course: JSON.parse(row.course_given) as CourseBar[] }),
  };
  return Object.keys(thread).length === 0 ? {} : { thread };
}

function placeFrom(channelId: string | null, ts: string | null): Announcement | undefined {
  return channelId === null || ts === null ? undefined : { channelId, ts };
}

function approvalFrom(row: SendColumns): Pick<Send, 'approval'> {
  if (row.approvals_needed === null || row.expires_at === null) return {};
  const card = placeFrom(row.card_channel, row.card_ts);
  return { approval: { needed: row.approvals_needed, expiresAt: row.expires_at, ...(card && { card }) } };
}

/** The service's id of a recipient's message, its own or that of the request it shared. */
export const MESSAGE_ID = `coalesce(recipients.message_id,
  (SELECT CASE WHEN last_row >= recipients.row THEN requests.message_id END FROM requests
   WHERE requests.send_id = recipients.send_id AND first_row <= recipients.row ORDER BY first_row DESC LIMIT 1))`;
export const RECIPIENT_COLUMNS = `${columnsOf('recipients', ...'row send_id number state failure explanation status attempted_at settled_at'.split(' '))},
  recipients.cells AS "values", ${MESSAGE_ID} AS message_id`;

export function recipientFrom(row: Row): RecipientRow {
  return withFailure(row, ['values']);
}

/** A recipient that this transaction claims: all that can be known of one is its row, its number and its values. */
export function claimedFrom(sendId: string, attemptedAt: number, columns: readonly unknown[]): RecipientRow {
  const [row, number, values] = columns as readonly [number, Msisdn, readonly string[] | null];
  const claimed = { sendId, row, number, state: 'attempting' as const, attemptedAt };
  return values === null ? claimed : { ...claimed, values };
}

/** The same of many: rows, numbers and values as three lists of one JSON text, which crosses threads in a third of the time. */
export function allClaimedFrom(sendId: string, attemptedAt: number, lists: string): readonly RecipientRow[] {
  const [rows = [], numbers = [], values = []] = JSON.parse(lists) as readonly (readonly unknown[])[];
  if (numbers.length !== rows.length || values.length !== rows.length)
    throw new Error(`Of ${rows.length} recipients of ${sendId} not each has one number and its values.`);
  return rows.map((row, at) => claimedFrom(sendId, attemptedAt, [row, numbers[at], values[at]]));
}

/** What the outcome of a recipient is kept as. */
export function outcomeColumns(outcome: Settlement['outcome']) {
  const messageId = ('messageId' in outcome && outcome.messageId) || null;
  return outcome.state === 'accepted'
    ? { messageId, status: outcome.status ?? null, ...failureColumns(undefined) }
    : { messageId, status: outcome.failure.status ?? null, ...failureColumns(outcome.failure) };
}

type Line = Omit<RecordLine, 'asked' | 'recipients'> &
  Partial<NonNullable<RecordLine['asked']>> & { readonly survey?: Survey };

/** Columns that both databases give for a line of the record: what is null has no place on that line. */
export function recordLineFrom(row: Row): RecordLine {
  const json = ['reason', 'message', 'template', 'survey'];
  const { message, template, retryOf, survey, ...line } = valueFrom<Line>(row, json);
  const how = { ...(template && { template }), ...(retryOf !== undefined && { retryOf }) };
  return {
    ...line,
    ...(message && { asked: { message, ...how } }),
    ...(survey && { recipients: survey.recipients }),
  };
}

export const EVENT_COLUMNS = columnsOf('send_events', 'send_id', 'at', 'actor', 'action', 'reason');
/** A line of the record with what its send is: `requested` with what was asked for, the others with what was sealed. */
export const RECORD_COLUMNS = `send_events.id, ${EVENT_COLUMNS},
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

export function withoutShape(failure: string): string {
  return failure.includes('"shape":')
    ? JSON.stringify({ ...JSON.parse(failure), shape: undefined })
    : failure;
}

/** Words and shapes that are others for each recipient must not make a count for each. */
export function createCauseOf(): CauseOf {
  const said = new Map<string, Set<string>>();
  return (sendId, { failure: whole, explanation }) => {
    const failure = whole && withoutShape(whole);
    if (failure === null || explanation === null) return failure;
    const key = sendId + failure;
    const known = said.getOrInsertComputed(key, () => new Set());
    if (known.size < MOST_SAID) known.add(explanation);
    for (const [oldest] of said) {
      if (said.size <= REMEMBERED) break;
      said.delete(oldest);
    }
    return known.has(explanation) ? JSON.stringify({ ...JSON.parse(failure), explanation }) : failure;
  };
}
