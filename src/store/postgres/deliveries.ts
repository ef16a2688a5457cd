import { DELIVERY_STATUSES, rankOf } from '../../sends/replies/event.ts';
import type { NewDelivery } from '../../sends/replies/ports.ts';
import { failureColumns } from '../rows.ts';
import type { Runner } from '../sql.ts';

/** What was reported of one recipient only ever gets better by the order of `statuses`; counters move along. */
const ADD = `WITH given AS (SELECT * FROM
    unnest(:sendIds::text[], :rows::int[], :reported::text[], :times::bigint[], :failures::text[], :explanations::text[])
    AS given (send_id, row, status, at, failure, explanation)),
  better AS (SELECT given.*, before.status AS was, before.failure AS was_failure
    FROM given LEFT JOIN deliveries before ON before.send_id = given.send_id AND before.row = given.row
    WHERE before.status IS NULL
      OR array_position(:statuses::text[], before.status) < array_position(:statuses::text[], given.status)),
  put AS (INSERT INTO deliveries (send_id, row, status, at, failure, explanation)
    SELECT send_id, row, status, at, failure, explanation FROM better
    ON CONFLICT (send_id, row) DO UPDATE SET status = excluded.status, at = excluded.at, failure = excluded.failure,
      explanation = excluded.explanation),
  counted AS (INSERT INTO delivery_counts (send_id, status, failure, count, example)
    SELECT send_id, status, failure, sum(count), min(example) FROM (
      SELECT send_id, status, coalesce(failure, '') AS failure, 1 AS count, explanation AS example FROM better
      UNION ALL SELECT send_id, was, coalesce(was_failure, ''), -1, NULL FROM better WHERE was IS NOT NULL) AS changes
    GROUP BY 1, 2, 3
    ON CONFLICT (send_id, status, md5(failure)) DO UPDATE SET count = delivery_counts.count + excluded.count,
      example = coalesce(delivery_counts.example, excluded.example))
  SELECT DISTINCT send_id FROM better`;

/** In one statement, because each reports of many recipients. */
export async function addDeliveries(
  runner: Runner,
  given: readonly NewDelivery[],
): Promise<readonly string[]> {
  const best = bestOfEach(given);
  if (best.length === 0) return [];
  const failures = best.map(({ failure }) => failureColumns(failure));
  const changed = await runner.run<{ send_id: string }>(ADD, {
    sendIds: best.map(({ sendId }) => sendId),
    rows: best.map(({ row }) => row),
    reported: best.map(({ status }) => status),
    times: best.map(({ at }) => at),
    failures: failures.map(({ failure }) => failure),
    explanations: failures.map(({ explanation }) => explanation),
    statuses: DELIVERY_STATUSES,
  });
  return changed.map(({ send_id }) => send_id);
}

/** Of several reports of one recipient the best, and of equal ones the first. */
function bestOfEach(given: readonly NewDelivery[]): readonly NewDelivery[] {
  const best = new Map<string, NewDelivery>();
  for (const delivery of given) {
    const key = `${delivery.sendId}:${delivery.row}`;
    const known = best.get(key);
    if (known === undefined || rankOf(known.status) < rankOf(delivery.status)) best.set(key, delivery);
  }
  return [...best.values()];
}
