import type { RecipientRow } from '../../src/sends/send.ts';
import type { Stores } from '../../src/store/stores.ts';
import type { Received } from './counting-service.ts';
import { SEND_ID } from './plan.ts';

/** What became of everybody, by the store's rows and by what the service got. */
export async function judge(
  { sends }: Pick<Stores, 'sends'>,
  { received }: { readonly received: Received },
  sendId = SEND_ID,
) {
  const rows: readonly RecipientRow[] = await sends.recipients(sendId);
  const timesOf = ({ number }: RecipientRow) => received.get(number)?.length ?? 0;
  const unknown = rows.filter(({ state }) => state === 'unknown');
  return {
    reached: rows.filter((row) => timesOf(row) > 0).length,
    twice: rows.filter((row) => timesOf(row) > 1).length,
    late: unknown.filter(({ number, settledAt = 0 }) => received.get(number)?.some((at) => at > settledAt))
      .length,
    /** Said to be accepted and not reached, or rejected and reached. */
    untrue: rows.filter(
      (row) =>
        (row.state === 'accepted' && timesOf(row) === 0) || (row.state === 'rejected' && timesOf(row) > 0),
    ).length,
    unknown: unknown.length,
  };
}
