import { csvLine } from '../../sends/audiences/csv-cell.ts';
import { MAY_HAVE_BEEN_SENT } from '../../sends/outcome.ts';
import type { SendStore } from '../../sends/ports.ts';
import type { RecipientRow, RecipientState } from '../../sends/send.ts';
import type { FileToSend } from '../files/files.ts';

/** Recipients read from the store at a time. */
const PAGE = 5_000;

const HEADER = ['number', 'row', 'state', 'code', 'meaning', 'message id', 'time'];

const MEANINGS: Readonly<Record<RecipientState, string>> = {
  ...MAY_HAVE_BEEN_SENT,
  pending: 'It was not tried. Nothing was sent.',
  attempting: 'It is on its way.',
  skipped: 'Left out. Nothing was sent.',
};

/**
 * What became of every recipient, as CSV, in row order and with whole numbers; the time is ISO 8601 in UTC. Read from
 * the store as it is written, so that its size does not matter. The same at each reading once the send has ended.
 */
export function reportFile(sendId: string, store: Pick<SendStore, 'recipients'>): FileToSend {
  return { name: `${sendId}.csv`, content: () => reportLines(sendId, store) };
}

async function* reportLines(sendId: string, store: Pick<SendStore, 'recipients'>): AsyncIterable<string> {
  yield csvLine(HEADER);
  for (let afterRow = -1; ; ) {
    const rows = await store.recipients(sendId, afterRow, PAGE);
    if (rows.length > 0) yield rows.map(line).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    afterRow = last.row;
  }
}

function line({ number, row, state, failure, messageId, settledAt, attemptedAt }: RecipientRow): string {
  const at = settledAt ?? attemptedAt;
  const meaning = failure === undefined ? MEANINGS[state] : `${failure.what} ${MEANINGS[state]}`;
  return csvLine([
    number,
    row,
    state,
    failure?.code,
    meaning,
    messageId,
    at === undefined ? undefined : new Date(at).toISOString(),
  ]);
}
