import type { Failure } from '../sends/outcome.ts';
import type { NewDelivery } from '../sends/replies/ports.ts';
import { NOTE_IDS } from './message-ids.ts';
import { wantPostsOf } from './post-store.ts';
import { failureFrom, MESSAGE_ID, withoutShape } from './rows.ts';
import { HERALD, record } from './send-statements.ts';
import { type Runner, sql } from './sql.ts';

/** Finds those of these for whom the best report on them says otherwise; see `RECIPIENT_CHANGES`. */
const FIND = `SELECT recipients.row, state AS was, recipients.failure AS cause, recipients.explanation AS words,
    CASE WHEN deliveries.status = 'failed' THEN 'rejected' ELSE 'accepted' END AS state,
    deliveries.failure, deliveries.explanation
  FROM recipients JOIN deliveries ON deliveries.send_id = recipients.send_id AND deliveries.row = recipients.row
  WHERE recipients.send_id = :sendId AND recipients.row IN (:rows...)
    AND (state = 'unknown' OR (state = 'rejected' AND deliveries.status IN ('delivered', 'read')))
  ORDER BY recipients.row FOR UPDATE`;
const SETTLE = `UPDATE recipients SET state = :state, failure = :failure, explanation = :explanation,
    message_id = CASE WHEN ${MESSAGE_ID} IS NULL THEN :messageId ELSE message_id END WHERE send_id = :sendId AND row = :row AND state = :was`;
const COUNT = `UPDATE sends SET unknown = unknown - :unknown, accepted = accepted + :accepted,
    rejected = rejected + :rejected WHERE id = :sendId`;
// A cause may have been counted with the service's words on it, or without: see `CauseOf`.
const UNCOUNT_CAUSE = `UPDATE send_failures SET count = count - 1 WHERE send_id = :sendId AND state = :was AND failure =
  (SELECT failure FROM send_failures WHERE send_id = :sendId AND state = :was AND failure IN (:causes...) AND count > 0
   ORDER BY length(failure) DESC LIMIT 1)`;
const CAUSE = { sqlite: '', postgres: '(send_id, state, md5(failure))' };
const COUNT_CAUSE = sql`INSERT INTO send_failures (send_id, state, failure, count) VALUES (:sendId, :state, :failure, 1)
  ON CONFLICT ${CAUSE} DO UPDATE SET count = send_failures.count + 1`;

interface Doubt {
  readonly was: 'unknown' | 'rejected';
  readonly cause: string | null;
  readonly words: string | null;
  readonly row: number;
  readonly state: 'accepted' | 'rejected';
  readonly failure: string | null;
}

/** Settles recipients of one send of whom nobody knew whether they were sent to, by what was reported of them just now. */
export async function settleDoubts(
  runner: Runner,
  sendId: string,
  reports: readonly NewDelivery[],
): Promise<void> {
  const doubts = await runner.run<Doubt>(FIND, { sendId, rows: reports.map(({ row }) => row) });
  if (doubts.length === 0) return;
  const ids = new Map(reports.map(({ row, messageId }) => [row, messageId]));
  for (const doubt of doubts) {
    const { row, failure } = doubt;
    await runner.change(SETTLE, { ...doubt, sendId, messageId: ids.get(Number(row)) });
    await runner.change(NOTE_IDS, { sendId, first: row, last: row });
    await runner.change(UNCOUNT_CAUSE, { ...doubt, sendId, causes: causesOf(doubt) });
    if (failure !== null) await runner.change(COUNT_CAUSE, { sendId, state: doubt.state, failure });
  }
  const count = (state: string) => doubts.filter((one) => one.state === state).length;
  const before = (state: string) => doubts.filter((one) => one.was === state).length;
  const [accepted, rejected] = [count('accepted'), count('rejected')];
  const moved = { accepted, rejected: rejected - before('rejected'), unknown: before('unknown') };
  await runner.change(COUNT, { sendId, ...moved });
  const reason: Failure = {
    what: `The service’s delivery reports say what became of ${doubts.length}: ${accepted} accepted, ${rejected} rejected.`,
    next: 'Nothing is to be done.',
    scope: 'recipient',
  };
  const line = { sendId, at: reports.at(-1)?.at ?? 0, actor: HERALD, action: 'doubts_settled' };
  await record(runner, { ...line, reason: JSON.stringify(reason) });
  await wantPostsOf(runner, sendId);
}

function causesOf({ cause, words }: Doubt): readonly string[] {
  const bare = cause && withoutShape(cause);
  return bare === null ? [] : [bare, JSON.stringify(failureFrom(bare, words))];
}
