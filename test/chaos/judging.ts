import type { RecipientRow } from '../../src/sends/send.ts';
import type { Stores } from '../../src/store/stores.ts';
import type { CountingService } from './counting-service.ts';
import { SEND_ID } from './plan.ts';

/** What became of everybody, by the store's rows and by what the service got. */
export async function judge({ sends }: Pick<Stores, 'sends'>, { received }: CountingService) {
  const rows: readonly RecipientRow[] = await sends.recipients(SEND_ID);
  const unknown = rows.filter(({ state }) => state === 'unknown');
  return {
    twice: [...received.values()].filter((times) => times.length > 1).length,
    late: unknown.filter(({ number, settledAt = 0 }) => received.get(number)?.some((at) => at > settledAt))
      .length,
    unknown: unknown.length,
  };
}
