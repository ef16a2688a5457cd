import { csvLine } from '../../../sends/audiences/csv-cell.ts';
import { MAY_HAVE_BEEN_SENT } from '../../../sends/outcome.ts';
import type { SendReader } from '../../../sends/ports.ts';
import type { Delivery } from '../../../sends/replies/ports.ts';
import type { RecipientRow, RecipientState, Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { button } from '../../kit/blocks/button.ts';
import { mention, section } from '../../kit/blocks/mrkdwn.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import type { FileToSend } from '../../kit/files/files.ts';

/** Sends the report to whoever clicks and may have it. */
export const REPORT_ACTION = 'sends_report';

/** Recipients read from the store at a time. */
const PAGE = 5_000;

const HEADER = [
  ...['number', 'row', 'state', 'code', 'meaning', 'message id', 'time'],
  ...['delivery', 'delivery code', 'delivery time', 'explanation', 'delivery explanation'],
];

const MEANINGS: Readonly<Record<RecipientState, string>> = {
  ...MAY_HAVE_BEEN_SENT,
  pending: 'It was not tried. Nothing was sent.',
  attempting: 'It is on its way.',
  skipped: 'Left out. Nothing was sent.',
};

/**
 * What the thread says of the report, which itself stands in no channel: that who asked has it, and a button for them and
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
      { type: 'actions', elements: [button(REPORT_ACTION, 'Send me the report', id)] },
    ],
  };
}

/**
 * What became of every recipient, as CSV, in row order and with whole numbers; the time is ISO 8601 in UTC. Read from
 * the store as it is written, so that its size does not matter. The same at each reading once the send has ended, but
 * for the columns of its delivery: they hold what the service has reported by then, and nothing where it reports nothing.
 * An explanation is the service's own words.
 */
export function reportFile(
  sendId: string,
  store: Pick<SendReader, 'recipients'>,
  answers: Pick<Answers, 'deliveries'>,
): FileToSend {
  return { name: `${sendId}.csv`, content: () => reportLines(sendId, store, answers) };
}

async function* reportLines(
  sendId: string,
  store: Pick<SendReader, 'recipients'>,
  answers: Pick<Answers, 'deliveries'>,
): AsyncIterable<string> {
  yield csvLine(HEADER);
  for (let afterRow = -1; ; ) {
    const rows = await store.recipients(sendId, afterRow, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    const reported = await answers.deliveries(sendId, rows[0]?.row ?? 0, last.row);
    const byRow = new Map(reported.map((delivery) => [delivery.row, delivery]));
    yield rows.map((recipient) => line(recipient, byRow.get(recipient.row))).join('');
    if (rows.length < PAGE) return;
    afterRow = last.row;
  }
}

function line(
  { number, row, state, failure, messageId, settledAt, attemptedAt }: RecipientRow,
  delivery: Delivery | undefined,
): string {
  const at = settledAt ?? attemptedAt;
  const meaning = failure === undefined ? MEANINGS[state] : `${failure.what} ${MEANINGS[state]}`;
  return csvLine([
    number,
    row,
    state,
    failure?.code,
    meaning,
    messageId,
    isoTime(at),
    delivery?.status,
    delivery?.failure?.code,
    isoTime(delivery?.at),
    failure?.explanation,
    delivery?.failure?.explanation,
  ]);
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
