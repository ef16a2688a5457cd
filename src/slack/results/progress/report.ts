import { pages } from '../../../core/pages.ts';
import { campaignOf, KINDS, kindOf } from '../../../messages/kinds.ts';
import { spacedNumber } from '../../../messages/numbers/phone-number.ts';
import { csvLine } from '../../../sends/audiences/csv-lines.ts';
import { isReportColumn, REPORT_COLUMNS } from '../../../sends/audiences/report-columns.ts';
import { MAY_HAVE_BEEN_SENT } from '../../../sends/outcome.ts';
import type { SendReader } from '../../../sends/ports.ts';
import type { Delivery } from '../../../sends/replies/ports.ts';
import type { RecipientRow, RecipientState, Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { actions, button, mention, section } from '../../kit/blocks/blocks.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { whatSend } from '../../kit/cards/words.ts';
import type { FileToSend } from '../../kit/files/files.ts';

export const REPORT_ACTION = 'sends_report';

const PAGE = 5_000;
/** Characters of a file's name besides day and reference. */
const LONGEST_TITLE = 60;

/** After the number and the list's own columns. */
const { number: NUMBER, ...ADDED } = REPORT_COLUMNS;

const MEANINGS: Readonly<Record<RecipientState, string>> = {
  ...MAY_HAVE_BEEN_SENT,
  pending: 'It was not tried. Nothing was sent.',
  attempting: 'It is on its way.',
  skipped: 'Left out. Nothing was sent.',
};

/**
 * Says in the thread who has the report, which itself stands in no channel, with a button for them and
 * the approvers.
 *
 * @param given whether it was sent to who asked; a sentence when it could not be
 */
export function reportCard({ id, origin }: Send, given: true | string): Card {
  const who = mention(origin.userId);
  const sentence =
    given === true
      ? `The report, with every number in full, was sent to ${who} directly. Approvers get it by this button.`
      : `The report could not be sent to ${who} directly. ${escapeMrkdwn(given)} This button sends it to who asked and to approvers.`;
  return {
    text: sentence,
    blocks: [
      { ...section(sentence), block_id: `report:${id}` },
      ...actions([button(REPORT_ACTION, 'Send me the report', id)]),
    ],
  };
}

interface ReportSources {
  readonly store: Pick<SendReader, 'recipients'>;
  readonly answers: Pick<Answers, 'deliveries'>;
}

/** Above the file; mrkdwn. */
export function reportTitle(send: Send): string {
  return `Report of ${whatSend(send)}:`;
}

/**
 * Says what became of every recipient, as CSV, in row order, with whole numbers and the list's own columns, so that it can be
 * corrected and uploaded as a list again; times are ISO 8601 in UTC. Read from the store as it is written. An
 * explanation is the service's own words.
 */
export function reportFile(send: Send, sources: ReportSources): FileToSend {
  return { name: reportName(send), content: reportLines(send, sources) };
}

/** `Diwali-2026-11-08-S-7K2M9QX4TB.csv`: the campaign, or else the template or the kind; the day in UTC. */
function reportName({ id, kind, message, template, activeAt, createdAt }: Send): string {
  const titles = [
    campaignOf(message),
    template?.label,
    kindOf(message).templateName(message),
    KINDS[kind].title,
  ];
  const title = titles.map((one = '') => wordsOf(one)).find((one) => one !== '');
  const day = new Date(activeAt ?? createdAt).toISOString().slice(0, 10);
  return `${title}-${day}-${id}.csv`;
}

/** Letters and digits of any script, with dashes between the words. */
function wordsOf(title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  return [...words].slice(0, LONGEST_TITLE).join('').trim().replaceAll(' ', '-');
}

async function* reportLines(
  { id, audience }: Send,
  { store, answers }: ReportSources,
): AsyncIterable<string> {
  const columns = audience?.columns ?? [];
  // A list of a version that did not know reports may have such a column.
  const own = [...columns.keys()].filter((index) => !isReportColumn(columns[index] ?? ''));
  const pick = (cells: readonly string[] = []) => own.map((index) => cells[index]);
  // Without the mark Excel takes the letters of many scripts for others.
  yield `\uFEFF${csvLine([NUMBER, ...pick(columns), ...Object.values(ADDED)])}`;
  const read = (last?: RecipientRow) => store.recipients(id, last?.row ?? -1, PAGE);
  for await (const rows of pages(read)) {
    const reported = await answers.deliveries(id, rows[0]?.row ?? 0, rows.at(-1)?.row ?? 0);
    const byRow = new Map(reported.map((delivery) => [delivery.row, delivery]));
    yield rows
      .map((recipient) => {
        const added = addedTo(recipient, byRow.get(recipient.row));
        const names = Object.keys(ADDED) as (keyof typeof ADDED)[];
        return csvLine([
          spacedNumber(recipient.number),
          ...pick(recipient.values),
          ...names.map((name) => added[name]),
        ]);
      })
      .join('');
  }
}

function addedTo(
  { row, state, failure, messageId, settledAt, attemptedAt }: RecipientRow,
  delivery: Delivery | undefined,
): Readonly<Record<keyof typeof ADDED, string | number | undefined>> {
  const undelivered = delivery?.failure;
  return {
    row,
    state,
    code: failure?.code,
    cause: [failure?.what, MEANINGS[state], undelivered?.what].filter(Boolean).join(' '),
    next: (failure ?? undelivered)?.next,
    messageId,
    time: isoTime(settledAt ?? attemptedAt),
    delivery: delivery?.status,
    deliveryCode: undelivered?.code,
    deliveryTime: isoTime(delivery?.at),
    explanation: failure?.explanation,
    deliveryExplanation: undelivered?.explanation,
  };
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
