import type { Clock } from '../../core/clock.ts';
import type { AudienceStore } from '../audience.ts';
import type { Failure } from '../outcome.ts';
import type { DispatchStore } from '../ports.ts';
import type { RecipientRow, Send } from '../send.ts';
import * as say from './sentences.ts';

const HOUR_MS = 3_600_000;

/** `frequencyCap` of herald.yml: messages a number may get within so many hours, over all sends. */
interface FrequencyCap {
  readonly perNumber: number;
  readonly hours: number;
}

interface FinalCheckDependencies {
  readonly store: Pick<DispatchStore, 'skipOverCap'>;
  readonly audiences: Pick<AudienceStore, 'optedOut'>;
  readonly clock: Clock;
  readonly frequencyCap?: FrequencyCap | undefined;
}

/** Checks each claimed batch right before it is sent: who has opted out meanwhile, and whom the frequency cap excludes. */
export function createFinalCheck({ store, audiences, clock, frequencyCap }: FinalCheckDependencies) {
  async function overCap(send: Send, rows: readonly RecipientRow[]): Promise<readonly number[]> {
    if (frequencyCap === undefined || rows.length === 0) return [];
    const { perNumber: most, hours } = frequencyCap;
    const at = clock.now();
    const since = at - hours * HOUR_MS;
    return store.skipOverCap({ sendId: send.id, recipients: rows, most, since, failure: say.TOO_OFTEN, at });
  }

  return async (send: Send, rows: readonly RecipientRow[]): Promise<ReadonlyMap<number, Failure>> => {
    const optedOut = await audiences.optedOut(rows.map(({ number }) => number));
    const wanted = rows.filter(({ number }) => !optedOut.has(number));
    const tooOften = await overCap(send, wanted);
    return new Map([
      ...rows.filter(({ number }) => optedOut.has(number)).map(({ row }) => [row, say.OPTED_OUT] as const),
      ...tooOften.map((row) => [row, say.TOO_OFTEN] as const),
    ]);
  };
}
