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
  async function taken({ id, retryOf, audience }: Send, rows: readonly RecipientRow[]) {
    if (retryOf === undefined || rows.length === 0) return [];
    const state = audience === undefined ? 'rejected' : 'skipped';
    const asked = { sendId: id, recipients: rows, failure: say.TAKEN_MEANWHILE, at: clock.now() };
    return store.skipTaken({ ...asked, state });
  }

  async function overCap({ id, audience }: Send, rows: readonly RecipientRow[]) {
    if (frequencyCap === undefined || audience === undefined || rows.length === 0) return [];
    const { perNumber: most, hours } = frequencyCap;
    const at = clock.now();
    const since = at - hours * HOUR_MS;
    return store.skipOverCap({ sendId: id, recipients: rows, most, since, failure: say.TOO_OFTEN, at });
  }

  return async (
    send: Send,
    rows: readonly RecipientRow[],
  ): Promise<ReadonlyMap<number, Failure | undefined>> => {
    const optedOut = await audiences.optedOut(rows.map(({ number }) => number));
    /** Undefined for whom the store has left out itself. */
    const reasons = new Map<number, Failure | undefined>();
    const wanted = () => rows.filter(({ row }) => !reasons.has(row));
    for (const { row, number } of rows) if (optedOut.has(number)) reasons.set(row, say.OPTED_OUT);
    for (const row of await taken(send, wanted())) reasons.set(row, undefined);
    for (const { row, number } of wanted()) {
      const why = whyNotNow(send, number, clock.now(), quietHours);
      if (why !== undefined) reasons.set(row, why);
    }
    for (const row of await overCap(send, wanted())) reasons.set(row, undefined);
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
