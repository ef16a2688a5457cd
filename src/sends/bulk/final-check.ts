import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Failure } from '../outcome.ts';
import { whyNotNow } from '../quiet-hours.ts';
import type { RecipientRow, Send } from '../send.ts';
import type { BulkDependencies } from './dependencies.ts';
import { HOUR_MS } from './policy.ts';
import * as say from './sentences.ts';

type Asked = Pick<BulkDependencies, 'store' | 'audiences' | 'clock' | 'quietHours' | 'frequencyCap'>;

/**
 * Checks each claimed batch right before it is sent: who has opted out meanwhile, whom what is tried again has reached
 * after all, of lists whom the cap excludes, and whether quiet hours have begun for one person, whose message may have waited long for the service.
 */
export function createFinalCheck({ store, audiences, clock, quietHours, frequencyCap }: Asked) {
  async function overCap(send: Send, rows: readonly RecipientRow[]): Promise<readonly number[]> {
    if (frequencyCap === undefined || send.audience === undefined || rows.length === 0) return [];
    const { perNumber: most, hours } = frequencyCap;
    const at = clock.now();
    const since = at - hours * HOUR_MS;
    return store.skipOverCap({ sendId: send.id, recipients: rows, most, since, failure: say.TOO_OFTEN, at });
  }

  return async (send: Send, rows: readonly RecipientRow[]): Promise<ReadonlyMap<number, Failure>> => {
    const numbers = rows.map(({ number }) => number);
    const optedOut = await audiences.optedOut(numbers);
    const taken = send.retryOf === undefined ? new Set() : await store.takenBefore(send.id, numbers);
    const reasons = new Map<number, Failure>();
    for (const { row, number } of rows) {
      const why = optedOut.has(number)
        ? say.OPTED_OUT
        : taken.has(number)
          ? say.TAKEN_MEANWHILE
          : whyNotNow(send, number, clock.now(), quietHours);
      if (why !== undefined) reasons.set(row, why);
    }
    const wanted = rows.filter(({ row }) => !reasons.has(row));
    for (const row of await overCap(send, wanted)) reasons.set(row, say.TOO_OFTEN);
    return reasons;
  };
}

/** Why a message to some of these numbers at `at` would be left out, as far as that is known now. */
export async function whyLeftOut(
  numbers: readonly Msisdn[],
  at: number,
  { store, audiences, frequencyCap }: Omit<Asked, 'clock' | 'quietHours'>,
): Promise<ReadonlyMap<Msisdn, Failure>> {
  const tooOften =
    frequencyCap === undefined
      ? []
      : await store.hadEnough(numbers, frequencyCap.perNumber, at - frequencyCap.hours * HOUR_MS);
  const optedOut = await audiences.optedOut(numbers);
  return new Map([
    ...[...tooOften].map((number) => [number, say.TOO_OFTEN] as const),
    ...[...optedOut].map((number) => [number, say.OPTED_OUT] as const),
  ]);
}
